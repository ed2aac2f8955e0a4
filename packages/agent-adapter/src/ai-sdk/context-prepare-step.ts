import { CtxError } from '@ctx/core';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { contextMiddleware } from './context-middleware.ts';
import type { CallOptionsShape, GenerateShape, SdkMessage, StreamShape } from './host-types.ts';
import { mendSdkMessages } from './sdk-messages.ts';

/** What a step is given, by versions 6 and 7 alike. */
export interface StepShape<Model, Sdk extends SdkMessage> {
  readonly model: Model;
  readonly messages: readonly Sdk[];
  readonly stepNumber: number;
}

type Options = CallOptionsShape<readonly SdkMessage[]>;

/** A model as both versions hand it to a step. */
interface ModelShape {
  doGenerate(options: Options): PromiseLike<GenerateShape>;
  doStream(options: Options): PromiseLike<StreamShape<unknown>>;
}

function isModel(model: unknown): model is ModelShape & object {
  return (
    typeof model === 'object' && model !== null && 'doGenerate' in model && 'doStream' in model
  );
}

/** Wraps a model as `wrapLanguageModel` of the SDK does; everything but its calls stays the model's. */
function wrapped<Model extends ModelShape & object>(manager: ContextManager, model: Model): Model {
  const middleware = contextMiddleware(manager);
  const doGenerate = async (given: Options): Promise<GenerateShape> => {
    const params = await middleware.transformParams({ params: given });
    return middleware.wrapGenerate({ params, model, doGenerate: () => model.doGenerate(params) });
  };
  const doStream = async (given: Options): Promise<StreamShape<unknown>> => {
    const params = await middleware.transformParams({ params: given });
    return middleware.wrapStream({ params, model, doStream: () => model.doStream(params) });
  };
  const own: ReadonlyMap<string | symbol, unknown> = new Map<string | symbol, unknown>([
    ['doGenerate', doGenerate],
    ['doStream', doStream],
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

/**
 * Makes each step of `generateText` or `streamText` fit: `prepareStep: contextPrepareStep(manager)`. It hands the step a model that
 * `contextMiddleware` stands before, so instructions, tools and the room for the answer count, usage is learned from, and a request
 * that is refused as too long is made again with less. Use this or `contextMiddleware`, not both.
 * Contract: of the messages that the SDK keeps only calls without a result are answered, which it would refuse itself; the requests are the same under versions 6 and 7.
 */
export function contextPrepareStep(
  manager: ContextManager,
): <Model, Sdk extends SdkMessage>(
  step: StepShape<Model, Sdk>,
) => Promise<{ model: Model; messages?: Sdk[] }> {
  const known = new WeakMap<object, object>();
  /** Whether a history with open calls came: version 6 brings it again with each step. */
  let hasOpenCalls = false;
  return async ({ model, messages, stepNumber }) => {
    if (!isModel(model)) {
      throw new CtxError(
        'CTX_INVALID_INPUT',
        `prepareStep needs a model with doGenerate and doStream, and was given ${typeof model}: pass the model itself, not its name`,
      );
    }
    const before = known.get(model) as typeof model | undefined;
    const made = before ?? wrapped(manager, model);
    known.set(model, made);
    // The SDK answers the calls of a run by itself: only what a run begins with may hold open ones.
    const mended = stepNumber === 0 || hasOpenCalls ? mendSdkMessages(messages) : undefined;
    hasOpenCalls ||= mended !== undefined;
    return mended === undefined ? { model: made } : { model: made, messages: mended };
  };
}
