import type { ContextManager } from '../context-manager/context-manager.ts';
import { sendFitting } from './create-message.ts';
import type { ParamsShape, UsageShape } from './host-types.ts';
import { observeAnswer } from './observe-answer.ts';
import { isRecord } from './plain-values.ts';

/** An event of a stream, as far as it is looked at. */
export interface StreamEventShape {
  readonly type: string;
}

/** What the events of one message have told of its usage so far. */
interface Heard {
  usage: UsageShape;
  management: unknown;
  diagnostics: unknown;
  isComplete: boolean;
}

function numbersOf(usage: unknown): UsageShape {
  if (!isRecord(usage)) return {};
  // Numbers that are null were not told here.
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => typeof value === 'number'));
}

function hear(heard: Heard, event: object): void {
  if ('message' in event && isRecord(event.message)) {
    heard.usage = { ...heard.usage, ...numbersOf(event.message['usage']) };
    heard.diagnostics = event.message['diagnostics'];
  }
  if ('usage' in event) heard.usage = { ...heard.usage, ...numbersOf(event.usage) };
  if ('context_management' in event) heard.management = event.context_management;
  if ('type' in event && event.type === 'message_stop') heard.isComplete = true;
}

/** Waits for the first event: an error before it is the answer to the request. */
async function begin<Event>(
  events: AsyncIterable<Event>,
): Promise<{ readonly first: IteratorResult<Event>; readonly rest: AsyncIterator<Event> }> {
  const rest = events[Symbol.asyncIterator]();
  return { first: await rest.next(), rest };
}

/**
 * Streams a message for a request that fits: `streamMessage(manager, params, (fitting) => client.messages.stream(fitting))`, or with
 * `client.messages.create({ ...fitting, stream: true })`. Every event comes through as it is.
 * Usage is learned from when the message is complete; of a stream that breaks off or is aborted nothing is recorded. A
 * request that is refused as too long before its first event is sent again with less.
 */
export async function* streamMessage<Params extends ParamsShape, Event extends StreamEventShape>(
  manager: ContextManager,
  params: Params,
  send: (params: Params) => AsyncIterable<Event> | PromiseLike<AsyncIterable<Event>>,
): AsyncGenerator<Event, void, undefined> {
  const start = async (fitting: Params) => begin(await send(fitting));
  const { result } = await sendFitting({ manager, params, send: start });
  const { first, rest } = result;
  const heard: Heard = {
    usage: {},
    management: undefined,
    diagnostics: undefined,
    isComplete: false,
  };
  let next = first;
  try {
    for (; next.done !== true; next = await rest.next()) {
      hear(heard, next.value);
      yield next.value;
    }
  } finally {
    if (next.done !== true) await rest.return?.();
  }
  if (!heard.isComplete) return;
  const { usage, management, diagnostics } = heard;
  const told = { usage, context_management: management, diagnostics };
  const answer = { role: 'assistant', content: [], ...told };
  await observeAnswer(manager, answer);
}
