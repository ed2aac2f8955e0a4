import { modelNameOf } from '../with-context/model-name.ts';
import {
  type ContextOptions,
  type OpenContext,
  openContext,
} from '../with-context/open-context.ts';
import {
  type ContextMiddleware,
  type ContextMiddlewareOptions,
  contextMiddleware,
} from './context-middleware.ts';
import { contextTools, type MakeTool } from './context-tools.ts';

/** What an agent of LangChain is made of, and what of LangChain is handed in. */
export interface AgentOptions<Model, Own, Tool> extends ContextOptions, ContextMiddlewareOptions {
  readonly model: Model;
  readonly tools?: readonly Own[];
  /** `tool` of `langchain`. */
  readonly tool: MakeTool<Tool>;
}

/** What an agent of LangChain is made with, and its session. */
export interface AgentContext<Model, Tool> extends OpenContext {
  /** The given model. */
  readonly model: Model;
  /** The given tools, with those by which the model reads back what left. */
  readonly tools: Tool[];
  readonly middleware: ContextMiddleware[];
}

/**
 * Puts ctx into an agent of LangChain: `createAgent(await withContext({ model, tools, session, tool, fromStored }))`, where `tool` and
 * `fromStored`, which is `mapStoredMessagesToChatMessages`, are LangChain's own. It does what {@link contextMiddleware} and
 * {@link contextTools} do together. `end()` ends the session and closes a store that was opened here.
 */
export async function withContext<Model, Tool, Own = Tool>({
  model,
  tools = [],
  tool,
  fromStored,
  RemoveMessage,
  ...options
}: AgentOptions<Model, Own, Tool>): Promise<AgentContext<Model, Own | Tool>> {
  const context = await openContext(options, modelNameOf(model));
  const { manager } = context;
  const own = RemoveMessage === undefined ? { fromStored } : { fromStored, RemoveMessage };
  return {
    ...context,
    model,
    tools: [...tools, ...contextTools(manager, tool)],
    middleware: [contextMiddleware(manager, own)],
  };
}
