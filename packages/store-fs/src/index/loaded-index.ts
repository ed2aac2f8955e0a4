import { join } from 'node:path';
import { CtxError } from '@ctx/core';
import { removeFile } from '../files/move-file.ts';
import { succeeds } from '../files/system-errors.ts';
import { journalPath, type WrittenLines } from '../journal/journal-file.ts';
import type { JournalLine } from '../journal/journal-line.ts';
import {
  advance,
  compactJournal,
  type IndexPlace,
  type JournalState,
  openIndex,
  rebuild,
  settleBatches,
  settleLines,
} from '../journal/journal-state.ts';
import { bootId } from '../lock/lock-owner.ts';
import type { CommittedState, HeldLock } from '../lock/store-lock.ts';
import { knownKeyLengths } from '../lock/store-mark.ts';
import { checkNotEmptied } from '../recover/check-emptied.ts';
import type { RecordIndex } from './record-index.ts';

/** A compaction pays when so many steps are stale beside those that are not. */
const fewStaleSteps = 1_000;

/** The index that is in use. One for each open store; the functions of this file change it. */
export interface LoadedIndex {
  readonly place: IndexPlace;
  /** Undefined before the first turn, and where the next one must load it anew. */
  state: JournalState | undefined;
  isFirst: boolean;
  lastGeneration: number;
  lastCounter: number;
  /** What was committed as the present turn began. */
  before: CommittedState;
  /** Whether the last turn left the journal as it is committed. */
  isSettled: boolean;
  /** Journals that a compaction replaced and that go once it is committed. */
  obsolete: string[];
}

/** Makes an index that is not loaded yet. */
export function createLoadedIndex(place: IndexPlace): LoadedIndex {
  return {
    place,
    state: undefined,
    isFirst: true,
    lastGeneration: 0,
    lastCounter: 0,
    before: { generation: 0, length: 0 },
    isSettled: false,
    obsolete: [],
  };
}

function presentState({ state }: LoadedIndex): JournalState {
  if (state !== undefined) return state;
  throw new CtxError('CTX_STORE_CLOSED', 'the file store is closed');
}

/**
 * The records as the last turn left them.
 * @throws `CTX_STORE_CLOSED`.
 */
export function presentIndex(loaded: LoadedIndex): RecordIndex {
  return presentState(loaded).index;
}

/** Where the journal lies, below the store's folder. */
export function presentJournal({ state }: LoadedIndex): string {
  return journalPath(state?.journal?.generation ?? 0);
}

/** What the release of the lock commits. Without a journal the next turn rebuilds. */
export function committedState({ state }: LoadedIndex): CommittedState {
  if (state?.journal === undefined) return { generation: 0, length: 0 };
  return { generation: state.journal.generation, length: state.committed };
}

function use(loaded: LoadedIndex, next: JournalState | undefined): void {
  if (loaded.state !== next) loaded.state?.journal?.close();
  loaded.state = next;
  loaded.lastGeneration = Math.max(loaded.lastGeneration, next?.journal?.generation ?? 0);
}

/** Closes the journal. The next turn loads the index anew. */
export function forgetIndex(loaded: LoadedIndex): void {
  use(loaded, undefined);
}

/** Reads what was committed since. False where that takes the lock: another journal, or none. */
export function catchUp({ state }: LoadedIndex, committed: CommittedState): boolean {
  if (state?.journal?.generation !== committed.generation) return false;
  return advance(state, committed.length);
}

async function rebuildNow(loaded: LoadedIndex): Promise<void> {
  const { place, lastGeneration, lastCounter: write, before: committed } = loaded;
  const next = await rebuild(place, { generation: lastGeneration + 1, write, committed });
  const journal = loaded.state?.journal;
  if (journal !== undefined) loaded.obsolete.push(journalPath(journal.generation));
  use(loaded, next);
}

/** Settles what is written and not committed. False where the index may miss something then. */
async function isTrusted(loaded: LoadedIndex, held: HeldLock): Promise<boolean> {
  const { state, place, isFirst } = loaded;
  if (state?.journal === undefined) return false;
  const { journal } = state;
  state.committed = held.length;
  state.end = held.length;
  const isWhole = journal.size() === held.length;
  const isSettled = isWhole || (await settleLines(place.root, state, held.length));
  if (!isFirst) return isSettled;
  // After a power cut the journal may have lost what the files kept.
  const boot = bootId();
  if (state.isClosed || (boot !== '' && state.boot === boot)) return isSettled;
  await settleBatches(place.root, journal);
  return false;
}

/** Whether no other process has held the lock since the last turn of this store, which left all in order. */
function isAsLeft({ isSettled, lastCounter, state }: LoadedIndex, held: HeldLock): boolean {
  const { journal, committed } = state ?? {};
  const isSame = journal?.generation === held.generation && committed === held.length;
  return isSettled && isSame && held.counter === lastCounter + 1 && !held.isTakenOver;
}

/** Loads, settles and rebuilds, whatever it takes. Tells whether a write was cut off. The lock is held. */
export async function bringUpToDate(loaded: LoadedIndex, held: HeldLock): Promise<boolean> {
  const isKnown = isAsLeft(loaded, held);
  loaded.isSettled = false;
  loaded.lastCounter = held.counter;
  loaded.before = held;
  if (isKnown) return false;
  loaded.lastGeneration = Math.max(loaded.lastGeneration, held.generation);
  if (!catchUp(loaded, held)) use(loaded, await openIndex(loaded.place, held));
  const { root, definitions } = loaded.place;
  if (loaded.isFirst) checkNotEmptied(root, loaded.state, knownKeyLengths(root, definitions));
  const wasCutOff = loaded.state?.journal?.size() !== held.length;
  if (!(await isTrusted(loaded, held))) await rebuildNow(loaded);
  loaded.isFirst = false;
  return wasCutOff;
}

function addWritten(state: JournalState, written: WrittenLines): void {
  const before = state.written?.to === written.from ? state.written : undefined;
  const lines = before === undefined ? written.lines : [...before.lines, ...written.lines];
  state.written = { from: before?.from ?? written.from, to: written.to, lines };
  state.end = written.to;
}

/**
 * Adds lines to the journal that count once they are committed.
 * @throws `CTX_STORE_FULL`, `CTX_STORE_IO`.
 */
export async function logLines(
  loaded: LoadedIndex,
  lines: readonly JournalLine[],
  isSynced: boolean,
): Promise<void> {
  const state = presentState(loaded);
  const { journal, isClosed, end } = state;
  if (journal === undefined) {
    throw new CtxError('CTX_STORE_FULL', 'the disk has no room for the index');
  }
  const opened: JournalLine[] = isClosed ? [{ type: 'opened', boot: bootId() }] : [];
  addWritten(state, await journal.append(end, [...opened, ...lines]));
  if (isSynced || isClosed) await journal.sync();
}

/** Takes back what was logged and not committed. Tells whether the journal ends there now. */
export function unlogLines({ state }: LoadedIndex): boolean {
  if (state?.journal === undefined || state.end === state.committed) return true;
  const { journal, committed } = state;
  state.end = committed;
  state.written = undefined;
  return succeeds(() => {
    journal.truncate(committed);
  });
}

/** Has the release of the lock commit what was logged. */
export function commitLines(loaded: LoadedIndex): void {
  const state = presentState(loaded);
  state.committed = state.end;
}

/** Gives the room of the journal back to a full disk. `tidyIndex` builds it anew. */
export function dropJournal(loaded: LoadedIndex): void {
  const state = presentState(loaded);
  const { journal } = state;
  if (journal === undefined) return;
  journal.close();
  loaded.state = { ...state, journal: undefined };
  succeeds(() => {
    removeFile(join(loaded.place.root, journalPath(journal.generation)));
  });
}

/** Rebuilds or compacts where that is due; `isEnd`: also to leave no trace of what was deleted. The lock is held. */
export async function tidyIndex(loaded: LoadedIndex, isEnd: boolean): Promise<void> {
  const { state } = loaded;
  if (state?.journal === undefined) {
    await rebuildNow(loaded);
    return;
  }
  advance(state, state.committed);
  const { index, journal } = state;
  const { all, deletes } = index.staleSteps();
  if (all <= index.size() + fewStaleSteps && !(isEnd && deletes > 0)) return;
  const { generation } = journal;
  try {
    const next = await compactJournal(loaded.place, generation + 1, () => index.lines());
    loaded.obsolete.push(journalPath(generation));
    use(loaded, next);
  } catch {
    // Without room for a second journal the first goes on.
  }
}

/** Says in the journal that it is complete and on the disk. */
export async function logClosed(loaded: LoadedIndex): Promise<void> {
  const state = presentState(loaded);
  const { journal, isClosed, end } = state;
  if (journal === undefined || isClosed) return;
  await journal.sync();
  addWritten(state, await journal.append(end, [{ type: 'closed' }]));
  await journal.sync();
  state.committed = state.end;
}

/** Removes journals that were replaced. After the release that commits the new one. */
export function dropObsolete(loaded: LoadedIndex): void {
  for (const path of loaded.obsolete) {
    succeeds(() => {
      removeFile(join(loaded.place.root, path));
    });
  }
  loaded.obsolete = [];
}
