import type { ContextManager } from '../context-manager/context-manager.ts';

/** A tool as the AI SDK takes it. */
export interface ContextTool<Schema> {
  readonly description: string;
  readonly inputSchema: Schema;
  readonly execute: (input: unknown) => Promise<string>;
}

/**
 * The tools of a manager for the AI SDK, by name: previews name them, so offer them where results leave previews.
 * `jsonSchema` is that of `ai`. Contract: put them beside `wrapTools`, not through it: `{ ...wrapTools(manager, tools), ...contextTools(…) }`.
 */
export function contextTools<Schema>(
  manager: ContextManager,
  jsonSchema: (schema: object) => Schema,
): Record<string, ContextTool<Schema>> {
  const tools = manager.tools().map(({ name, description, inputSchema, execute }) => {
    const run = (input: unknown): Promise<string> => execute(input);
    return [name, { description, inputSchema: jsonSchema(inputSchema), execute: run }] as const;
  });
  return Object.fromEntries(tools);
}
