import { readProperty, readText } from '../messages/json-text.ts';
import { type ImageTokenOptions, imageTokens } from './image-tokens.ts';
import { pdfTokens } from './pdf-tokens.ts';

/** A picture or document found in a block of any provider's shape. */
interface Media {
  /** Such as `image/png`; empty where the block does not say. */
  readonly mediaType: string;
  /** Base64 or a data URL; undefined where it lies behind a URL or a file id. */
  readonly base64?: string;
  readonly detail?: ImageTokenOptions['detail'];
}

/**
 * Tokens of an image or PDF block in the shape of Anthropic, OpenAI (chat and responses), Gemini, MCP or the AI SDK;
 * `undefined` for any other block. A URL is never fetched: such an image counts as 1,024 × 1,024 px.
 */
export function countMedia(block: unknown, options: ImageTokenOptions): number | undefined {
  const media = readAnthropic(block) ?? readOpenAi(block) ?? readGemini(block) ?? readPlain(block);
  if (media === undefined) return undefined;
  if (media.mediaType === 'application/pdf') return pdfTokens(media.base64 ?? 1, options);
  if (!media.mediaType.startsWith('image')) return undefined;
  return imageTokens(
    media.base64,
    media.detail === undefined ? options : { ...options, detail: media.detail },
  );
}

/** `{type: 'image' | 'document', source: {type: 'base64' | 'url' | 'file', media_type?, data?}}` */
function readAnthropic(block: unknown): Media | undefined {
  const source = readProperty(block, 'source');
  const type = readText(block, 'type');
  if (typeof source !== 'object' || (type !== 'image' && type !== 'document')) return undefined;
  const assumed = type === 'image' ? 'image' : 'application/pdf';
  return mediaOf(readText(source, 'media_type') ?? assumed, readText(source, 'data'));
}

/** `{image_url: {url, detail?}}`, `{type: 'input_image', image_url}`, `{file: {file_data}}`, `{file_data}` */
function readOpenAi(block: unknown): Media | undefined {
  const image = readProperty(block, 'image_url');
  const url = typeof image === 'string' ? image : readText(image, 'url');
  if (url !== undefined) {
    const detail = readText(image, 'detail') ?? readText(block, 'detail');
    return { ...mediaOf('image', dataUrl(url)), detail: detail === 'low' ? 'low' : 'high' };
  }
  const file = readText(readProperty(block, 'file'), 'file_data') ?? readText(block, 'file_data');
  return file === undefined ? undefined : mediaOf(mediaTypeOf(file), file);
}

/** `{inlineData: {mimeType, data}}` or `{inline_data: {mime_type, data}}` */
function readGemini(block: unknown): Media | undefined {
  const inline = readProperty(block, 'inlineData') ?? readProperty(block, 'inline_data');
  const mediaType = readText(inline, 'mimeType') ?? readText(inline, 'mime_type');
  return mediaType === undefined ? undefined : mediaOf(mediaType, readText(inline, 'data'));
}

/** MCP `{type: 'image', data, mimeType}`, AI SDK `{type: 'image' | 'file', image | data, mediaType}` */
function readPlain(block: unknown): Media | undefined {
  const type = readText(block, 'type');
  if (type !== 'image' && type !== 'file') return undefined;
  const said = readText(block, 'mimeType') ?? readText(block, 'mediaType');
  const content = readText(block, 'data') ?? readText(block, 'image');
  if (said === undefined && content === undefined) return undefined;
  return mediaOf(said ?? 'image', content === undefined || isWebUrl(content) ? undefined : content);
}

const mediaOf = (mediaType: string, base64: string | undefined): Media =>
  base64 === undefined ? { mediaType } : { mediaType, base64 };
const isWebUrl = (text: string): boolean => /^https?:/i.test(text.slice(0, 6));
const dataUrl = (url: string): string | undefined => (url.startsWith('data:') ? url : undefined);

function mediaTypeOf(url: string): string {
  return url.startsWith('data:') ? url.slice(5, 100).split(';', 1).join('') : 'application/pdf';
}
