import type { ContextManager } from '../context-manager/context-manager.ts';
import type { Media } from '../read-back/media.ts';
import { toolParts } from '../read-back/tool-parts.ts';

/** A part of a tool's output. */
type OutputPart =
  | { type: 'text'; text: string }
  | { type: 'media'; data: string; mediaType: string };

/** What a tool found: a text, or parts where it holds pictures or documents. */
type ToolAnswer = string | OutputPart[];

function mediaPart({ mediaType, data }: Media): OutputPart | undefined {
  return data === undefined ? undefined : { type: 'media', data, mediaType };
}

const writer = { text: (text: string): OutputPart => ({ type: 'text', text }), media: mediaPart };

/** Says to the model what a tool returned, or what Mastra says of an input that is not by the tool's schema, which is an object. */
function modelOutput(output: unknown): unknown {
  if (Array.isArray(output)) return { type: 'content', value: output };
  return { type: typeof output === 'string' ? 'text' : 'json', value: output };
}

/** How Mastra describes a tool. */
export interface ToolFieldsShape {
  readonly id: string;
  readonly description: string;
  /** A JSON schema. */
  readonly inputSchema: Record<string, unknown>;
  readonly execute: (input: unknown) => Promise<ToolAnswer>;
  readonly toModelOutput: (output: unknown) => unknown;
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
  const tools = manager.tools().map((each) => {
    const { name, description, inputSchema } = each;
    const fields = { id: name, description, inputSchema: { ...inputSchema } };
    const execute = (input: unknown): Promise<ToolAnswer> => toolParts(each, input, writer);
    return [name, createTool({ ...fields, execute, toModelOutput: modelOutput })] as const;
  });
  return Object.fromEntries(tools);
}
