import type { ContextManager } from '../context-manager/context-manager.ts';

/** A JSON Schema of an object, as the SDK takes one where the model is not held to it. */
export interface ParametersShape {
  readonly type: 'object';
  readonly properties: Record<string, never>;
  readonly required: string[];
  readonly additionalProperties: true;
}

/** How the SDK describes a function tool. */
export interface ToolFieldsShape {
  readonly name: string;
  readonly description: string;
  readonly strict: false;
  readonly parameters: ParametersShape;
  readonly execute: (input: unknown) => Promise<string>;
}

/**
 * The tools of a manager for an agent: previews name them, so offer them where results leave previews. `tool` is that of
 * `@openai/agents`. Contract: put them beside `wrapTools`, not through it.
 */
export function contextTools<Tool>(
  manager: ContextManager,
  tool: (fields: ToolFieldsShape) => Tool,
): Tool[] {
  return manager.tools().map(({ name, description, inputSchema, execute }) => {
    // What the schema says in full; the members that the SDK's type wants stand in every schema of an object.
    const own = {
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: true,
    } as const;
    return tool({
      ...{ name, description, strict: false },
      parameters: { ...own, required: [], ...inputSchema },
      execute: (input) => execute(input),
    });
  });
}
