import type { ContextStore } from '@ctx/store';
import {
  restoreEvent,
  type StoredEvent,
  storedEventOf,
  type TranscriptEvent,
} from '@ctx/transcripts';
import { type CommandContext, checkNotStopped } from '../command-context.ts';

/** An imported event as it came, and how the store keeps it. */
export interface SessionTranscriptEvent {
  readonly event: TranscriptEvent;
  readonly stored: StoredEvent;
}

/** The session whose events are read, and what for. */
export interface SessionReading {
  readonly id: string;
  readonly what: string;
}

/** The events of an imported session one by one, results put back. Throws: as {@link readSessionEvents}. */
export async function* sessionEvents(
  context: CommandContext,
  store: ContextStore,
  { id, what }: SessionReading,
): AsyncGenerator<SessionTranscriptEvent, void, undefined> {
  for await (const { payload } of store.events.read(id)) {
    checkNotStopped(context, what);
    const stored = storedEventOf(payload);
    if (stored !== undefined) yield { event: await restoreEvent(store, id, stored), stored };
  }
}

/** The events of an imported session, results put back. Throws: `CTX_ABORTED`; `CTX_STORE_CORRUPT` where an output is missing. */
export async function readSessionEvents(
  context: CommandContext,
  store: ContextStore,
  reading: SessionReading,
): Promise<SessionTranscriptEvent[]> {
  const events: SessionTranscriptEvent[] = [];
  for await (const event of sessionEvents(context, store, reading)) events.push(event);
  return events;
}
