import type { ContextManager } from '../context-manager/context-manager.ts';
import { modelNameOf } from '../with-context/model-name.ts';
import {
  type ContextOptions,
  type OpenContext,
  openContext,
} from '../with-context/open-context.ts';
import { contextTools } from './context-tools.ts';
import type { SdkTool } from './host-types.ts';
import { wrapModel } from './wrap-model.ts';
import { wrapTools } from './wrap-tools.ts';

type AnyTools = Readonly<Record<string, SdkTool>>;

/** A model and its tools, and their session. */
export interface WithContext<Model, Tools> extends OpenContext {
  /** Takes the place of the given model. */
  readonly model: Model;
  /** The given tools, with those by which the model reads back what left. */
  readonly tools: Tools;
}

/** What marks a JSON schema for the AI SDK 6 and 7, as their `jsonSchema` does. */
const schemaMark = Symbol.for('vercel.ai.schema');

function jsonSchema(schema: object): object {
  return { [schemaMark]: true, _type: undefined, validate: undefined, jsonSchema: schema };
}

function withReadBack<Tools extends AnyTools>(manager: ContextManager, tools: Tools): Tools {
  return { ...contextTools(manager, jsonSchema), ...wrapTools(manager, tools) };
}

/**
 * Puts ctx between the AI SDK (6 or 7) and a model: `const { model, tools } = await withContext({ model, tools, session })`. Hand both to
 * `generateText` or `streamText` with the whole conversation each time: every request fits, large results are stored and shown as a
 * preview, the model reads back what it needs, usage is learned from, and a request that is refused as too long is made again with less.
 * What is given stays as it is. `await using` or `end()` ends the session and closes a store that was opened here.
 * @throws `CTX_INVALID_INPUT` for the name of a model; errors of the store that cannot be opened.
 */
export async function withContext<Model, Tools extends AnyTools = Readonly<Record<string, never>>>({
  model,
  tools,
  ...options
}: ContextOptions & { readonly model: Model; readonly tools?: Tools }): Promise<
  WithContext<Model, Tools>
> {
  const context = await openContext(options, modelNameOf(model));
  try {
    const { manager } = context;
    // No tools are tools without names.
    const given = tools ?? ({} as Tools);
    const wrapped = wrapModel(manager, 'withContext')(model);
    return { ...context, model: wrapped, tools: withReadBack(manager, given) };
  } catch (error) {
    await context.end();
    throw error;
  }
}
