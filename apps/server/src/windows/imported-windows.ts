import { conversationOf, measureContext, playConversation, pointersOf } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import {
  restoreEvent,
  type StoredEvent,
  storedEventOf,
  type TranscriptEvent,
} from '@ctx/transcripts';
import { readRequests } from '@ctx/truncation';
import { LRUCache } from 'lru-cache';
import { isImported } from '../routes/sessions/imported-messages.ts';

/** The window of a session that came from a transcript: nobody kept one, so it is the one that ctx would have kept. */
export interface ImportedWindow {
  /** Holds the log of that window under the session's id, in memory. */
  readonly store: ContextStore;
  /** Messages of the record that its agent's model no longer saw: they are not in the window. */
  readonly messagesAside: number;
}

/** Finds the windows of imported sessions, and keeps the newest. */
export interface ImportedWindows {
  /** `undefined` where the session was not imported, or an agent keeps a window of it. Contract: writes nothing. Cost: the log, once. */
  find(store: ContextStore, sessionId: string): Promise<ImportedWindow | undefined>;
}

/** Most messages of all windows that are kept: about 3 KB each are held. */
const maxMessages = 20_000;

interface Kept {
  readonly window: Promise<ImportedWindow | undefined>;
  readonly events: number;
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

async function play(store: ContextStore, sessionId: string): Promise<ImportedWindow | undefined> {
  if ((await readRequests(store, sessionId)).length > 0) return undefined;
  const { events, pointers } = await readEvents(store, sessionId);
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

/** Opens the windows of imported sessions when they are first looked at. */
export function createImportedWindows(): ImportedWindows {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxMessages,
    maxEntrySize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: ({ events }) => events + 1,
  });
  return {
    find: async (store, sessionId) => {
      if (!(await isImported(store, sessionId))) return undefined;
      const { events } = await store.events.tally(sessionId);
      const key = JSON.stringify([store.tenant, sessionId]);
      const known = kept.get(key);
      if (known?.events === events) return known.window;
      const window = play(store, sessionId);
      kept.set(key, { window, events });
      // What failed once is tried again.
      window.catch(() => kept.delete(key));
      return window;
    },
  };
}
