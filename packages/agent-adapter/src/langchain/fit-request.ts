import type { ContextManager } from '../context-manager/context-manager.ts';
import { prepareShared } from '../context-manager/request/prepare-shared.ts';
import type { PrepareReceipt } from '../context-manager/request/prepared.ts';
import { maxRefusals } from '../max-refusals.ts';
import type { ChatMessages } from './chat-messages.ts';
import type { MessageShape, ModelRequestShape } from './host-types.ts';

/** What making requests of LangChain needs. */
export interface RequestFitter {
  readonly manager: ContextManager;
  readonly codec: ChatMessages;
  readonly plainTools: (tools: readonly unknown[]) => readonly unknown[];
}

/** A request that fits, and what was done for it. */
export interface FittedRequest<Request> {
  readonly request: Request;
  readonly messages: readonly MessageShape[];
  readonly receipt: PrepareReceipt;
}

/** The names under which models of LangChain, and what is bound to them, keep how long an answer may be. */
const answerNames = [
  'maxTokens',
  'max_tokens',
  'maxOutputTokens',
  'maxCompletionTokens',
  'max_completion_tokens',
  'max_output_tokens',
] as const;

function numberIn(settings: unknown): number | undefined {
  if (typeof settings !== 'object' || settings === null) return undefined;
  const values = answerNames.map((name): unknown => Reflect.get(settings, name));
  return values.find((value) => typeof value === 'number' && value > 0) as number | undefined;
}

function answerTokensOf({ model, modelSettings }: ModelRequestShape): number | undefined {
  return numberIn(modelSettings) ?? numberIn(model);
}

async function fit<Request extends ModelRequestShape>(
  { manager, codec, plainTools }: RequestFitter,
  request: Request,
): Promise<FittedRequest<Request>> {
  const history = codec.read(request.messages);
  const { systemPrompt, tools = [], runtime } = request;
  const answerTokens = answerTokensOf(request);
  const told = history.system.map(({ content }) => content);
  const prepared = await prepareShared(manager, history.told.messages, {
    system: [...(systemPrompt === undefined ? [] : [systemPrompt]), ...told],
    tools: plainTools(tools),
    ...(answerTokens === undefined ? {} : { answerTokens }),
    ...(runtime.signal === undefined ? {} : { signal: runtime.signal }),
  });
  const messages = codec.write(prepared.messages, history);
  return { request: { ...request, messages }, messages, receipt: prepared.receipt };
}

/** What the host or a middleware of its wrapped. */
function innermost(error: unknown): unknown {
  let inner = error;
  for (let depth = 0; depth < 10; depth += 1) {
    if (!(inner instanceof Error) || !('~brand' in inner) || inner.cause === undefined) break;
    inner = inner.cause;
  }
  return inner;
}

/**
 * Calls a model with a request that fits, and again with less as often as the provider says that it was too long.
 * @throws what the call throws in all other cases.
 */
export async function callFitting<Request extends ModelRequestShape, Answer>(
  fitter: RequestFitter,
  request: Request,
  call: (request: Request) => Answer | PromiseLike<Answer>,
): Promise<{ readonly answer: Answer; readonly fitted: FittedRequest<Request> }> {
  for (let refusals = 0; ; refusals += 1) {
    const fitted = await fit(fitter, request);
    try {
      return { answer: await call(fitted.request), fitted };
    } catch (error) {
      const isTooLong = (await fitter.manager.overflowed(innermost(error))) !== undefined;
      if (!isTooLong || refusals >= maxRefusals) throw error;
    }
  }
}
