import type { ContextManager } from '../context-manager/context-manager.ts';
import { ofManager } from '../host-messages/of-manager.ts';
import { offeredTools } from '../offered-tools.ts';
import { type ChatMessages, chatMessages } from './chat-messages.ts';
import { callFitting, type FittedRequest } from './fit-request.ts';
import type {
  MessageShape,
  ModelRequestShape,
  RuntimeShape,
  StoredMessageShape,
  ToolCallRequestShape,
} from './host-types.ts';
import { offloadResult } from './offload-result.ts';
import { reportUsage } from './report-usage.ts';

/** The manager of a thread, where one agent serves many. Give the same one for the same thread. */
export type ManagerOfThread = (
  threadId: string | undefined,
) => ContextManager | Promise<ContextManager>;

/** What of LangChain the middleware works with. */
export interface ContextMiddlewareOptions {
  /** `mapStoredMessagesToChatMessages` of `@langchain/core/messages`. */
  readonly fromStored: (messages: never[]) => readonly MessageShape[];
  /**
   * `RemoveMessage` of `@langchain/core/messages`, to put compactions into the thread's state, too: its messages are then those of
   * the request. Default: the state keeps everything that was said.
   */
  readonly RemoveMessage?: new (fields: {
    id: string;
  }) => MessageShape;
}

/** A middleware for `createAgent` of `langchain`. */
export interface ContextMiddleware {
  readonly name: string;
  wrapToolCall<Request extends ToolCallRequestShape, Result>(
    request: Request,
    handler: (request: Request) => Result | PromiseLike<Result>,
  ): Promise<Result>;
  wrapModelCall<Request extends ModelRequestShape, Answer>(
    request: Request,
    handler: (request: Request) => Answer | PromiseLike<Answer>,
  ): Promise<Answer>;
  beforeModel<Each extends MessageShape>(
    state: { readonly messages: readonly Each[] },
    runtime: RuntimeShape,
  ): Promise<{ messages: Each[] } | undefined>;
}

/** The id by which LangGraph removes all messages of a state. */
const removeAllId = '__remove_all__';

/** A compacted request that the state does not have yet. */
interface Unpersisted {
  readonly given: readonly MessageShape[];
  readonly kept: readonly MessageShape[];
}

function isSameMessage(one: MessageShape, other: MessageShape | undefined): boolean {
  if (one === other) return true;
  return one.id !== undefined && one.id === other?.id;
}

function compactedRequest(
  { messages, receipt }: FittedRequest<unknown>,
  given: readonly MessageShape[],
): Unpersisted | undefined {
  // What the store does not have yet may not leave the state.
  if (receipt.degraded !== undefined || receipt.compaction?.window.compacted !== true) return;
  return { given, kept: messages };
}

/** Signals of LangGraph that are no errors: an interrupt, a command for the parent. */
function isSignal(error: unknown): boolean {
  return error instanceof Error && 'is_bubble_up' in error && error.is_bubble_up === true;
}

/** Records the result of a call, or the error that it threw. */
async function recordedCall(
  { manager, make }: { readonly manager: ContextManager; readonly make: MakeMessages },
  { toolCall: call, runtime }: ToolCallRequestShape,
  run: () => unknown,
): Promise<unknown> {
  const { id, name, args: input } = call;
  let result: unknown;
  try {
    result = await run();
  } catch (error) {
    const isCalledOff = isSignal(error) || runtime.signal?.aborted === true;
    if (id !== undefined && !isCalledOff) {
      await manager.recordToolOutput({ id, name, input }, String(error));
    }
    throw error;
  }
  return offloadResult({ manager, call, make }, result);
}

type MakeMessages = (stored: readonly StoredMessageShape[]) => readonly MessageShape[];

interface Wiring {
  readonly managerOf: (runtime: RuntimeShape) => Promise<ContextManager>;
  readonly codecOf: (manager: ContextManager) => ChatMessages;
  readonly make: MakeMessages;
  readonly unpersisted: WeakMap<ContextManager, Unpersisted>;
}

function wrapToolCall({ managerOf, make }: Wiring): ContextMiddleware['wrapToolCall'] {
  return async <Request extends ToolCallRequestShape, Result>(
    request: Request,
    handler: (request: Request) => Result | PromiseLike<Result>,
  ): Promise<Result> => {
    const manager = await managerOf(request.runtime);
    const run = () => handler(request);
    // Answers of the read-back tools are capped; offloading them again would lead in circles.
    if (manager.tools().some(({ name }) => name === request.toolCall.name)) return run();
    // A message stays a message and a command a command.
    return (await recordedCall({ manager, make }, request, run)) as Result;
  };
}

function wrapModelCall(wiring: Wiring): ContextMiddleware['wrapModelCall'] {
  const { managerOf, codecOf, unpersisted } = wiring;
  const plainTools = offeredTools();
  return async (request, handler) => {
    const manager = await managerOf(request.runtime);
    const codec = codecOf(manager);
    const { answer, fitted } = await callFitting({ manager, codec, plainTools }, request, handler);
    const compacted = compactedRequest(fitted, request.messages);
    if (compacted !== undefined) unpersisted.set(manager, compacted);
    await reportUsage(manager, answer);
    return answer;
  };
}

function beforeModel(
  { managerOf, unpersisted }: Wiring,
  RemoveMessage: ContextMiddlewareOptions['RemoveMessage'],
): ContextMiddleware['beforeModel'] {
  return async <Each extends MessageShape>(
    state: { readonly messages: readonly Each[] },
    runtime: RuntimeShape,
  ) => {
    const manager = await managerOf(runtime);
    const compacted = unpersisted.get(manager);
    if (compacted === undefined || RemoveMessage === undefined) return undefined;
    unpersisted.delete(manager);
    const { given, kept } = compacted;
    if (!given.every((message, index) => isSameMessage(message, state.messages[index]))) return;
    const messages = [new RemoveMessage({ id: removeAllId }), ...kept];
    // Both are the host's: its own class, and what its own function made.
    return { messages: [...(messages as Each[]), ...state.messages.slice(given.length)] };
  };
}

/**
 * Puts a context manager into an agent of LangChain: `createAgent({ …, middleware: [contextMiddleware(manager, { fromStored:
 * mapStoredMessagesToChatMessages })] })`. What tools return is stored, and large results are shown to the model as a preview with a
 * pointer; each call of the model gets messages that fit; usage is learned from; a request that the provider refuses as too long is
 * made again with less.
 * The thread's state keeps every message, unless `RemoveMessage` is given; then it gets compactions before the next call of
 * the model. An error of a tool is recorded and thrown on. What is not known goes through as it is.
 */
export function contextMiddleware(
  manager: ContextManager | ManagerOfThread,
  { fromStored, RemoveMessage }: ContextMiddlewareOptions,
): ContextMiddleware {
  // The host's function takes what its own messages say of themselves.
  const make: MakeMessages = (stored) => fromStored(stored as never[]);
  const wiring: Wiring = {
    make,
    codecOf: ofManager(() => chatMessages(make)),
    unpersisted: new WeakMap(),
    managerOf: async ({ configurable }) =>
      typeof manager === 'function' ? manager(configurable?.thread_id) : manager,
  };
  return {
    name: 'ctx',
    wrapToolCall: wrapToolCall(wiring),
    wrapModelCall: wrapModelCall(wiring),
    beforeModel: beforeModel(wiring, RemoveMessage),
  };
}
