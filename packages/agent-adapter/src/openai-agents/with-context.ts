import { modelNameOf } from '../with-context/model-name.ts';
import {
  type ContextOptions,
  type OpenContext,
  openContext,
} from '../with-context/open-context.ts';
import { contextModel, type ModelShape } from './context-model.ts';
import { contextTools, type ToolFieldsShape } from './context-tools.ts';
import { wrapTools } from './wrap-tools.ts';

/** What an agent is made of, and what of the SDK is handed in. */
export interface AgentOptions<Model, Own, Tool> extends ContextOptions {
  /** An object of the SDK, such as `new OpenAIResponsesModel(client, 'gpt-5.2')`: a name alone cannot be wrapped. */
  readonly model: Model;
  readonly tools?: readonly Own[];
  /** `tool` of `@openai/agents`. */
  readonly tool: (fields: ToolFieldsShape) => Tool;
}

/** What an agent is made with, and its session. */
export interface AgentContext<Model, Tool> extends OpenContext {
  /** Takes the place of the given model. */
  readonly model: Model;
  /** The given tools, with those by which the model reads back what left. */
  readonly tools: Tool[];
}

/**
 * Puts ctx between an agent of OpenAI's Agents SDK and its model: `new Agent({ name, instructions, ...(await withContext({ model, tools,
 * session, tool })) })`. It does what {@link contextModel}, {@link wrapTools} and {@link contextTools} do together. Hand the whole
 * conversation to each run, or let a session of the SDK do so. `end()` ends the work and closes a store that was opened here.
 */
export async function withContext<Model extends ModelShape, Tool, Own extends object>({
  model,
  tools = [],
  tool,
  ...options
}: AgentOptions<Model, Own, Tool>): Promise<AgentContext<Model, Own | Tool>> {
  const context = await openContext(options, modelNameOf(model));
  const { manager } = context;
  return {
    ...context,
    model: contextModel(manager, model),
    tools: [...wrapTools(manager, tools), ...contextTools(manager, tool)],
  };
}
