import type { ContextManager } from '../context-manager/context-manager.ts';
import type { Media } from '../read-back/media.ts';
import { toolParts } from '../read-back/tool-parts.ts';

/** A part of a tool's output, which the SDK sends as `input_text`, `input_image` or `input_file`. */
type OutputPart =
  | { type: 'text'; text: string }
  | { type: 'image'; image: string | { fileId: string } }
  | { type: 'file'; file: FilePart };

type FilePart =
  | { data: string; mediaType: string; filename: string }
  | { url: string }
  | { id: string };

function imagePart({ mediaType, data, url, fileId }: Media): OutputPart | undefined {
  const address = data === undefined ? url : `data:${mediaType};base64,${data}`;
  if (address !== undefined) return { type: 'image', image: address };
  return fileId === undefined ? undefined : { type: 'image', image: { fileId } };
}

function filePart({ mediaType, data, url, fileId }: Media): FilePart | undefined {
  if (data !== undefined) return { data, mediaType, filename: 'document.pdf' };
  if (url !== undefined) return { url };
  return fileId === undefined ? undefined : { id: fileId };
}

/** The API takes images and PDF. */
function mediaPart(media: Media): OutputPart | undefined {
  if (media.mediaType.startsWith('image')) return imagePart(media);
  const file = media.mediaType === 'application/pdf' ? filePart(media) : undefined;
  return file === undefined ? undefined : { type: 'file', file };
}

const writer = { text: (text: string): OutputPart => ({ type: 'text', text }), media: mediaPart };

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
  readonly execute: (input: unknown) => Promise<string | OutputPart[]>;
}

/**
 * The tools of a manager for an agent: previews name them, so offer them where results leave previews. `tool` is that of
 * `@openai/agents`. Put them beside `wrapTools`, not through it.
 */
export function contextTools<Tool>(
  manager: ContextManager,
  tool: (fields: ToolFieldsShape) => Tool,
): Tool[] {
  return manager.tools().map((each) => {
    const { name, description, inputSchema } = each;
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
      execute: (input) => toolParts(each, input, writer),
    });
  });
}
