import { playImported } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import { LRUCache } from 'lru-cache';
import { isImported } from '../routes/sessions/imported-messages.ts';

/** The window that ctx would have kept of an imported session; `undefined` if it is none. */
export type ImportedWindow = Awaited<ReturnType<typeof playImported>>;

/** Finds the windows of imported sessions, and keeps the newest. */
export interface ImportedWindows {
  /** `undefined` where the session was not imported, or an agent keeps a window of it. Writes nothing. Reads the log once. */
  find(store: ContextStore, sessionId: string): Promise<ImportedWindow>;
}

/** Most events of all sessions whose windows are kept: about 3 KB each are held. */
const maxEvents = 20_000;

interface Kept {
  readonly window: Promise<ImportedWindow>;
  readonly events: number;
}

/** Opens the windows of imported sessions when they are first looked at. */
export function createImportedWindows(): ImportedWindows {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxEvents,
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
      const window = playImported(store, sessionId);
      kept.set(key, { window, events });
      // What failed once is tried again.
      window.catch(() => kept.delete(key));
      return window;
    },
  };
}
