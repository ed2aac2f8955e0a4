import type { ContextStore } from '@ctx/core';
import type { TranscriptEvent } from '@ctx/transcripts';
import { type CommandContext, checkNotStopped } from '../command-context.ts';
import { restoreEvent, storedEventOf, type StoredEvent } from './stored-event.ts';

/** An imported event as it came, and how the store keeps it. */
export interface SessionTranscriptEvent {
  readonly event: TranscriptEvent;
  readonly stored: StoredEvent;
}

/** The events of an imported session, results put back. Throws: `CTX_ABORTED`; `CTX_STORE_CORRUPT` where an output is missing. */
export async function readSessionEvents(
  context: CommandContext,
  store: ContextStore,
  { id, what }: { readonly id: string; readonly what: string },
): Promise<SessionTranscriptEvent[]> {
  const events: SessionTranscriptEvent[] = [];
  for await (const { payload } of store.events.read(id)) {
    checkNotStopped(context, what);
    const stored = storedEventOf(payload);
    if (stored === undefined) continue;
    events.push({ event: await restoreEvent(store, id, stored), stored });
  }
  return events;
}
