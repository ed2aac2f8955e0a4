import type { ContextManager } from '../context-manager/context-manager.ts';
import type { Media } from '../read-back/media.ts';
import { toolParts } from '../read-back/tool-parts.ts';

/** A part of a tool's output, as both majors take it. */
type OutputPart =
  | { type: 'text'; text: string }
  | { type: 'image-data' | 'file-data'; data: string; mediaType: string }
  | { type: 'image-url'; url: string };

/** What a tool found: a text, or parts where it holds pictures or documents. */
type ToolAnswer = string | OutputPart[];

type ModelOutput = { type: 'text'; value: string } | { type: 'content'; value: OutputPart[] };

/** A tool as the AI SDK takes it. */
export interface ContextTool<Schema> {
  readonly description: string;
  readonly inputSchema: Schema;
  readonly execute: (input: unknown) => Promise<ToolAnswer>;
  readonly toModelOutput: (call: { output: ToolAnswer }) => ModelOutput;
}

function mediaPart({ mediaType, data, url }: Media): OutputPart | undefined {
  const isImage = mediaType.startsWith('image');
  if (data !== undefined) return { type: isImage ? 'image-data' : 'file-data', data, mediaType };
  return url !== undefined && isImage ? { type: 'image-url', url } : undefined;
}

const writer = { text: (text: string): OutputPart => ({ type: 'text', text }), media: mediaPart };

function modelOutput({ output }: { output: ToolAnswer }): ModelOutput {
  return typeof output === 'string'
    ? { type: 'text', value: output }
    : { type: 'content', value: output };
}

/**
 * The tools of a manager for the AI SDK, by name: previews name them, so offer them where results leave previews.
 * `jsonSchema` is that of `ai`. Put them beside `wrapTools`, not through it: `{ ...wrapTools(manager, tools), ...contextTools(…) }`.
 */
export function contextTools<Schema>(
  manager: ContextManager,
  jsonSchema: (schema: object) => Schema,
): Record<string, ContextTool<Schema>> {
  const tools = manager.tools().map((tool) => {
    const { name, description, inputSchema } = tool;
    const execute = (input: unknown): Promise<ToolAnswer> => toolParts(tool, input, writer);
    const fields = { description, inputSchema: jsonSchema(inputSchema), execute };
    return [name, { ...fields, toModelOutput: modelOutput }] as const;
  });
  return Object.fromEntries(tools);
}
