/** A picture, a document or another file that stands in a message, in no provider's shape. One of the last three is there. */
export interface Media {
  /** Such as `image/png`; `image` if the block says no more. */
  readonly mediaType: string;
  /** Base64. */
  readonly data?: string;
  readonly url?: string;
  /** Names a file that the provider keeps. */
  readonly fileId?: string;
}

type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textIn(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** How files begin, in base64. */
const beginnings: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi0', 'application/pdf'],
];

function typeOfData(data: string): string | undefined {
  return beginnings.find(([beginning]) => data.startsWith(beginning))?.[1];
}

function ofDataUrl(url: string): Media | undefined {
  const comma = url.indexOf(',');
  const head = url.slice('data:'.length, comma);
  if (comma === -1 || !head.endsWith(';base64')) return undefined;
  const [mediaType = ''] = head.split(';', 1);
  return { mediaType, data: url.slice(comma + 1) };
}

function ofBase64(text: string, said: string | undefined): Media | undefined {
  const isExact = said?.includes('/') === true && !said.endsWith('/*');
  const mediaType = isExact ? said : typeOfData(text);
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);
  return mediaType === undefined || !isBase64 ? undefined : { mediaType, data: text };
}

/** Reads bytes, base64, a data URL or an address. `said` is the type that stands beside it. */
function ofContent(content: unknown, said: string | undefined): Media | undefined {
  if (content instanceof Uint8Array) return ofBase64(Buffer.from(content).toString('base64'), said);
  const text = content instanceof URL ? content.href : content;
  if (typeof text !== 'string') return undefined;
  if (text.startsWith('data:')) return ofDataUrl(text);
  if (!/^https?:\/\//.test(text)) return ofBase64(text, said);
  return said === undefined ? undefined : { mediaType: said, url: text };
}

function ofFileId(fileId: string | undefined, mediaType: string): Media | undefined {
  return fileId === undefined ? undefined : { mediaType, fileId };
}

/** Anthropic: `{ type: 'image' | 'document', source }`. */
function ofSource({ type, source }: Fields): Media | undefined {
  if (!isFields(source) || (type !== 'image' && type !== 'document')) return undefined;
  const usual = type === 'image' ? 'image' : 'application/pdf';
  if (source['type'] === 'url') return ofContent(source['url'], usual);
  if (source['type'] === 'file') return ofFileId(textIn(source, 'file_id'), usual);
  return source['type'] === 'base64'
    ? ofContent(source['data'], textIn(source, 'media_type'))
    : undefined;
}

/** OpenAI: `{ type: 'input_image' | 'image_url', image_url }`. */
function ofImageUrl(block: Fields): Media | undefined {
  const { type, image_url: image } = block;
  if (type !== 'input_image' && type !== 'image_url') return undefined;
  const url = isFields(image) ? image['url'] : image;
  return ofContent(url, 'image') ?? ofFileId(textIn(block, 'file_id'), 'image');
}

/** Where OpenAI and its Agents SDK keep a file: `input_file` itself, the member `file`, or the member `image`. */
function fileIn(block: Fields): unknown {
  switch (block['type']) {
    case 'input_file':
      return block;
    case 'file':
      return block['file'];
    case 'image':
      return block['image'];
    default:
      return undefined;
  }
}

function ofFile(block: Fields): Media | undefined {
  const file = fileIn(block);
  if (!isFields(file)) return undefined;
  const usual = block['type'] === 'image' ? 'image' : 'application/pdf';
  return (
    ofContent(file['file_data'] ?? file['data'], textIn(file, 'mediaType')) ??
    ofContent(file['file_url'] ?? file['url'], usual) ??
    ofFileId(textIn(file, 'file_id', 'fileId', 'id'), usual)
  );
}

/** Gemini: `{ inlineData }`; MCP: `{ type: 'resource', resource }`. */
function ofInline(block: Fields): Media | undefined {
  const { resource } = block;
  const inline = block['inlineData'] ?? block['inline_data'];
  if (isFields(inline)) return ofContent(inline['data'], textIn(inline, 'mimeType', 'mime_type'));
  if (block['type'] !== 'resource' || !isFields(resource)) return undefined;
  return ofContent(resource['blob'], textIn(resource, 'mimeType'));
}

const plainTypes: ReadonlySet<unknown> = new Set(
  'image file media audio image-data file-data image-url file-url'.split(' '),
);

/** What stands in `data`, or in the tagged data of the AI SDK 7. */
function dataIn({ data }: Fields): unknown {
  if (!isFields(data) || data instanceof Uint8Array || data instanceof URL) return data;
  return data['data'] ?? data['url'];
}

/** MCP, LangChain and the AI SDK: `{ type, data | image | url, mediaType | mimeType | mime_type }`. */
function ofPlain(block: Fields): Media | undefined {
  const { type } = block;
  if (!plainTypes.has(type)) return undefined;
  const usual = type === 'image' || type === 'image-url' ? 'image' : undefined;
  const said = textIn(block, 'mediaType', 'mimeType', 'mime_type') ?? usual;
  return ofContent(dataIn(block) ?? block['image'] ?? block['url'], said);
}

/** Reads a block that is a picture, a document or another file, in the shape of any host; `undefined` for any other. */
export function mediaOf(block: unknown): Media | undefined {
  if (!isFields(block)) return undefined;
  return [ofSource, ofImageUrl, ofFile, ofInline, ofPlain].map((read) => read(block)).find(Boolean);
}
