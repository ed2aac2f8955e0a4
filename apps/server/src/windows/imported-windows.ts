import { playImported } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import type { WindowMode } from '@ctx/truncation';
import { LRUCache } from 'lru-cache';
import { isImported } from '../routes/sessions/imported-messages.ts';
import { stateOfSession } from '../sessions/state-of-session.ts';
import { type RecordedWindow, readRecordedWindow } from './recorded-window.ts';

/** The window that ctx would have kept of an imported session; `undefined` if it is none. */
export type ImportedWindow = Awaited<ReturnType<typeof playImported>>;

/** Finds the windows of imported sessions, and keeps the newest. */
export interface ImportedWindows {
  /** `undefined` where the session was not imported, or an agent keeps a window of it. Writes nothing. Reads the log once. */
  find(store: ContextStore, sessionId: string, mode?: WindowMode): Promise<ImportedWindow>;
  /** What the agent of the session sent itself; `undefined` where the session was not imported. */
  recorded(store: ContextStore, sessionId: string): Promise<RecordedWindow | undefined>;
}

/** Most events of all sessions whose windows are kept: about 3 KB each are held. */
const maxEvents = 20_000;

interface Kept<T> {
  readonly window: Promise<T>;
  readonly state: string;
  readonly events: number;
}

/** Keeps what was read of a session until it changes. */
function keepsNewest<T>() {
  const kept = new LRUCache<string, Kept<T>>({
    maxSize: maxEvents,
    maxEntrySize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: ({ events }) => events + 1,
  });
  return async (
    [store, sessionId, mode]: readonly [ContextStore, string, string],
    read: () => Promise<T>,
  ): Promise<T> => {
    const state = await stateOfSession(store, sessionId);
    const key = JSON.stringify([store.tenant, sessionId, mode]);
    const known = kept.get(key);
    if (known?.state === state) return known.window;
    const { events } = await store.events.tally(sessionId);
    const window = read();
    kept.set(key, { window, state, events });
    // What failed once is tried again.
    window.catch(() => kept.delete(key));
    return window;
  };
}

/** Opens the windows of imported sessions when they are first looked at. */
export function createImportedWindows(): ImportedWindows {
  const played = keepsNewest<ImportedWindow>();
  const recorded = keepsNewest<RecordedWindow>();
  return {
    find: async (store, sessionId, mode = 'default') => {
      if (!(await isImported(store, sessionId))) return undefined;
      return played([store, sessionId, mode], () => playImported(store, sessionId, { mode }));
    },
    recorded: async (store, sessionId) => {
      if (!(await isImported(store, sessionId))) return undefined;
      return recorded([store, sessionId, ''], () => readRecordedWindow(store, sessionId));
    },
  };
}
