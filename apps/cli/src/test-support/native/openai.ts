import type { Entry, ScriptCall } from './script.ts';

const url = 'data:image/png;base64,iVBORw0KGgo=';

type Answer = Extract<Entry, { kind: 'answer' }>;

function chatAnswer({ text, thinking, calls }: Answer): unknown {
  const made = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  return {
    role: 'assistant',
    content: text ?? null,
    ...(made.length === 0 ? {} : { tool_calls: made }),
    ...(thinking === undefined ? {} : { reasoning_content: thinking }),
  };
}

function chatResult({ id, text, hasParts }: ScriptCall): unknown {
  const content = hasParts ? [{ type: 'text', text }] : text;
  return { role: 'tool', tool_call_id: id, content };
}

/** The messages of OpenAI's chat API. */
export function openAiChatDocument(entries: readonly Entry[]): unknown {
  return entries.flatMap((entry): unknown[] => {
    if (entry.kind === 'answer') return [chatAnswer(entry)];
    if (entry.kind === 'results') return entry.calls.map(chatResult);
    if (entry.kind === 'system') return [{ role: 'developer', content: entry.text }];
    const { text, isString, hasImage } = entry;
    const images = hasImage ? [{ type: 'image_url', image_url: { url } }] : [];
    return [{ role: 'user', content: isString ? text : [{ type: 'text', text }, ...images] }];
  });
}

function responsesCall({ id, name, input, needsApproval }: ScriptCall): unknown[] {
  const args = JSON.stringify(input);
  const call = { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: args };
  if (!needsApproval) return [call];
  const approval = { id: `mcpr_${id}`, name: 'pay', arguments: '{}', server_label: 'bank' };
  return [{ type: 'mcp_approval_request', ...approval }, call];
}

function responsesAnswer(entry: Answer): unknown[] {
  const { thinking, text, calls, hasProviderTool } = entry;
  const items: unknown[] = [];
  if (thinking !== undefined) {
    const summary = [{ type: 'summary_text', text: thinking }];
    items.push({ type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'gAAA' });
  }
  if (hasProviderTool) items.push({ type: 'web_search_call', id: 'ws_1', status: 'completed' });
  if (text !== undefined) {
    const content = [{ type: 'output_text', text, annotations: [] }];
    items.push({ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content });
  }
  return [...items, ...calls.flatMap(responsesCall)];
}

function responsesResult({ id, text, hasParts, hasImage, needsApproval, outcome }: ScriptCall) {
  const images = hasImage ? [{ type: 'input_image', image_url: url }] : [];
  const output = hasParts ? [{ type: 'input_text', text }, ...images] : text;
  const result = { type: 'function_call_output', call_id: id, output };
  const approve = outcome !== 'denied';
  const answer = { type: 'mcp_approval_response', approval_request_id: `mcpr_${id}`, approve };
  return needsApproval ? [answer, result] : [result];
}

/** The items of OpenAI's Responses API. */
export function openAiResponsesDocument(entries: readonly Entry[]): unknown {
  return entries.flatMap((entry): unknown[] => {
    if (entry.kind === 'answer') return responsesAnswer(entry);
    if (entry.kind === 'results') return entry.calls.flatMap(responsesResult);
    if (entry.kind === 'system') return [{ role: 'developer', content: entry.text }];
    const { text, isString, hasImage } = entry;
    const images = hasImage ? [{ type: 'input_image', image_url: url }] : [];
    const parts = [{ type: 'input_text', text }, ...images];
    return [{ role: 'user', content: isString ? text : parts }];
  });
}
