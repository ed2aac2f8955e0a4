import type { ContextManager } from '../context-manager/context-manager.ts';

/** How the SDK describes a tool that it runs. */
export interface ToolFieldsShape {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' };
  readonly run: (input: unknown) => Promise<string>;
}

/**
 * The tools of a manager for the tool runner: previews name them, so offer them where results leave previews. `betaTool` is that of
 * `@anthropic-ai/sdk/helpers/beta/json-schema`. Contract: put them beside `wrapTools`, not through it.
 */
export function contextTools<Tool>(
  manager: ContextManager,
  betaTool: (fields: ToolFieldsShape) => Tool,
): Tool[] {
  return manager.tools().map(({ name, description, inputSchema, execute }) =>
    betaTool({
      ...{ name, description, inputSchema: { ...inputSchema, type: 'object' } },
      run: (input) => execute(input),
    }),
  );
}
