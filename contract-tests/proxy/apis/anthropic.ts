import {
  type Answer,
  type Body,
  isList,
  type ScriptedApi,
  scriptedCalls,
  sse,
} from './scripted-api.ts';

function events(answer: Answer, place: number, usage: object): Body[] {
  const isCall = 'tool' in answer;
  const id = `scripted_${String(place)}`;
  const block = isCall
    ? { type: 'tool_use', id, name: answer.tool, input: {} }
    : { type: 'text', text: '' };
  const delta = isCall
    ? { type: 'input_json_delta', partial_json: JSON.stringify(answer.input) }
    : { type: 'text_delta', text: answer.text };
  const message = {
    id: `msg_${String(place)}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
  };
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 20 },
    },
    { type: 'message_stop' },
  ];
}

export const anthropicApi: ScriptedApi = {
  isConversation: (path) => path.startsWith('/v1/messages'),
  aside: (path, body) => {
    const tokens = Math.ceil(JSON.stringify(body).length / 4);
    if (path.includes('count_tokens')) return { json: { input_tokens: tokens } };
    const tools = body['tools'];
    return isList(tools) && tools.length > 0 ? undefined : { text: '{"title":"Chores"}' };
  },
  turnsDone: (body) => scriptedCalls(JSON.stringify(body['messages'] ?? [])),
  write: (response, answer, { place, tokens, cached }) => {
    const cache = { cache_read_input_tokens: cached, cache_creation_input_tokens: 0 };
    sse(
      response,
      events(answer, place, { input_tokens: tokens - cached, output_tokens: 1, ...cache }),
    );
  },
  refusal: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
};
