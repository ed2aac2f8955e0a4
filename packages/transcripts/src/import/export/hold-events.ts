import { CtxError } from '@ctx/core';
import type { TranscriptEvent } from '../../transcript.ts';

/** Most characters of JSON that a session may have which an export holds in memory: less than 2 GB of it. */
export const maxHeldCharacters: number = 256 * 1024 * 1024;

/** How a session leaves. */
export interface HoldOptions {
  readonly format: string;
  /** Names of the formats that are written event by event. */
  readonly streamed: readonly string[];
  readonly maxCharacters?: number;
}

/**
 * Counts what is held.
 * @throws `CTX_TOO_LARGE`, naming what can be done.
 */
function startHolding({
  format,
  streamed,
  maxCharacters = maxHeldCharacters,
}: HoldOptions): (event: TranscriptEvent) => void {
  let characters = 0;
  return (event) => {
    characters += JSON.stringify(event).length;
    if (characters <= maxCharacters) return;
    const limit = `${String(Math.floor(maxCharacters / 1024 / 1024))} MiB`;
    throw new CtxError(
      'CTX_TOO_LARGE',
      `as ${format} the session is held in memory, and it has over ${limit}; --format ctx is written event by event, and so are ` +
        `${streamed.join(', ')} for sessions that were imported from them, without --source`,
    );
  };
}

/**
 * Gives the events on; one that begins a document is held with all that follow.
 * @throws as {@link holdEvents}.
 */
export async function* boundDocument(
  events: AsyncIterable<TranscriptEvent>,
  options: HoldOptions,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  const hold = startHolding(options);
  let isDocument: boolean | undefined;
  for await (const event of events) {
    isDocument ??= event.extra?.['document'] !== undefined;
    if (isDocument) hold(event);
    yield event;
  }
}

/**
 * The events of a session, in memory.
 * @throws `CTX_TOO_LARGE` where they are more than an export holds.
 */
export async function holdEvents(
  events: AsyncIterable<TranscriptEvent>,
  options: HoldOptions,
): Promise<TranscriptEvent[]> {
  const hold = startHolding(options);
  const held: TranscriptEvent[] = [];
  for await (const event of events) {
    hold(event);
    held.push(event);
  }
  return held;
}
