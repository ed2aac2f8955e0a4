import { problemsOf } from '../anthropic/judge-request.ts';
import { type Answer, eventsOf, type WireRequest } from '../anthropic/scripted-server.ts';
import { google, googleSigned } from './google-wires.ts';
import { type Said, type Wire, written } from './wire.ts';

export type { ScriptedStep, Wire } from './wire.ts';

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly call_id?: string;
  readonly id?: string;
  readonly content?: unknown;
}

const isEmpty = (content: unknown): boolean =>
  content === '' || (Array.isArray(content) && content.length === 0);

/** Answers that the API keeps, which a request may name by their ids. */
const keptItems = new Map<string, Item>();

function itemOf(given: Item): Item {
  if (given.type !== 'item_reference') return given;
  return keptItems.get(given.id ?? '') ?? given;
}

function problemsOfItems({ input }: { readonly input: readonly Item[] }): string[] {
  const problems: string[] = [];
  const open = new Set<string>();
  for (const { type, call_id: callId = '', role, content } of input.map(itemOf)) {
    if (type === 'item_reference') problems.push('an item is referred to that was not found');
    if (type === 'function_call') open.add(callId);
    if (type === 'function_call_output' && !open.delete(callId)) {
      problems.push(`No tool call found for function call output with call_id ${callId}`);
    }
    if (role !== undefined && isEmpty(content)) problems.push('a message is empty');
  }
  return [...problems, ...[...open].map((id) => `No tool output found for function call ${id}`)];
}

function eventsOfItem(item: Said, output_index: number): (Said & { readonly type: string })[] {
  const isCall = item['type'] === 'function_call';
  const at = { output_index, item_id: item['id'] };
  const empty = isCall ? { arguments: '' } : { content: [] };
  const said = isCall ? String(item['arguments']) : '';
  const [part] = (item['content'] ?? []) as { readonly text: string }[];
  const place = { ...at, content_index: 0 };
  const pieces = isCall
    ? [
        { type: 'response.function_call_arguments.delta', ...at, delta: said.slice(0, 3) },
        { type: 'response.function_call_arguments.delta', ...at, delta: said.slice(3) },
        { type: 'response.function_call_arguments.done', ...at, arguments: said },
      ]
    : [
        { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
        { type: 'response.output_text.delta', ...place, delta: part?.text },
        { type: 'response.output_text.done', ...place, text: part?.text },
        { type: 'response.content_part.done', ...place, part },
      ];
  return [
    { type: 'response.output_item.added', output_index, item: { ...item, ...empty } },
    ...pieces,
    { type: 'response.output_item.done', output_index, item },
  ];
}

/** The events of a response as the API streams them. */
function eventsOfResponse(response: Said & { readonly output: readonly Said[] }): string {
  const begun = { ...response, status: 'in_progress', output: [], usage: null };
  const events = [
    { type: 'response.created', response: begun },
    ...response.output.flatMap(eventsOfItem),
    { type: 'response.completed', response },
  ];
  return written(events.map((event, at) => ({ ...event, sequence_number: at })));
}

const openaiResponses: Wire = {
  events: eventsOfResponse,
  problems: problemsOfItems,
  answer: ({ text, calls }, tokens, count) => {
    const message = {
      type: 'message',
      id: `msg_${String(count)}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: text ?? '', annotations: [] }],
    };
    const made = calls.map(({ id, name, input }) => ({
      ...{ type: 'function_call', id: `fc_${id}`, call_id: id, status: 'completed' },
      ...{ name, arguments: JSON.stringify(input) },
    }));
    const output = [...(text === undefined ? [] : [message]), ...made];
    for (const item of output) keptItems.set(item.id, item);
    const usage = { input_tokens: tokens, output_tokens: 10, total_tokens: tokens + 10 };
    const head = { id: `resp_${String(count)}`, object: 'response', created_at: 1, model: 'm' };
    return { ...head, status: 'completed', output, usage };
  },
};

interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
}

function isEmptyUser({ role, content }: ChatMessage): boolean {
  return role === 'user' && (content === undefined || isEmpty(content));
}

function problemsOfChat({ messages }: { readonly messages: readonly ChatMessage[] }): string[] {
  const problems: string[] = [];
  const open = new Set<string>();
  for (const message of messages) {
    const { tool_call_id: callId = '', tool_calls: calls = [] } = message;
    if (message.role !== 'tool') {
      if (open.size > 0) problems.push('tool_call_ids did not have answers');
    } else if (!open.delete(callId)) {
      problems.push(`a tool message must follow its tool_calls: ${callId}`);
    }
    if (isEmptyUser(message)) problems.push('a message of the user is empty');
    for (const { id } of calls) open.add(id);
  }
  return open.size > 0 ? [...problems, 'tool_call_ids did not have answers'] : problems;
}

interface ChatAnswer extends Said {
  readonly choices: readonly {
    readonly message: {
      readonly content: string | null;
      readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
    };
    readonly finish_reason: string;
  }[];
  readonly usage: object;
}

/** The chunks of an answer as the API streams them, with its usage in the last. */
function chunksOf({ choices, usage, ...head }: ChatAnswer): string {
  const { message, finish_reason: reason } = choices[0] as ChatAnswer['choices'][0];
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...{ ...head, object: 'chat.completion.chunk' },
    choices: [{ index: 0, delta, finish_reason }],
  });
  const calls = (message.tool_calls ?? []).flatMap((call, index) => {
    const { arguments: text } = call.function;
    const begun = { index, ...call, function: { ...call.function, arguments: '' } };
    const rest = { index, function: { arguments: text } };
    return [chunk({ tool_calls: [begun] }), chunk({ tool_calls: [rest] })];
  });
  const said = message.content === null ? [] : [chunk({ content: message.content })];
  const first = chunk({ role: 'assistant', content: message.content === null ? null : '' });
  const events = [first, ...said, ...calls, chunk({}, reason), { ...head, choices: [], usage }];
  return `${written(events)}data: [DONE]\n\n`;
}

const openaiChat: Wire = {
  events: chunksOf,
  problems: problemsOfChat,
  answer: ({ text, calls }, tokens, count) => {
    const made = calls.map(({ id, name, input }) => ({
      ...{ id, type: 'function' },
      function: { name, arguments: JSON.stringify(input) },
    }));
    const message = {
      role: 'assistant',
      content: text ?? null,
      ...(made.length === 0 ? {} : { tool_calls: made }),
    };
    const reason = made.length === 0 ? 'stop' : 'tool_calls';
    // An SDK takes it that nothing was cached if an answer does not say.
    const details = { cached_tokens: Math.floor(tokens / 2) };
    const totals = { prompt_tokens: tokens, completion_tokens: 10, total_tokens: tokens + 10 };
    const usage = { ...totals, prompt_tokens_details: details };
    const choices = [{ index: 0, message, finish_reason: reason }];
    return { id: `c_${String(count)}`, created: 1, model: 'm', choices, usage };
  },
};

const anthropic: Wire = {
  problems: (body: WireRequest) => problemsOf(body),
  answer: ({ text, calls }, tokens, count) => ({
    ...{ id: `msg_${String(count)}`, type: 'message', role: 'assistant', model: 'm' },
    content: [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
    ],
    stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: tokens, output_tokens: 10 },
  }),
  events: (answer: Answer & Readonly<Record<string, unknown>>) => eventsOf(answer, answer),
};

/** The APIs by the end of their paths. */
export const wires: Readonly<Record<string, Wire>> = {
  '/gemini-3-pro:generateContent': googleSigned,
  '/gemini-3-pro:streamGenerateContent?alt=sse': { ...googleSigned, isStreamed: true },
  '/responses': openaiResponses,
  '/chat/completions': openaiChat,
  '/messages': anthropic,
  ':generateContent': google,
};
