import type { ContentBlock, Message } from '@ctx/core';
import { decodeValue, encodeValue } from '@ctx/core/encoding';
import type { ContextStore, EventInput, OutputInput } from '@ctx/store';
import {
  openTranscript,
  type StoredResult,
  type TranscriptEvent,
  withoutResults,
} from '@ctx/transcripts';
import { startResultReader } from '@ctx/transcripts/import';
import type { TailPlace } from './read-tail.ts';

/** The type of the event that ends each batch, and says up to where the file is in the log. */
export const placeType = 'transcript-place';

/** Results up to this size stay in their event, characters: the model saw them so. */
const inlineCharacters = 8000;

/** Reads the events of whole lines of a session's file. */
export async function eventsOfLines(bytes: Uint8Array): Promise<readonly TranscriptEvent[]> {
  const { events } = await openTranscript(bytes, { format: 'claude-code' });
  const read: TranscriptEvent[] = [];
  for await (const event of events) read.push(event);
  return read;
}

function redacted(event: TranscriptEvent, { redactor }: ContextStore): TranscriptEvent {
  const { message, extra } = event;
  const content = {
    ...(message === undefined ? {} : { message }),
    ...(extra === undefined ? {} : { extra }),
  };
  const { value, receipt } = redactor.redact(encodeValue(content));
  if (receipt.mode !== 'on' || receipt.total === 0) return event;
  // The redactor keeps the shape: only text is different.
  return { ...event, ...(decodeValue(value) as typeof content) };
}

function charactersOf(block: ContentBlock): number {
  if (block.type !== 'tool_result') return 0;
  const sizes = block.content.map((part) => (part.type === 'text' ? part.text.length : 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** An event whose large results wait to be stored. */
interface TailEvent {
  readonly event: TranscriptEvent;
  readonly large: readonly {
    readonly input: OutputInput;
    readonly at: Omit<StoredResult, 'output'>;
  }[];
}

function tokensOf(message: Message | undefined, { countTokens }: ContextStore): number {
  const text = message?.content.map((block) => (block.type === 'text' ? block.text : '')) ?? [];
  return text.reduce((sum, each) => sum + (each === '' ? 0 : countTokens(each)), 0);
}

/** What is added to the log for a part of the file. */
export interface TailWrite {
  readonly sessionId: string;
  readonly events: readonly TranscriptEvent[];
  readonly place: TailPlace;
  /** Length of the log when the place before was read: what was added since makes this a conflict. */
  readonly first: number;
}

/**
 * Adds a part of a session's file to its log, with the place behind it, in one write. Large results go to the outputs.
 * Throws: `CTX_STORE_CONFLICT` where another process has added it meanwhile.
 */
export async function writeTail(
  store: ContextStore,
  { sessionId, events, place, first }: TailWrite,
): Promise<void> {
  const reader = startResultReader(sessionId);
  const tail = events.map((raw): TailEvent => {
    const event = redacted(raw, store);
    const results = reader.read(event);
    const large = results.flatMap(({ block, form, input }) => {
      const content = event.message?.content[block];
      const isLarge = content !== undefined && charactersOf(content) > inlineCharacters;
      return isLarge ? [{ input, at: { block, form } }] : [];
    });
    return { event, large };
  });
  const inputs = tail.flatMap(({ large }) => large.map(({ input }) => input));
  const receipts = inputs.length === 0 ? [] : await store.outputs.saveAll(inputs);
  const ids = receipts.map(({ pointer }) => pointer.id);
  const entries = tail.map(({ event, large }): EventInput => {
    const results = large.map(({ at }) => ({ ...at, output: ids.shift() ?? '' }));
    const { message, at, kind } = event;
    const light =
      message === undefined ? event : { ...event, message: withoutResults(message, results) };
    const when = at === undefined ? {} : { at };
    return {
      type: kind,
      tokens: tokensOf(message, store),
      payload: { event: light, results },
      ...when,
    };
  });
  await store.events.append(sessionId, [...entries, { type: placeType, payload: place }], {
    first,
  });
}
