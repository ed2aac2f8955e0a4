import type { ContentBlock, Message, ResultBlock, TextBlock } from '@ctx/core';
import { isFields, type Media, mediaOf } from './media.ts';

/** A file, and the line that stands for it in a text. */
export interface MarkedMedia extends Media {
  readonly mark: string;
}

/** A message with its place in the log. */
interface PlacedMessage {
  readonly index: number;
  readonly message: Message;
}

/** Puts lines in the place of pictures and documents, and keeps what they stand for. */
export interface MediaMarks {
  /** Marks the blocks of a result, of whatever host. What holds none is returned itself. */
  result(value: unknown): unknown;
  messages(messages: readonly PlacedMessage[]): readonly PlacedMessage[];
  /** The files whose lines stand in a text. */
  shownIn(text: string): readonly MarkedMedia[];
}

function kindOf(mediaType: string): string {
  if (mediaType.startsWith('image')) return 'image';
  return mediaType === 'application/pdf' ? 'document' : 'file';
}

function placeOf({ data, url, fileId }: Media): string {
  if (data !== undefined) return `${String(Math.floor((data.length * 3) / 4))} bytes`;
  return url === undefined ? `file ${fileId ?? ''}` : `at ${url}`;
}

/** Where hosts keep the blocks of a result. */
const holders = ['content', 'value', 'output'] as const;

/** Makes the marks of one answer; they are numbered. */
export function mediaMarks(): MediaMarks {
  const found: MarkedMedia[] = [];
  const marked = (block: unknown): TextBlock | undefined => {
    const media = mediaOf(block);
    if (media === undefined) return undefined;
    const { mediaType } = media;
    const number = String(found.length + 1);
    const mark = `[${kindOf(mediaType)} ${number}: ${mediaType}, ${placeOf(media)}]`;
    found.push({ ...media, mark });
    return { type: 'text', text: mark };
  };
  const ofBlock = (block: unknown): unknown => {
    const own = isFields(block) && block['type'] === 'opaque' ? block['data'] : block;
    return marked(own) ?? block;
  };
  const ofList = (list: readonly unknown[]): readonly unknown[] => {
    const blocks = list.map(ofBlock);
    return blocks.some((block, place) => block !== list[place]) ? blocks : list;
  };
  const ofContent = (block: ContentBlock): ContentBlock => {
    if (block.type === 'opaque') return marked(block.data) ?? block;
    if (block.type !== 'tool_result') return block;
    const content = block.content.map(
      (part): ResultBlock => (part.type === 'opaque' ? (marked(part.data) ?? part) : part),
    );
    return { ...block, content };
  };
  return {
    result: (value) => {
      if (Array.isArray(value)) return ofList(value);
      const own = ofBlock(value);
      if (own !== value || !isFields(value)) return own;
      const holder = holders.find((name) => Array.isArray(value[name]));
      const list = holder === undefined ? undefined : value[holder];
      if (holder === undefined || !Array.isArray(list)) return value;
      const blocks = ofList(list);
      return blocks === list ? value : { ...value, [holder]: blocks };
    },
    messages: (messages) =>
      messages.map(({ index, message }) => ({
        index,
        message: { ...message, content: message.content.map(ofContent) },
      })),
    shownIn: (text) => found.filter(({ mark }) => text.includes(mark)),
  };
}
