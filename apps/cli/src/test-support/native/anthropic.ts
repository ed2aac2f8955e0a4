import type { Entry, ScriptCall } from './script.ts';

const image = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
};

function resultOf({ id, text, outcome, hasParts, hasImage }: ScriptCall): unknown {
  const parts = [{ type: 'text', text }, ...(hasImage ? [image] : [])];
  const isError = outcome === 'error' || outcome === 'denied';
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: hasParts ? parts : text,
    ...(isError ? { is_error: true } : {}),
  };
}

function answerOf(entry: Extract<Entry, { kind: 'answer' }>): unknown {
  const { thinking, text, calls, hasProviderTool, isString } = entry;
  const blocks: unknown[] = [];
  if (thinking !== undefined) blocks.push({ type: 'thinking', thinking, signature: 'c2ln' });
  if (text !== undefined) blocks.push({ type: 'text', text });
  if (hasProviderTool) {
    const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} };
    const found = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] };
    blocks.push(search, found);
  }
  for (const { id, name, input } of calls) blocks.push({ type: 'tool_use', id, name, input });
  const isPlain = isString && blocks.length === 1 && text !== undefined;
  return { role: 'assistant', content: isPlain ? text : blocks };
}

/** The messages of Anthropic's API. */
export function anthropicDocument(entries: readonly Entry[]): unknown {
  return entries.map((entry) => {
    if (entry.kind === 'answer') return answerOf(entry);
    if (entry.kind === 'results') return { role: 'user', content: entry.calls.map(resultOf) };
    if (entry.kind === 'system') return { role: 'system', content: entry.text };
    const { text, isString, hasImage } = entry;
    const parts = [{ type: 'text', text }, ...(hasImage ? [image] : [])];
    return { role: 'user', content: isString ? text : parts };
  });
}
