import type { ContextStore } from '@ctx/store';
import {
  restoreEvent,
  type StoredEvent,
  storedEventOf,
  type TranscriptEvent,
} from '@ctx/transcripts';
import { readRequests } from '@ctx/truncation';
import { measureContext } from '../context/measure-context.ts';
import { conversationOf, pointersOf } from './conversation.ts';
import { playConversation } from './play-conversation.ts';

/** The window of a session that came from a transcript: nobody kept one, so it is the one that ctx would have kept. */
export interface ImportedWindow {
  /** Holds the log of that window under the session's id, in memory. */
  readonly store: ContextStore;
  /** Messages of the record that its agent's model no longer saw: they are not in the window. */
  readonly messagesAside: number;
}

async function readEvents(store: ContextStore, sessionId: string) {
  const events: TranscriptEvent[] = [];
  const kept: StoredEvent[] = [];
  for await (const { payload } of store.events.read(sessionId)) {
    const stored = storedEventOf(payload);
    if (stored === undefined) continue;
    kept.push(stored);
    events.push(await restoreEvent(store, sessionId, stored));
  }
  return { events, pointers: pointersOf(kept) };
}

/**
 * The window that ctx would have kept of an imported session: its requests, views and messages are read from the store that it gives.
 * `undefined` where the session was not imported, or an agent keeps a window of it.
 * Contract: writes nothing to `store`. Throws: `CTX_STORE_CORRUPT` where an output is missing. Cost: the log and its results.
 */
export async function playImported(
  store: ContextStore,
  sessionId: string,
): Promise<ImportedWindow | undefined> {
  if ((await readRequests(store, sessionId)).length > 0) return undefined;
  const { events, pointers } = await readEvents(store, sessionId);
  if (events.length === 0) return undefined;
  const recorded = await measureContext(store, { sessionId });
  const conversation = conversationOf(sessionId, events, pointers);
  const startedAt = events.find(({ at }) => at !== undefined)?.at;
  const played = await playConversation(conversation, {
    countTokens: store.countTokens,
    windowTokens: recorded?.windowTokens ?? 200_000,
    ...(startedAt === undefined ? {} : { startedAt }),
  });
  return { store: played, messagesAside: conversation.asideMessages };
}
