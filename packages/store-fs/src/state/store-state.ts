import { join } from 'node:path';
import { CtxError, isCtxError } from '@ctx/core';
import type { CollectionDefinition, RecordKey } from '@ctx/store/backend';
import { createKnownFolders, type KnownFolders } from '../files/checked-folders.ts';
import { placeName } from '../files/record-place.ts';
import { storeError, succeeds } from '../files/system-errors.ts';
import { syncFolder } from '../files/write-atomically.ts';
import {
  bringUpToDate,
  catchUp,
  commitLines,
  committedState,
  createLoadedIndex,
  dropJournal,
  dropObsolete,
  forgetIndex,
  type LoadedIndex,
  logClosed,
  logLines,
  presentIndex,
  presentJournal,
  tidyIndex,
  unlogLines,
} from '../index/loaded-index.ts';
import type { RecordIndex } from '../index/record-index.ts';
import type { JournalLine } from '../journal/journal-line.ts';
import {
  createStoreLock,
  type HeldLock,
  lockFolderName,
  markOf,
  removeOlderTokens,
} from '../lock/store-lock.ts';
import { knownKeyLengths, noteInMark } from '../lock/store-mark.ts';
import { sweepLeftovers, sweepOwnFolders } from '../recover/recover-writes.ts';
import { refuseSlip, setAside } from '../recover/set-aside.ts';
import { heldBy } from '../recover/set-aside-lines.ts';
import type { FsStoreSettings } from '../store-options.ts';
import { createSerialQueue } from '../write/serial-queue.ts';
import { makeRoot } from './make-root.ts';

/** The store while this caller alone may change it. */
export interface LockedTurn {
  readonly root: string;
  readonly settings: FsStoreSettings;
  readonly folders: KnownFolders;
  /** All that is committed. What this turn commits is seen by the next. */
  readonly index: RecordIndex;
  /** Counter of this write, higher than that of every earlier one. */
  readonly write: number;
  /** Throws `CTX_STORE_BUSY` where the lock was lost. */
  readonly check: () => void;
  /** Adds lines to the journal that count once they are committed. */
  readonly log: (lines: readonly JournalLine[], isSynced: boolean) => Promise<void>;
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
  /** Whether the folder is only read: `locked` throws then. */
  readonly isReadOnly: boolean;
  readonly folders: KnownFolders;
  /** The index as it was at the last look; undefined where it is to be loaded anew. */
  present(): RecordIndex | undefined;
  /** The index with all that any process has committed. */
  refresh(): Promise<RecordIndex>;
  /** What is committed now: another text after every commit of any process. Looks at one file name. */
  mark(): string;
  /** Waits for its turn in this process and for the lock, then runs. */
  locked<T>(run: (turn: LockedTurn) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** What the turns of one open store share. */
interface TurnParts {
  readonly root: string;
  readonly settings: FsStoreSettings;
  readonly loaded: LoadedIndex;
  readonly folders: KnownFolders;
  isFirst: boolean;
  /** Whether files may be left over. */
  isUntidy: boolean;
}

type SetAsideWish = Parameters<LockedTurn['setAside']>;

type SetAsideReceipt = Awaited<ReturnType<typeof setAside>>;

/** The step of the journal for a record whose bytes were set aside: it is what was restored of it, or quarantined. */
function stepAside(
  record: NonNullable<SetAsideWish[2]>,
  movedTo: string,
  restored: SetAsideReceipt['restored'],
) {
  if (restored === undefined) return { change: 'quarantine', ...record, movedTo } as const;
  const { version, columns, words } = restored;
  return { change: 'put', ...record, version, columns, words, temporary: '' } as const;
}

async function setAsideInTurn(
  parts: TurnParts,
  turn: Pick<LockedTurn, 'write' | 'log' | 'commit'>,
  [path, reason, record]: SetAsideWish,
): Promise<string> {
  const { root, settings, loaded } = parts;
  const entry = record && presentIndex(loaded).entry(record.collection, record.key);
  const bad = {
    ...{ path, reason, record, version: entry?.version ?? 0, write: turn.write },
    heldIn: heldBy(presentIndex(loaded), record, entry?.segment?.file),
  };
  refuseSlip(root, settings, bad);
  const { movedTo, restored, lost } = await setAside(root, settings, bad);
  if (record === undefined) return movedTo;
  const step = stepAside(record, movedTo, restored);
  const index = presentIndex(loaded);
  const others = lost
    .filter((one) => index.entry(one.collection, one.key) && placeName(one) !== placeName(record))
    .map((one) => ({ change: 'quarantine', ...one, movedTo }) as const);
  await turn.log([{ type: 'write', write: turn.write, steps: [step, ...others] }], false);
  turn.commit();
  return movedTo;
}

function createTurn(held: HeldLock, parts: TurnParts): LockedTurn {
  const { root, settings, loaded, folders } = parts;
  const index = presentIndex(loaded);
  const turn: LockedTurn = {
    root,
    settings,
    folders,
    index,
    write: Math.max(held.counter, index.lastWrite() + 1),
    check: () => {
      held.check();
    },
    log(lines, isSynced) {
      held.check();
      return logLines(loaded, lines, isSynced);
    },
    unlog() {
      unlogLines(loaded);
    },
    commit() {
      commitLines(loaded);
    },
    dropJournal() {
      dropJournal(loaded);
    },
    sweepLater() {
      parts.isUntidy = true;
    },
    setAside: (...wish) => setAsideInTurn(parts, turn, wish),
  };
  return turn;
}

async function prepareTurn(held: HeldLock, parts: TurnParts): Promise<void> {
  const { root, loaded } = parts;
  const { definitions } = loaded.place;
  const wasCutOff = await bringUpToDate(loaded, held);
  if (wasCutOff || parts.isUntidy || held.isTakenOver) {
    sweepLeftovers(root, knownKeyLengths(root, definitions));
  }
  if (parts.isFirst || held.isTakenOver) {
    removeOlderTokens(root, held.counter);
    sweepOwnFolders(root, presentJournal(loaded));
  }
  parts.isUntidy = false;
  parts.isFirst = false;
}

/** Lets go of the lock, which commits, and follows. */
function endTurn(held: HeldLock, { loaded }: TurnParts): void {
  try {
    const isWhole = unlogLines(loaded);
    held.release(committedState(loaded));
    dropObsolete(loaded);
    loaded.isSettled = isWhole && catchUp(loaded, committedState(loaded));
  } catch (error) {
    // What was committed is in its place and in the journal: whoever takes the lock next finds it so.
    forgetIndex(loaded);
    if (isCtxError(error, 'CTX_STORE_BUSY')) throw error;
  }
}

async function runTurn<T>(
  held: HeldLock,
  parts: TurnParts,
  run: (turn: LockedTurn) => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    await prepareTurn(held, parts);
    result = await run(createTurn(held, parts));
    await tidyIndex(parts.loaded, false);
  } catch (error) {
    succeeds(() => {
      endTurn(held, parts);
    });
    parts.loaded.isSettled = false;
    throw storeError(error, 'working on the store');
  }
  endTurn(held, parts);
  return result;
}

async function noteInTurn({ root, settings, loaded }: TurnParts): Promise<void> {
  const { definitions } = loaded.place;
  const isFilled = presentIndex(loaded).size() > 0;
  await noteInMark(root, { definitions, durability: settings.durability, isFilled });
}

async function closeInTurn(parts: TurnParts, inTurn: StoreState['locked']): Promise<void> {
  const { root, loaded } = parts;
  try {
    await inTurn(async () => {
      await tidyIndex(loaded, true);
      await noteInTurn(parts);
      await logClosed(loaded);
    });
    await syncFolder(join(root, lockFolderName));
  } catch {
    // Nothing acknowledged depends on it: the next open finds the store as after a crash.
  }
  succeeds(() => {
    forgetIndex(loaded);
  });
}

/**
 * Opens the folder: makes what is missing, ends what a killed process left, and loads or rebuilds the index.
 * @throws `CTX_INVALID_INPUT` for a folder that is not empty and no store; `CTX_STORE_READ_ONLY`, `CTX_STORE_FULL`, `CTX_STORE_IO`,
 * `CTX_STORE_BUSY`.
 */
export async function openStoreState(
  settings: FsStoreSettings,
  definitions: readonly CollectionDefinition[],
): Promise<StoreState> {
  const root = await makeRoot(settings, definitions);
  const lock = createStoreLock(root, settings.lockTimeoutMs);
  const queue = createSerialQueue();
  const loaded = createLoadedIndex({ root, settings, definitions });
  const folders = createKnownFolders(root);
  const parts: TurnParts = { root, settings, loaded, folders, isFirst: true, isUntidy: false };

  let isClosed = false;
  const inTurn: StoreState['locked'] = (run) =>
    queue(async () => await runTurn(await lock.acquire(), parts, run));
  const locked: StoreState['locked'] = async (run) => {
    if (isClosed) throw new CtxError('CTX_STORE_CLOSED', 'the file store is closed');
    return await inTurn(run);
  };

  await locked(async () => {
    // Without room for it this process still knows its own collections, and the next open tries again.
    await noteInTurn(parts).catch(() => undefined);
    await tidyIndex(loaded, true);
  });
  return {
    root,
    isReadOnly: false,
    folders,
    locked,
    present: () => loaded.state?.index,
    mark: () => markOf(lock.read()),
    async refresh() {
      if (!catchUp(loaded, lock.read())) await locked(() => Promise.resolve());
      return presentIndex(loaded);
    },
    async close() {
      isClosed = true;
      await closeInTurn(parts, inTurn);
    },
  };
}
