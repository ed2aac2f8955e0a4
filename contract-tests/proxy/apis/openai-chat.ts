import {
  type Answer,
  type AnswerPlace,
  type Body,
  isList,
  type ScriptedApi,
  scriptedCalls,
  sse,
} from './scripted-api.ts';

function chunks(answer: Answer, { place, tokens, cached }: AnswerPlace): Body[] {
  const base = {
    id: `chat_${String(place)}`,
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
  };
  const choice = (delta: object, finish: string | null): Body => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const isCall = 'tool' in answer;
  const call = isCall && {
    index: 0,
    id: `scripted_${String(place)}`,
    type: 'function',
    function: { name: answer.tool, arguments: JSON.stringify(answer.input) },
  };
  const delta = isCall ? { content: null, tool_calls: [call] } : { content: answer.text };
  const usage = {
    prompt_tokens: tokens,
    completion_tokens: 20,
    total_tokens: tokens + 20,
    prompt_tokens_details: { cached_tokens: cached },
  };
  return [
    choice({ role: 'assistant', ...delta }, null),
    choice({}, isCall ? 'tool_calls' : 'stop'),
    { ...base, choices: [], usage },
  ];
}

export const openAiChatApi: ScriptedApi = {
  isConversation: (path) => path.startsWith('/v1/chat/completions'),
  aside: (_path, body) => {
    const tools = body['tools'];
    return isList(tools) && tools.length > 0 ? undefined : { text: 'Chores' };
  },
  turnsDone: (body) => scriptedCalls(JSON.stringify(body['messages'] ?? [])),
  write: (response, answer, at) => {
    sse(response, chunks(answer, at), 'data: [DONE]\n\n');
  },
  refusal: (message) => ({ error: { message, type: 'invalid_request_error', code: null } }),
};
