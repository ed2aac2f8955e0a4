import { CtxError } from '@ctx/core';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { contextMiddleware } from './context-middleware.ts';
import type { CallOptionsShape, GenerateShape, SdkMessage, StreamShape } from './host-types.ts';

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
 * Puts a manager before models, each one once.
 * @throws `CTX_INVALID_INPUT` for the name of a model, which only the SDK can look up; the message begins with `who`.
 */
export function wrapModel(manager: ContextManager, who: string): <Model>(model: Model) => Model {
  const known = new WeakMap<object, object>();
  return (model) => {
    if (!isModel(model)) {
      throw new CtxError(
        'CTX_INVALID_INPUT',
        `${who} needs a model with doGenerate and doStream, and was given ${typeof model}: pass the model itself, not its name`,
      );
    }
    const before = known.get(model) as typeof model | undefined;
    const made = before ?? wrapped(manager, model);
    known.set(model, made);
    return made;
  };
}
