import type { ContentBlock, Message, ResultBlock, TextBlock } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import type { EventDraft } from '../../transcript.ts';
import { isRecord, type JsonRecord, textAt } from '../../values.ts';

/** Where texts stand that are too long for a line. */
export interface BlobStore {
  /** Keeps bytes under their SHA-256 (hex). */
  readonly write: (sha256: string, bytes: Uint8Array) => Promise<void>;
}

/** Finds what a {@link BlobStore} kept. */
export interface BlobSource {
  /** `undefined` where there is none of this name. */
  readonly read: (sha256: string) => Promise<Uint8Array | undefined>;
}

/** Which texts leave a record, and where they go. */
export interface MovingTexts {
  readonly blobCharacters: number;
  /** Gets the bytes of every text that left, by SHA-256 (hex). */
  readonly moved: Map<string, Uint8Array>;
}

/** The record with references in place of long texts. */
export function withoutLongTexts(record: JsonRecord, moving: MovingTexts): JsonRecord {
  const message = record['message'];
  if (!isRecord(message) || !Array.isArray(message['content'])) return record;
  const content = message['content'].map((block: unknown) => withoutLongText(block, moving));
  return { ...record, message: { ...message, content } };
}

function withoutLongText(block: unknown, moving: MovingTexts): unknown {
  if (!isRecord(block)) return block;
  if (Array.isArray(block['content'])) {
    const content = block['content'].map((part: unknown) => withoutLongText(part, moving));
    return { ...block, content };
  }
  const text = block['type'] === 'text' ? textAt(block, 'text') : undefined;
  if (text === undefined || text.length < moving.blobCharacters) return block;
  const bytes = new TextEncoder().encode(text);
  // Bytes cannot hold lone surrogates: such a text stays.
  if (new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) !== text) return block;
  const sha256 = fingerprintText(bytes);
  moving.moved.set(sha256, bytes);
  const { text: _, ...rest } = block;
  return { ...rest, textBlob: sha256, bytes: bytes.length };
}

/** Where texts come back from. */
export interface ReturningTexts {
  readonly blobs: BlobSource | undefined;
  readonly note: (name: string) => void;
}

/** The event with its long texts. A text that is not at hand, or does not fit its name, stays a reference. */
export async function withBlobs(draft: EventDraft, returning: ReturningTexts): Promise<EventDraft> {
  const { message } = draft;
  if (message === undefined || !hasBlob(message)) return draft;
  const content: ContentBlock[] = [];
  for (const block of message.content) {
    content.push(
      block.type === 'tool_result'
        ? {
            ...block,
            content: await Promise.all(block.content.map((part) => withText(part, returning))),
          }
        : block.type === 'text'
          ? await withText(block, returning)
          : block,
    );
  }
  return { ...draft, message: { ...message, content } };
}

function hasBlob({ content }: Message): boolean {
  const parts = content.flatMap((block): readonly ContentBlock[] =>
    block.type === 'tool_result' ? block.content : [block],
  );
  return parts.some((part) => part.type === 'text' && Object.hasOwn(part, 'textBlob'));
}

async function withText(block: ResultBlock, { blobs, note }: ReturningTexts): Promise<ResultBlock> {
  if (block.type !== 'text' || !Object.hasOwn(block, 'textBlob')) return block;
  const reference: TextBlock & { readonly textBlob?: unknown; readonly bytes?: unknown } = block;
  const { textBlob: sha256, bytes: size, ...rest } = reference;
  const bytes = typeof sha256 === 'string' ? await blobs?.read(sha256) : undefined;
  if (bytes !== undefined && fingerprintText(bytes) === sha256) {
    return { ...rest, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
  }
  note(bytes === undefined ? 'blob left out' : 'blob that does not fit its name');
  return { type: 'opaque', format: 'ctx:blob', data: { ...rest, textBlob: sha256, bytes: size } };
}
