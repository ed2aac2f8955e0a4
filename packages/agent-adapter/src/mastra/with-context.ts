import { modelNameOf } from '../with-context/model-name.ts';
import {
  type ContextOptions,
  type OpenContext,
  openContext,
} from '../with-context/open-context.ts';
import { type ContextProcessor, contextProcessor, maxRetries } from './context-processor.ts';
import { contextTools, type ToolFieldsShape } from './context-tools.ts';

/** What an agent of Mastra is made of, and what of Mastra is handed in. */
export interface AgentOptions<Model, Tools, Tool> extends ContextOptions {
  readonly model: Model;
  readonly tools?: Tools;
  /** `createTool` of `@mastra/core/tools`. */
  readonly createTool: (fields: ToolFieldsShape) => Tool;
}

/** What an agent of Mastra is made with, and its session. */
export interface AgentContext<Model, Tools> extends OpenContext {
  /** The given model. */
  readonly model: Model;
  /** The given tools, with those by which the model reads back what left. */
  readonly tools: Tools;
  readonly inputProcessors: ContextProcessor[];
  readonly outputProcessors: ContextProcessor[];
  readonly errorProcessors: ContextProcessor[];
  /** How often a request that was too long is made again. */
  readonly maxProcessorRetries: number;
}

/**
 * Puts ctx into an agent of Mastra: `new Agent({ id, name, instructions, ...(await withContext({ model, tools, session, createTool })) })`.
 * It does what {@link contextProcessor} and {@link contextTools} do together. `end()` ends the session and closes a store that was opened
 * here.
 */
export async function withContext<
  Model,
  Tool,
  Tools extends object = Readonly<Record<string, never>>,
>({
  model,
  tools,
  createTool,
  ...options
}: AgentOptions<Model, Tools, Tool>): Promise<AgentContext<Model, Tools & Record<string, Tool>>> {
  const context = await openContext(options, modelNameOf(model));
  const { manager } = context;
  const processors = [contextProcessor(manager)];
  return {
    ...context,
    model,
    // No tools are tools without names.
    tools: { ...(tools ?? ({} as Tools)), ...contextTools(manager, createTool) },
    inputProcessors: processors,
    outputProcessors: processors,
    errorProcessors: processors,
    maxProcessorRetries: maxRetries,
  };
}
