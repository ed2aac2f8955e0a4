import type { ContextManager } from '../context-manager/context-manager.ts';

/** How LangChain describes a tool. */
export interface ToolFieldsShape {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
}

/** `tool` of `langchain` or `@langchain/core/tools`. */
export type MakeTool<Tool> = (
  run: (input: unknown) => Promise<string>,
  fields: ToolFieldsShape,
) => Tool;

/** Offers the tools of a manager to an agent: `createAgent({ tools: [...yours, ...contextTools(manager, tool)] })`. */
export function contextTools<Tool>(manager: ContextManager, tool: MakeTool<Tool>): Tool[] {
  return manager
    .tools()
    .map(({ name, description, inputSchema, execute }) =>
      tool((input) => execute(input), { name, description, schema: inputSchema }),
    );
}
