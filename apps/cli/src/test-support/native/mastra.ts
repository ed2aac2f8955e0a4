import type { Beat, ScriptCall } from './script.ts';

type Answer = Extract<Beat, { kind: 'answer' }>;

function stateOf({ outcome, text, id, hasParts }: ScriptCall): object {
  if (outcome === 'never') return { state: 'call' };
  if (outcome === 'error') return { state: 'output-error', errorText: text };
  if (outcome === 'denied') {
    return { state: 'output-denied', approval: { id: `approve-${id}`, approved: false } };
  }
  return { state: 'result', result: hasParts ? { text } : text };
}

function partsOf({ thinking, text, calls, hasProviderTool }: Answer): unknown[] {
  const parts: unknown[] = [{ type: 'step-start' }];
  if (thinking !== undefined) {
    const details = [{ type: 'text', text: thinking }];
    parts.push({ type: 'reasoning', reasoning: thinking, details });
  }
  if (text !== undefined) parts.push({ type: 'text', text });
  for (const call of calls) {
    const { id: toolCallId, name: toolName, input: args } = call;
    const toolInvocation = { toolCallId, toolName, args, ...stateOf(call) };
    parts.push({ type: 'tool-invocation', toolInvocation });
  }
  if (hasProviderTool) {
    const tool = { toolCallId: 'p1', toolName: 'web_search', args: {} };
    const toolInvocation = { ...tool, state: 'result', result: [] };
    parts.push({ type: 'tool-invocation', toolInvocation, providerExecuted: true });
  }
  return parts;
}

/** Messages of Mastra's storage. */
export function mastraDocument(script: readonly Beat[]): unknown {
  return script.flatMap((beat, index): unknown[] => {
    if (beat.kind === 'orphan') return [];
    const createdAt = new Date(index * 1000).toISOString();
    const message = { id: `m-${String(index)}`, createdAt, threadId: 't' };
    if (beat.kind === 'answer') {
      return [{ ...message, role: 'assistant', content: { format: 2, parts: partsOf(beat) } }];
    }
    const data = 'data:image/png;base64,iVBORw0KGgo=';
    const hasImage = beat.kind === 'user' && beat.hasImage;
    const file = hasImage ? [{ type: 'file', mimeType: 'image/png', data }] : [];
    const parts = [{ type: 'text', text: beat.text }, ...file];
    return [{ ...message, role: beat.kind, content: { format: 2, parts, content: beat.text } }];
  });
}
