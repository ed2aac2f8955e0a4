import type { ContextStore } from '@ctx/store';
import { type SessionLog, sessionLog, type WindowMode } from '@ctx/truncation';
import { LRUCache } from 'lru-cache';
import { isImported } from '../routes/sessions/imported-messages.ts';
import { stateOfSession } from '../sessions/state-of-session.ts';
import {
  createWindowPlays,
  type HeldPlay,
  type PlayedWindow,
  type PlayOptions,
} from '../what-if/window-plays.ts';
import { type RecordedWindow, readRecordedWindow } from './recorded-window.ts';

type Sent = Awaited<ReturnType<SessionLog['sent']>>;

/** What a session sent, and the window that was played of it; `undefined` where an agent keeps its own. */
export interface SentWindow extends Sent {
  readonly played: PlayedWindow | undefined;
}

/** Finds the windows of imported sessions, and keeps the newest. */
export interface ImportedWindows {
  /** `undefined` where the session was not imported, or an agent keeps a window of it. Writes nothing. Reads the log once. */
  find(
    store: ContextStore,
    sessionId: string,
    mode?: WindowMode,
  ): Promise<PlayedWindow | undefined>;
  /** The replay that {@link find} waits for, begun if it was not yet; `undefined` where the session was not imported. */
  play(store: ContextStore, sessionId: string, mode: WindowMode): Promise<HeldPlay | undefined>;
  /** What the agent of the session sent itself; `undefined` where the session was not imported. */
  recorded(store: ContextStore, sessionId: string): Promise<RecordedWindow | undefined>;
  /** What a session sent: of an imported one, as it is played; else as its log tells. Folds each state of a log once. */
  sent(store: ContextStore, sessionId: string, mode?: WindowMode): Promise<SentWindow>;
  /** Stops what is played, and waits until it has stopped. */
  close(): Promise<void>;
}

/** Most events of all sessions whose windows are kept: about 3 KB each are held. */
const maxEvents = 20_000;

interface Kept<T> {
  readonly found: Promise<T>;
  readonly state: string;
  readonly events: number;
}

/** Keeps what was read of a session until it changes, or until `failing` rejects. */
function keepsNewest<T>(failing: (found: T) => Promise<unknown> = async () => undefined) {
  const kept = new LRUCache<string, Kept<T>>({
    maxSize: maxEvents,
    maxEntrySize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: ({ events }) => events + 1,
  });
  return async (
    [store, sessionId, mode]: readonly [ContextStore, string, string],
    read: () => Promise<T>,
  ): Promise<T> => {
    const [state, { events }] = await Promise.all([
      stateOfSession(store, sessionId),
      store.events.tally(sessionId),
    ]);
    const key = JSON.stringify([store.tenant, sessionId, mode]);
    const known = kept.get(key);
    if (known?.state === state) return known.found;
    const found = read();
    kept.set(key, { found, state, events });
    // What failed once is tried again.
    found.then(failing).catch(() => {
      if (kept.peek(key)?.found === found) kept.delete(key);
    });
    return found;
  };
}

/** Opens the windows of imported sessions when they are first looked at: on threads with `options`, else here. */
export function createImportedWindows(options?: PlayOptions): ImportedWindows {
  const plays = createWindowPlays(options);
  const played = keepsNewest<HeldPlay>(({ window }) => window);
  const recorded = keepsNewest<RecordedWindow>();
  const told = keepsNewest<Sent>();
  const play: ImportedWindows['play'] = async (store, sessionId, mode) => {
    if (!(await isImported(store, sessionId))) return undefined;
    return played([store, sessionId, mode], () => plays.start({ store, sessionId, mode }));
  };
  const find: ImportedWindows['find'] = async (store, sessionId, mode = 'default') =>
    (await play(store, sessionId, mode))?.wait();
  return {
    play,
    find,
    sent: async (store, sessionId, mode) => {
      const played = await find(store, sessionId, mode);
      const fold = (): Promise<Sent> => sessionLog(store, sessionId).sent();
      const sent = await (played?.sent() ?? told([store, sessionId, ''], fold));
      return { ...sent, played };
    },
    recorded: async (store, sessionId) => {
      if (!(await isImported(store, sessionId))) return undefined;
      return recorded([store, sessionId, ''], () => readRecordedWindow(store, sessionId));
    },
    close: () => plays.close(),
  };
}
