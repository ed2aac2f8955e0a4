import type { Beat, Entry, ScriptCall } from './script.ts';

type Answer = Extract<Entry, { kind: 'answer' }>;

/** What differs between the majors of the AI SDK in what is stored. */
export interface AiSdkVersion {
  readonly major: 6 | 7;
}

/** Version 7 has images as files with a tagged source, version 6 as parts of their own. */
function imageOf({ major }: AiSdkVersion): unknown {
  const mediaType = 'image/png';
  const data = 'iVBORw0KGgo=';
  if (major === 6) return { type: 'image', image: data, mediaType };
  return { type: 'file', mediaType, data: { type: 'data', data } };
}

function outputOf({ text, outcome, hasParts, hasImage }: ScriptCall, { major }: AiSdkVersion) {
  if (outcome === 'error') return { type: 'error-text', value: text };
  if (outcome === 'denied') return { type: 'execution-denied', reason: text };
  if (!hasParts) return { type: 'text', value: text };
  if (!hasImage) return { type: 'json', value: { text } };
  const mediaType = 'image/png';
  const data = 'iVBORw0KGgo=';
  const image =
    major === 6
      ? { type: 'image-data', data, mediaType }
      : { type: 'file', mediaType, data: { type: 'data', data } };
  return { type: 'content', value: [{ type: 'text', text }, image] };
}

function modelAnswer({ thinking, text, isString, calls, hasProviderTool }: Answer): unknown {
  const parts: unknown[] = [];
  if (thinking !== undefined) {
    const providerOptions = { x: { signature: 'c2ln' } };
    parts.push({ type: 'reasoning', text: thinking, providerOptions });
  }
  if (text !== undefined) parts.push({ type: 'text', text });
  const isPlain = isString && parts.length === 1 && text !== undefined;
  for (const { id: toolCallId, name: toolName, input, needsApproval } of calls) {
    parts.push({ type: 'tool-call', toolCallId, toolName, input });
    const approvalId = `approve-${toolCallId}`;
    if (needsApproval) parts.push({ type: 'tool-approval-request', approvalId, toolCallId });
  }
  if (hasProviderTool) {
    const tool = { toolCallId: 'p1', toolName: 'web_search' };
    parts.push({ type: 'tool-call', ...tool, input: {}, providerExecuted: true });
    parts.push({ type: 'tool-result', ...tool, output: { type: 'json', value: [] } });
  }
  const hasMore = calls.length > 0 || hasProviderTool;
  return { role: 'assistant', content: isPlain && !hasMore ? text : parts };
}

function modelResult(call: ScriptCall, version: AiSdkVersion): unknown[] {
  const { id: toolCallId, name: toolName, needsApproval, outcome } = call;
  const output = outputOf(call, version);
  const result = { type: 'tool-result', toolCallId, toolName, output };
  const approvalId = `approve-${toolCallId}`;
  const approved = outcome !== 'denied';
  const answer = { type: 'tool-approval-response', approvalId, approved };
  return needsApproval ? [answer, result] : [result];
}

/** ModelMessages of the AI SDK. */
export function modelDocument(entries: readonly Entry[], version: AiSdkVersion): unknown {
  return entries.map((entry) => {
    if (entry.kind === 'answer') return modelAnswer(entry);
    if (entry.kind === 'results') {
      const content = entry.calls.flatMap((call) => modelResult(call, version));
      return { role: 'tool', content };
    }
    if (entry.kind === 'system') return { role: 'system', content: entry.text };
    const { text, isString, hasImage } = entry;
    const parts = [{ type: 'text', text }, ...(hasImage ? [imageOf(version)] : [])];
    return { role: 'user', content: isString ? text : parts };
  });
}

const approvalOf = ({ id, outcome }: ScriptCall): object => ({
  approval: { id: `approve-${id}`, approved: outcome !== 'denied' },
});

/** How a tool part stands: a late result came into its part, an interrupted call waits for ever. */
function toolState(call: ScriptCall): object {
  const { outcome, text, needsApproval } = call;
  const asked = needsApproval ? approvalOf(call) : {};
  if (outcome === 'never') {
    return needsApproval
      ? { state: 'approval-requested', approval: { id: `approve-${call.id}` } }
      : { state: 'input-available' };
  }
  if (outcome === 'denied') return { state: 'output-denied', ...approvalOf(call) };
  if (outcome === 'error') return { state: 'output-error', errorText: text, ...asked };
  const output = call.hasParts ? { text } : text;
  return { state: 'output-available', output, ...asked };
}

function uiAnswer({ thinking, text, calls, hasProviderTool }: Answer): unknown[] {
  const parts: unknown[] = [{ type: 'step-start' }];
  if (thinking !== undefined) parts.push({ type: 'reasoning', text: thinking });
  if (text !== undefined) parts.push({ type: 'text', text });
  if (hasProviderTool) {
    const rest = { state: 'output-available', input: {}, output: [], providerExecuted: true };
    parts.push({ type: 'tool-web_search', toolCallId: 'p1', ...rest });
  }
  for (const call of calls) {
    const { id: toolCallId, name, input } = call;
    const body = { toolCallId, input, ...toolState(call) };
    const isDynamic = name.startsWith('mcp__');
    parts.push(
      isDynamic
        ? { type: 'dynamic-tool', toolName: name, ...body }
        : { type: `tool-${name}`, ...body },
    );
  }
  return parts;
}

/** UIMessages of the AI SDK: answers that follow each other are steps of one message. */
export function uiDocument(script: readonly Beat[]): unknown {
  const messages: { id: string; role: string; parts: unknown[] }[] = [];
  for (const beat of script) {
    const id = `m-${String(messages.length)}`;
    const last = messages.at(-1);
    if (beat.kind === 'answer') {
      const parts = uiAnswer(beat);
      if (last?.role === 'assistant' && !beat.isString) last.parts.push(...parts);
      else messages.push({ id, role: 'assistant', parts });
    } else if (beat.kind !== 'orphan') {
      const url = 'data:image/png;base64,iVBORw0KGgo=';
      const hasImage = beat.kind === 'user' && beat.hasImage;
      const file = hasImage ? [{ type: 'file', mediaType: 'image/png', url }] : [];
      const parts = [{ type: 'text', text: beat.text }, ...file];
      messages.push({ id, role: beat.kind, parts });
    }
  }
  return messages;
}
