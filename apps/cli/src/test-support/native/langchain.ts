import type { Entry, ScriptCall } from './script.ts';

type Answer = Extract<Entry, { kind: 'answer' }>;
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };

function answerOf({ thinking, text, isString, calls, hasProviderTool }: Answer): unknown {
  const blocks: unknown[] = [];
  if (thinking !== undefined) blocks.push({ type: 'thinking', thinking, signature: 'c2ln' });
  if (text !== undefined) blocks.push({ type: 'text', text });
  if (hasProviderTool) blocks.push({ type: 'server_tool_use', id: 's1', name: 'web_search' });
  const made = calls.map(({ id, name, input: args }) => ({ id, name, args, type: 'tool_call' }));
  const content = isString || blocks.length === 0 ? (text ?? '') : blocks;
  return { type: 'ai', data: { content, tool_calls: made, additional_kwargs: {} } };
}

function resultOf({ id, name, text, hasParts, hasImage, outcome }: ScriptCall): unknown {
  const parts = [{ type: 'text', text }, ...(hasImage ? [image] : [])];
  const status = outcome === 'error' || outcome === 'denied' ? 'error' : 'success';
  const content = hasParts ? parts : text;
  return { type: 'tool', data: { content, tool_call_id: id, name, status } };
}

/** Serialised messages of LangChain. */
export function langChainDocument(entries: readonly Entry[]): unknown {
  return entries.flatMap((entry): unknown[] => {
    if (entry.kind === 'answer') return [answerOf(entry)];
    if (entry.kind === 'results') return entry.calls.map(resultOf);
    if (entry.kind === 'system') return [{ type: 'system', data: { content: entry.text } }];
    const { text, isString, hasImage } = entry;
    const parts = [{ type: 'text', text }, ...(hasImage ? [image] : [])];
    return [{ type: 'human', data: { content: isString ? text : parts } }];
  });
}
