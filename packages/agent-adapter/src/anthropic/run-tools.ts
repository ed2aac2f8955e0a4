import { CtxError } from '@ctx/core';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { maxRefusals } from '../max-refusals.ts';
import type { AnswerShape, MessageShape, ParamsShape } from './host-types.ts';
import { observeAnswer } from './observe-answer.ts';
import { type PrepareParamsOptions, prepareParams } from './prepare-params.ts';

/** The part of a tool runner that is used. */
export interface RunnerShape<Item> extends AsyncIterable<Item> {
  readonly params: ParamsShape;
  setMessagesParams(params: never): void;
  generateToolResponse(): Promise<MessageShape | null>;
}

/** What a streaming runner gives for each answer. */
interface StreamShape {
  finalMessage(): Promise<AnswerShape>;
}

/** What a runner is started with. */
export interface RunnerParams extends ParamsShape {
  /** The server must not keep the conversation: what it keeps cannot be managed here. */
  readonly thread?: false | undefined;
}

interface Driving<Item, Params extends RunnerParams> {
  readonly manager: ContextManager;
  readonly runner: RunnerShape<Item>;
  readonly params: Params;
  readonly options: PrepareParamsOptions;
  /** The whole conversation, as the host would keep it. */
  history: readonly MessageShape[];
  /** What the last request had. */
  sent: readonly MessageShape[];
  /** How often the provider refused this request. */
  refusals: number;
}

function isStream(item: unknown): item is StreamShape {
  return (
    typeof item === 'object' &&
    item !== null &&
    'finalMessage' in item &&
    typeof item.finalMessage === 'function'
  );
}

function isAnswer(item: unknown): item is AnswerShape {
  return typeof item === 'object' && item !== null && 'role' in item && 'content' in item;
}

async function answerOf(item: unknown): Promise<AnswerShape> {
  if (isStream(item)) return item.finalMessage();
  if (isAnswer(item)) return item;
  throw new CtxError('CTX_INVALID_INPUT', 'the runner gave neither a message nor a stream');
}

/** Hands the next request to the runner. */
async function prepareNext<Item, Params extends RunnerParams>(
  driving: Driving<Item, Params>,
): Promise<void> {
  const { manager, runner, history, options } = driving;
  const given = { ...runner.params, messages: history };
  const { params } = await prepareParams(manager, given, options);
  // The runner's own params with other messages.
  runner.setMessagesParams(params as never);
  driving.sent = params.messages;
}

/** What the host added while it looked at the answer. */
function addedBy<Item, Params extends RunnerParams>({
  runner,
  sent,
}: Driving<Item, Params>): readonly MessageShape[] {
  return runner.params.messages.slice(sent.length);
}

const asMessage = ({ role, content }: AnswerShape): MessageShape => ({ role, content });

/** Takes an answer into the history with the results of its calls, and prepares the next request where there is one. */
async function goOn<Item, Params extends RunnerParams>(
  driving: Driving<Item, Params>,
  item: Item,
): Promise<void> {
  const answer = await answerOf(item);
  await observeAnswer(driving.manager, answer);
  const added = addedBy(driving);
  const results = await driving.runner.generateToolResponse();
  const next = [...(results === null ? [] : [results]), ...added];
  const isPaused = 'stop_reason' in answer && answer.stop_reason === 'pause_turn';
  driving.history = [...driving.history, asMessage(answer), ...next];
  if (next.length > 0 || isPaused) await prepareNext(driving);
}

/** One pass over the runner; an error of a request that was too long ends it with `again`. */
async function* runOnce<Item, Params extends RunnerParams>(
  driving: Driving<Item, Params>,
): AsyncGenerator<Item, 'done' | { readonly error: unknown }, undefined> {
  try {
    for await (const item of driving.runner) {
      driving.refusals = 0;
      yield item;
      await goOn(driving, item);
    }
    return 'done';
  } catch (error) {
    if ((await driving.manager.overflowed(error)) === undefined) throw error;
    return { error };
  }
}

/**
 * Drives the SDK's tool runner so that each of its requests fits:
 * `drive(manager, params, (fitting) => client.beta.messages.toolRunner(fitting))`. Gives what the runner gives, one message or stream
 * for each request. It takes the answer and the results of its calls into the history itself, so each request extends the last.
 * The runner is started with `thread: false`; a server thread is refused. A request that is refused as too long is sent
 * again with less. Use `wrapTools` on the tools.
 * @throws `CTX_INVALID_INPUT` for a server thread.
 */
export async function* drive<Params extends RunnerParams, Item>(
  manager: ContextManager,
  params: Params,
  start: (params: Params & { readonly thread: false }) => RunnerShape<Item>,
): AsyncGenerator<Item, void, undefined> {
  const thread: unknown = params.thread;
  if (thread !== undefined && thread !== false) {
    const message = 'a conversation that the server keeps cannot be managed here: leave thread out';
    throw new CtxError('CTX_INVALID_INPUT', message);
  }
  const runner = start({ ...params, thread: false });
  const { messages } = params;
  const history = { history: messages, sent: messages, refusals: 0 };
  const driving = { manager, runner, params, options: {}, ...history };
  for (;;) {
    await prepareNext(driving);
    const end = yield* runOnce(driving);
    if (end === 'done') return;
    driving.refusals += 1;
    if (driving.refusals > maxRefusals) throw end.error;
  }
}
