import type { ContextManager } from '../context-manager/context-manager.ts';
import type { Media } from '../read-back/media.ts';
import { toolParts } from '../read-back/tool-parts.ts';

type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

interface ImagePart {
  readonly type: 'image';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: ImageType; readonly data: string }
    | FileSource;
}

interface DocumentPart {
  readonly type: 'document';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string }
    | FileSource;
}

type FileSource =
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly file_id: string };

/** A block of a tool's result. */
type ResultPart = TextPart | ImagePart | DocumentPart;

/** How the SDK describes a tool that it runs. */
export interface ToolFieldsShape {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' };
  readonly run: (input: unknown) => Promise<string | ResultPart[]>;
}

function isImageType(mediaType: string): mediaType is ImageType {
  return /^image\/(?:jpeg|png|gif|webp)$/.test(mediaType);
}

function fileSource({ url, fileId }: Media): FileSource | undefined {
  if (url !== undefined) return { type: 'url', url };
  return fileId === undefined ? undefined : { type: 'file', file_id: fileId };
}

/** The API takes four types of images, and PDF. */
function mediaPart(media: Media): ResultPart | undefined {
  const { mediaType, data } = media;
  const elsewhere = fileSource(media);
  if (mediaType === 'application/pdf') {
    if (elsewhere !== undefined) return { type: 'document', source: elsewhere };
    return data === undefined
      ? undefined
      : { type: 'document', source: { type: 'base64', media_type: mediaType, data } };
  }
  if (!mediaType.startsWith('image')) return undefined;
  if (elsewhere !== undefined) return { type: 'image', source: elsewhere };
  return data === undefined || !isImageType(mediaType)
    ? undefined
    : { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

const writer = { text: (text: string): ResultPart => ({ type: 'text', text }), media: mediaPart };

/**
 * The tools of a manager for the tool runner: previews name them, so offer them where results leave previews. `betaTool` is that of
 * `@anthropic-ai/sdk/helpers/beta/json-schema`. Put them beside `wrapTools`, not through it.
 */
export function contextTools<Tool>(
  manager: ContextManager,
  betaTool: (fields: ToolFieldsShape) => Tool,
): Tool[] {
  return manager.tools().map((tool) => {
    const { name, description, inputSchema } = tool;
    return betaTool({
      ...{ name, description, inputSchema: { ...inputSchema, type: 'object' } },
      run: (input) => toolParts(tool, input, writer),
    });
  });
}
