import {
  type Answer,
  type AnswerPlace,
  type Body,
  isList,
  type ScriptedApi,
  scriptedCalls,
  sse,
} from './scripted-api.ts';

/** The reasoning of a turn, as it has to come back. */
export function reasoningOf(place: number): Body {
  return {
    type: 'reasoning',
    id: `rs_${String(place)}`,
    summary: [],
    encrypted_content: `sealed ${String(place)}`,
  };
}

function itemOf(answer: Answer, place: number): Body {
  const status = 'completed';
  if ('text' in answer) {
    const content = [{ type: 'output_text', text: answer.text, annotations: [] }];
    return { type: 'message', id: `msg_${String(place)}`, role: 'assistant', status, content };
  }
  const call = {
    id: `fc_${String(place)}`,
    call_id: `scripted_${String(place)}`,
    name: answer.tool,
    ...(answer.namespace === undefined ? {} : { namespace: answer.namespace }),
  };
  if (typeof answer.input === 'string') {
    return { type: 'custom_tool_call', ...call, input: answer.input, status };
  }
  return { type: 'function_call', ...call, arguments: JSON.stringify(answer.input), status };
}

function events(answer: Answer, { place, tokens, cached }: AnswerPlace): Body[] {
  const response = {
    id: `resp_${String(place)}`,
    object: 'response',
    created_at: 1,
    model: 'gpt-5',
    output: [],
  };
  const output = [reasoningOf(place), itemOf(answer, place)];
  const usage = {
    input_tokens: tokens,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens + 20,
  };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    ...output.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item },
      ...('text' in answer && item['type'] === 'message'
        ? [
            {
              type: 'response.output_text.delta',
              item_id: item['id'],
              output_index: index,
              content_index: 0,
              delta: answer.text,
            },
          ]
        : []),
      { type: 'response.output_item.done', output_index: index, item },
    ]),
    { type: 'response.completed', response: { ...response, status: 'completed', output, usage } },
  ];
}

export const openAiResponsesApi: ScriptedApi = {
  isConversation: (path) => path.startsWith('/v1/responses'),
  aside: (_path, body) => {
    const tools = body['tools'];
    const hasTools = isList(tools) && tools.length > 0;
    const isLite = JSON.stringify(body['input']).includes('"additional_tools"');
    return hasTools || isLite ? undefined : { text: 'Chores' };
  },
  turnsDone: (body) => scriptedCalls(JSON.stringify(body['input'] ?? [])),
  write: (response, answer, at) => {
    sse(response, events(answer, at));
  },
  refusal: (message) => ({
    error: { message, type: 'invalid_request_error', param: 'input', code: null },
  }),
};
