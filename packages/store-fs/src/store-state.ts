import { mkdirSync, realpathSync } from 'node:fs';
import { type CollectionDefinition, isCtxError, type RecordKey } from '@ctx/core';
import { join } from 'node:path';
import { indexFolderName } from './file-layout.ts';
import type { JournalLine } from './journal-line.ts';
import { createLoadedIndex, type LoadedIndex } from './loaded-index.ts';
import type { RecordIndex } from './record-index.ts';
import { sweepLeftovers, sweepOwnFolders } from './recover-writes.ts';
import { createSerialQueue } from './serial-queue.ts';
import { setAside } from './set-aside.ts';
import { createStoreLock, type HeldLock, lockFolderName, removeOlderTokens } from './store-lock.ts';
import type { FsStoreSettings } from './store-options.ts';
import { storeError, succeeds } from './system-errors.ts';
import { syncFolder } from './write-atomically.ts';

/** The store while this caller alone may change it. */
export interface LockedTurn {
  readonly root: string;
  readonly settings: FsStoreSettings;
  /** All that is committed. What this turn commits is seen by the next. */
  readonly index: RecordIndex;
  /** Counter of this write, higher than that of every earlier one. */
  readonly write: number;
  /** Throws `CTX_STORE_BUSY` where the lock was lost. */
  readonly check: () => void;
  /** Adds lines to the journal that count once they are committed. */
  log(lines: readonly JournalLine[], isSynced: boolean): Promise<void>;
  /** Takes back what was logged and not committed. */
  unlog(): void;
  commit(): void;
  /** Gives the room of the journal back to a full disk. The index is built anew when the turn ends. */
  dropJournal(): void;
  /** Has the next turn look for files that are left over. */
  sweepLater(): void;
  /** Moves an unreadable file away and marks its record. Gives its name in the quarantine. */
  setAside(
    path: string,
    reason: string,
    record: { readonly collection: string; readonly key: RecordKey } | undefined,
  ): Promise<string>;
}

/** The open store: its index, and the way to change it. */
export interface StoreState {
  readonly root: string;
  /** The index with all that any process has committed. */
  refresh(): Promise<RecordIndex>;
  /** Waits for its turn in this process and for the lock, then runs. */
  locked<T>(run: (turn: LockedTurn) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

function makeRoot(path: string): string {
  try {
    mkdirSync(path, { mode: 0o700, recursive: true });
    const root = realpathSync(path);
    mkdirSync(join(root, indexFolderName), { mode: 0o700, recursive: true });
    return root;
  } catch (error) {
    throw storeError(error, 'making the folder of the store');
  }
}

interface TurnParts {
  readonly root: string;
  readonly settings: FsStoreSettings;
  readonly loaded: LoadedIndex;
  readonly sweepLater: () => void;
}

function createTurn(held: HeldLock, { root, settings, loaded, sweepLater }: TurnParts): LockedTurn {
  const turn: LockedTurn = {
    root,
    settings,
    index: loaded.index(),
    write: Math.max(held.counter, loaded.index().lastWrite() + 1),
    check: held.check,
    log(lines, isSynced) {
      held.check();
      return loaded.log(lines, isSynced);
    },
    unlog: loaded.unlog,
    commit: loaded.commit,
    dropJournal: loaded.dropJournal,
    sweepLater,
    async setAside(path, reason, record) {
      const entry = record && loaded.index().entry(record.collection, record.key);
      const bad = { path, reason, record, version: entry?.version ?? 0, write: turn.write };
      const { movedTo, restored } = await setAside(root, settings, bad);
      if (record === undefined) return movedTo;
      const { version = 0, columns = {}, words = {} } = restored ?? {};
      const step =
        restored === undefined
          ? ({ change: 'quarantine', ...record, movedTo } as const)
          : ({ change: 'put', ...record, version, columns, words, temporary: '' } as const);
      await loaded.log([{ type: 'write', write: turn.write, steps: [step] }], false);
      loaded.commit();
      return movedTo;
    },
  };
  return turn;
}

/**
 * Opens the folder: makes what is missing, ends what a killed process left, and loads or rebuilds the index.
 * Throws: `CTX_STORE_READ_ONLY`, `CTX_STORE_FULL`, `CTX_STORE_IO`, `CTX_STORE_BUSY`.
 */
export async function openStoreState(
  settings: FsStoreSettings,
  definitions: readonly CollectionDefinition[],
): Promise<StoreState> {
  const root = makeRoot(settings.path);
  const lock = createStoreLock(root, settings.lockTimeoutMs);
  const queue = createSerialQueue();
  const loaded = createLoadedIndex({ root, settings, definitions });
  let isFirst = true;
  let isUntidy = false;
  const sweepLater = (): void => {
    isUntidy = true;
  };

  const prepare = async (held: HeldLock): Promise<void> => {
    const isUnclean = await loaded.bringUpToDate(held);
    if (isUnclean || isUntidy || held.isTakenOver) sweepLeftovers(root);
    isUntidy = false;
    if (isFirst || held.isTakenOver) {
      removeOlderTokens(root, held.counter);
      sweepOwnFolders(root, loaded.path());
    }
    isFirst = false;
  };
  const inTurn = async <T>(run: (turn: LockedTurn) => Promise<T>, isEnd: boolean): Promise<T> => {
    const held = await lock.acquire();
    try {
      await prepare(held);
      const result = await run(createTurn(held, { root, settings, loaded, sweepLater }));
      await loaded.tidy(isEnd);
      return result;
    } catch (error) {
      throw storeError(error, 'working on the store');
    } finally {
      try {
        loaded.unlog();
        held.release(loaded.committed());
        loaded.dropObsolete();
        loaded.catchUp(loaded.committed());
      } catch (error) {
        // What was committed is in its place and in the journal: whoever takes the lock next finds it so.
        loaded.forget();
        if (isCtxError(error, 'CTX_STORE_BUSY')) throw error;
      }
    }
  };
  const locked: StoreState['locked'] = (run) => queue(() => inTurn(run, false));

  await queue(() => inTurn(() => Promise.resolve(), true));
  return {
    root,
    locked,
    async refresh() {
      const token = lock.read();
      if (!loaded.catchUp(token)) await locked(() => Promise.resolve());
      return loaded.index();
    },
    async close() {
      try {
        await queue(() =>
          inTurn(async () => {
            await loaded.tidy(true);
            await loaded.logClosed();
          }, false),
        );
        await syncFolder(join(root, lockFolderName));
      } catch {
        // Nothing acknowledged depends on it: the next open finds the store as after a crash.
      }
      succeeds(() => {
        loaded.forget();
      });
    },
  };
}
