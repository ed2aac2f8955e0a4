import type { ContextManager } from '../context-manager/context-manager.ts';

/** How Mastra describes a tool. */
export interface ToolFieldsShape {
  readonly id: string;
  readonly description: string;
  /** A JSON schema. */
  readonly inputSchema: Record<string, unknown>;
  readonly execute: (input: unknown) => Promise<string>;
}

/**
 * Returns the tools of a manager for an agent, by name: previews name them, so offer them to every agent whose results leave previews.
 * `createTool` is that of `@mastra/core/tools`.
 *
 * @example
 * new Agent({ ...agent, tools: { ...yours, ...contextTools(manager, createTool) } });
 */
export function contextTools<Tool>(
  manager: ContextManager,
  createTool: (fields: ToolFieldsShape) => Tool,
): Record<string, Tool> {
  const tools = manager.tools().map(({ name, description, inputSchema, execute }) => {
    const fields = { id: name, description, inputSchema: { ...inputSchema } };
    return [name, createTool({ ...fields, execute: (input) => execute(input) })] as const;
  });
  return Object.fromEntries(tools);
}
