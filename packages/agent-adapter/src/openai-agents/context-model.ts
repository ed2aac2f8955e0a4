import { isRecord } from '@ctx/core/encoding';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { maxRefusals } from '../max-refusals.ts';
import { fitInput } from './fit-input.ts';
import type { ItemShape, UsageShape } from './host-types.ts';
import { observeUsage } from './observe-usage.ts';

/** What a model is asked with. */
export interface ModelRequestShape {
  readonly input: string | ItemShape[];
  readonly systemInstructions?: string | undefined;
  readonly tools?: unknown;
  readonly modelSettings?: { readonly maxTokens?: number | undefined } | undefined;
  readonly handoffs?: unknown;
  readonly outputType?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Where the provider keeps the conversation, only what is new is sent. */
  readonly previousResponseId?: string | undefined;
  readonly conversationId?: string | undefined;
}

/** A model of the SDK. */
export interface ModelShape {
  getResponse(request: never): Promise<{ readonly usage: UsageShape }>;
  getStreamedResponse(request: never): AsyncIterable<unknown>;
}

/** Whether the whole history stands in the request: only then it can be managed here. */
function isWhole({ previousResponseId, conversationId }: ModelRequestShape): boolean {
  return previousResponseId === undefined && conversationId === undefined;
}

async function fitted<Request extends ModelRequestShape>(
  manager: ContextManager,
  request: Request,
): Promise<Request> {
  const { input, systemInstructions, tools, handoffs, outputType, signal } = request;
  const answerTokens = request.modelSettings?.maxTokens;
  if (!isWhole(request)) return request;
  const items =
    typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;
  const { items: fitting } = await fitInput(manager, items, {
    system: systemInstructions ?? '',
    tools: [tools, handoffs, outputType].map((part) => part ?? null),
    ...(answerTokens === undefined ? {} : { answerTokens }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { ...request, input: [...fitting] };
}

/** Asks, and again with less as often as the provider says that it was too long. */
async function asked<Request extends ModelRequestShape, Result>(
  manager: ContextManager,
  request: Request,
  ask: (fitting: Request) => Promise<Result>,
): Promise<Result> {
  for (let refusals = 0; ; refusals += 1) {
    const fitting = await fitted(manager, request);
    try {
      return await ask(fitting);
    } catch (error) {
      const isTooLong = isWhole(request) && (await manager.overflowed(error)) !== undefined;
      if (!isTooLong || refusals >= maxRefusals) throw error;
    }
  }
}

function usageOfEvent(event: unknown): UsageShape | undefined {
  const response = isRecord(event) && event['type'] === 'response_done' ? event['response'] : null;
  const usage = isRecord(response) ? response['usage'] : undefined;
  return isRecord(usage) ? usage : undefined;
}

/** Streams; an error before the first event is the answer to the request. */
async function* streamed<Request extends ModelRequestShape>(
  manager: ContextManager,
  request: Request,
  stream: (fitting: Request) => AsyncIterable<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const { first, rest } = await asked(manager, request, async (fitting) => {
    const events = stream(fitting)[Symbol.asyncIterator]();
    return { first: await events.next(), rest: events };
  });
  let next = first;
  try {
    for (; next.done !== true; next = await rest.next()) {
      const usage = usageOfEvent(next.value);
      if (usage !== undefined) await observeUsage(manager, usage);
      yield next.value;
    }
  } finally {
    if (next.done !== true) await rest.return?.();
  }
}

/**
 * Puts a context manager between a run and a model: `new Agent({ model: contextModel(manager, model) })`. Each request gets an input
 * that fits, usage is learned from, and a request that the provider refuses as too long is made again with less. The run, its session
 * and its results keep the whole.
 * Everything else of the model is as it was; where the provider keeps the conversation nothing is changed.
 */
export function contextModel<Model extends ModelShape>(
  manager: ContextManager,
  model: Model,
): Model {
  const getResponse = async (request: ModelRequestShape) => {
    const answer = await asked(manager, request, (fitting) => model.getResponse(fitting as never));
    await observeUsage(manager, answer.usage);
    return answer;
  };
  const getStreamedResponse = (request: ModelRequestShape) =>
    streamed(manager, request, (fitting) => model.getStreamedResponse(fitting as never));
  const own: ReadonlyMap<string | symbol, unknown> = new Map<string | symbol, unknown>([
    ['getResponse', getResponse],
    ['getStreamedResponse', getStreamedResponse],
  ]);
  return new Proxy(model, {
    get: (target, name) => {
      if (own.has(name)) return own.get(name);
      const value: unknown = Reflect.get(target, name, target);
      // A model may keep private members: its methods want the model itself.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
