import { keyOfMessage } from '@ctx/agent-adapter';
import { isCtxError, type Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import {
  hashOfGiven,
  openSessionWindow,
  type SessionWindow,
  sessionLog,
  type WindowMode,
  windowModes,
} from '@ctx/truncation';
import { LRUCache } from 'lru-cache';

/** By what a message is known again that is handed in once more. */
export interface KnownMessage {
  /** The key under which a context manager, or this server, put it in. */
  readonly key?: string;
  /** What the log keeps of it, for messages that came without a key. */
  readonly print?: string;
}

/** A window that is open, and by what its conversation is known again. */
export interface OpenWindow {
  readonly window: SessionWindow;
  /** The messages that it was given, in order. */
  readonly known: KnownMessage[];
  readonly mode: WindowMode;
  /** The sizes that it was told last. */
  sizes: string;
}

/** Which window. */
export interface WindowPlace {
  readonly store: ContextStore;
  readonly sessionId: string;
  readonly mode?: WindowMode;
}

/** Windows of sessions, kept open between requests. */
export interface SessionWindows {
  /**
   * Works with the window of a session; the works of one session follow one another.
   * Where another process continues the session meanwhile, the window is opened again and the work done once more, so it must
   * depend on what it is given alone.
   */
  use<T>(place: WindowPlace, work: (open: OpenWindow) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Maximum number of idle windows that stay open. */
const maxOpen = 64;
/** Most messages of all of them together: about 1.5 KB each are held. */
const maxIdleMessages = 50_000;
const maxTries = 5;

async function readKnown(store: ContextStore, sessionId: string): Promise<KnownMessage[]> {
  const log = sessionLog(store, sessionId);
  const marks = await log.history();
  if (marks.every(({ key }) => key !== undefined)) return marks.map(({ key = '' }) => ({ key }));
  const prints = await log.givenHashes();
  return prints.map((print, place) => {
    const { key } = marks[place] ?? {};
    return key === undefined ? { print } : { key };
  });
}

/** Whether a message is the one that is known. */
export function isKnown({ key, print }: KnownMessage, message: Message): boolean {
  return key === undefined ? print === hashOfGiven(message) : key === keyOfMessage(message);
}

async function openOne({ store, sessionId, mode = 'default' }: WindowPlace): Promise<OpenWindow> {
  const known = await readKnown(store, sessionId);
  const window = await openSessionWindow({ store, sessionId, policy: windowModes[mode] });
  return { window, known, mode, sizes: '' };
}

/** Follows what other processes wrote into the log. Returns whether the window is in the requested mode and up to date. */
async function follow(open: OpenWindow, { mode = open.mode }: WindowPlace): Promise<boolean> {
  if (mode !== open.mode) return false;
  const before = open.window.next;
  const marks = await open.window.follow().catch(() => undefined);
  const keys = marks?.flatMap(({ key }) => key ?? []);
  if (keys === undefined || keys.length !== marks?.length) return false;
  open.known.push(...keys.map((key) => ({ key })));
  if (open.window.next !== before) open.sizes = '';
  return true;
}

async function closeOne(open: OpenWindow): Promise<void> {
  // What a window could not write, it told the call that wanted it.
  await open.window.close().catch(() => undefined);
}

/** The window to work with: the one that was kept if it is current, else one that is opened now. */
async function openFor(kept: OpenWindow | undefined, place: WindowPlace): Promise<OpenWindow> {
  if (kept === undefined) return openOne(place);
  if (await follow(kept, place)) return kept;
  await closeOne(kept);
  return openOne(place);
}

/** How many windows may wait for their next request. */
export interface SessionWindowsOptions {
  /** Most messages of all windows that wait, together. Those that were used longest ago are closed for others. Default 50,000. */
  readonly maxIdleMessages?: number;
}

/** What is held of a window while it waits. */
function sizeOf({ known }: OpenWindow): number {
  return known.length + 1;
}

function idleWindows(maxMessages: number): LRUCache<string, OpenWindow> {
  return new LRUCache<string, OpenWindow>({
    max: maxOpen,
    maxSize: maxMessages,
    // One that is too large alone is closed at once, and so are those before it.
    maxEntrySize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: sizeOf,
    dispose: (open, _key, reason) => {
      if (reason === 'evict') void closeOne(open);
    },
  });
}

/** Makes the keeper. Keeps the open windows in memory. */
export function createSessionWindows({
  maxIdleMessages: most = maxIdleMessages,
}: SessionWindowsOptions = {}): SessionWindows {
  const idle = idleWindows(most);
  const turns = new Map<string, Promise<unknown>>();
  const work = async <T>(
    key: string,
    place: WindowPlace,
    run: (open: OpenWindow) => Promise<T>,
  ): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      const kept = idle.get(key);
      idle.delete(key);
      const open = await openFor(kept, place);
      try {
        const answer = await run(open);
        idle.set(key, open);
        return answer;
      } catch (error) {
        // After an error of the store a window takes nothing any more; after others it might, but opening it is cheap.
        await closeOne(open);
        if (!isCtxError(error, 'CTX_STORE_CONFLICT') || tries >= maxTries) throw error;
      }
    }
  };
  return {
    use: async (place, run) => {
      const { store, sessionId } = place;
      const session = JSON.stringify([store.tenant, sessionId]);
      const before = turns.get(session) ?? Promise.resolve();
      const turn = before.then(() => work(session, place, run));
      const settled = turn.catch(() => undefined);
      turns.set(session, settled);
      try {
        return await turn;
      } finally {
        if (turns.get(session) === settled) turns.delete(session);
      }
    },
    close: async () => {
      await Promise.all(turns.values());
      const open = [...idle.values()];
      idle.clear();
      await Promise.all(open.map(closeOne));
    },
  };
}
