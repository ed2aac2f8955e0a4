import type { ContextStore } from '@ctx/store';
import { openTranscript, type TranscriptEvent } from '@ctx/transcripts';
import { appendEvents } from '@ctx/transcripts/import';
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

/** What is added to the log for a part of the file. */
export interface TailWrite {
  readonly sessionId: string;
  readonly events: readonly TranscriptEvent[];
  readonly place: TailPlace;
  /** Length of the log when the place before was read: what was added since makes this a conflict. */
  readonly first: number;
}

/**
 * Adds a part of a session's file to its log, with the place after it, in one write. Large results go to the outputs.
 * @throws `CTX_STORE_CONFLICT` where another process has added it meanwhile.
 */
export function writeTail(store: ContextStore, { place, ...tail }: TailWrite): Promise<void> {
  const last = { type: placeType, payload: place };
  return appendEvents(store, { ...tail, inlineCharacters, last });
}
