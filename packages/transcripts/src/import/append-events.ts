import type { ContentBlock, Message } from '@ctx/core';
import { decodeValue, encodeValue } from '@ctx/core/encoding';
import type { ContextStore, EventInput, OutputInput } from '@ctx/store';
import { type StoredResult, withoutResults } from '../stored/stored-event.ts';
import type { TranscriptEvent } from '../transcript.ts';
import { startResultReader } from './reading/read-results.ts';

/** Events that are added to the log of a session. */
export interface EventsToAppend {
  readonly sessionId: string;
  readonly events: readonly TranscriptEvent[];
  /** Results up to this size stay in their event, characters. */
  readonly inlineCharacters: number;
  /** The entry after them, in the same write. */
  readonly last: EventInput;
  /** Length of the log when it was read: entries that were added since make this a conflict. */
  readonly first: number;
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

/**
 * Adds events of a transcript to the log of a session in one write; `storedEventOf` and `restoreEvent` read them back. Large results go
 * to the outputs.
 * @throws `CTX_STORE_CONFLICT` if another process has added to the log meanwhile.
 */
export async function appendEvents(
  store: ContextStore,
  { sessionId, events, inlineCharacters, last, first }: EventsToAppend,
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
  await store.events.append(sessionId, [...entries, last], { first });
}
