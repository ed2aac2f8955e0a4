import { mkdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type CollectionDefinition, CtxError, isCtxError } from '@ctx/core';
import {
  type JournalFile,
  journalFormat,
  journalPath,
  openJournal,
  writeJournal,
} from './journal-file.ts';
import { indexFolderName } from './file-layout.ts';
import type { JournalLine, WriteLine } from './journal-line.ts';
import { bootId } from './lock-owner.ts';
import { rebuildLines } from './rebuild-index.ts';
import { createRecordIndex, type RecordIndex } from './record-index.ts';
import { hasLeftovers, settleWrite } from './recover-writes.ts';
import type { CommittedState, HeldLock } from './store-lock.ts';
import type { FsStoreSettings } from './store-options.ts';
import { isMissing, storeError, succeeds } from './system-errors.ts';

/** A compaction pays when so many steps are stale beside those that are not. */
const fewStaleSteps = 1_000;

/** The index in memory and the journal that it comes from. */
export interface LoadedIndex {
  index(): RecordIndex;
  /** Of the journal, below the store's folder. */
  path(): string;
  committed(): CommittedState;
  /** Reads what was committed since. False where that takes the lock: another journal, or none. */
  catchUp(state: CommittedState): boolean;
  /** Loads, settles and rebuilds, whatever it takes. Tells whether a write was cut off. The lock is held. */
  bringUpToDate(held: HeldLock): Promise<boolean>;
  log(lines: readonly JournalLine[], isSynced: boolean): Promise<void>;
  unlog(): void;
  commit(): void;
  dropJournal(): void;
  /** Rebuilds or compacts where that is due; `isEnd`: also to leave no trace of what was deleted. The lock is held. */
  tidy(isEnd: boolean): Promise<void>;
  logClosed(): Promise<void>;
  /** Removes journals that a compaction replaced, once that is committed. */
  dropObsolete(): void;
  forget(): void;
}

interface Loaded {
  readonly journal: JournalFile | undefined;
  readonly index: RecordIndex;
  /** Bytes of the journal that are in the index. */
  applied: number;
  committed: number;
  /** Bytes that are written, committed or not. */
  end: number;
  isClosed: boolean;
  /** The boot in which the journal was last opened. */
  boot: string;
}

export interface LoadedIndexOptions {
  readonly root: string;
  readonly settings: FsStoreSettings;
  readonly definitions: readonly CollectionDefinition[];
}

function applyLine(loaded: Loaded, line: JournalLine): void {
  loaded.isClosed = line.type === 'closed';
  if (line.type === 'opened') loaded.boot = line.boot;
  if (line.type === 'write') loaded.index.apply(line);
}

function advance(loaded: Loaded, to: number): boolean {
  const { journal, applied } = loaded;
  if (journal === undefined || to < applied) return false;
  if (to > applied) {
    loaded.applied = journal.read(applied, to, (line) => {
      applyLine(loaded, line);
    });
    loaded.committed = Math.max(loaded.committed, loaded.applied);
    loaded.end = Math.max(loaded.end, loaded.applied);
  }
  return loaded.applied === to;
}

async function openLoaded(
  { root, definitions }: LoadedIndexOptions,
  { generation, length }: CommittedState,
): Promise<Loaded | undefined> {
  let journal: JournalFile;
  try {
    journal = openJournal(root, generation);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storeError(error, 'opening the index');
  }
  const index = await createRecordIndex(definitions, journal.words);
  const loaded = { journal, index, applied: 0, committed: 0, end: 0, isClosed: false, boot: '' };
  if (length > 0 && advance(loaded, length)) return loaded;
  journal.close();
  return undefined;
}

/** Ends what the journal holds behind `length`. Tells whether the index can be trusted then. */
async function settleLines(root: string, loaded: Loaded, length: number): Promise<boolean> {
  const { journal } = loaded;
  if (journal === undefined) return false;
  const lines: { line: JournalLine; end: number }[] = [];
  journal.read(length, journal.size(), (line, end) => lines.push({ line, end }));
  let settled = length;
  let writes = 0;
  for (const { line, end } of lines) {
    if (line.type === 'opened') loaded.boot = line.boot;
    if (line.type !== 'write') continue;
    writes++;
    if (!(await settleWrite(root, line))) break;
    settled = end;
  }
  journal.truncate(settled);
  loaded.end = settled;
  return advance(loaded, settled) && writes <= 1;
}

/** After a power cut: ends the writes of several files that the journal names. Those that had ended stay as they are. */
async function settleBatches(root: string, journal: JournalFile): Promise<void> {
  const batches: WriteLine[] = [];
  journal.read(0, journal.size(), (line) => {
    if (line.type === 'write' && line.steps.length > 1) batches.push(line);
  });
  for (const line of batches) if (hasLeftovers(root, line)) await settleWrite(root, line);
}

async function compactJournal(
  options: LoadedIndexOptions,
  generation: number,
  lines: () => AsyncIterable<WriteLine> | Iterable<WriteLine>,
): Promise<Loaded> {
  async function* all(): AsyncGenerator<JournalLine> {
    yield { type: 'header', format: journalFormat, generation };
    yield* lines();
    yield { type: 'opened', boot: bootId() };
  }
  mkdirSync(join(options.root, indexFolderName), { mode: 0o700, recursive: true });
  const length = await writeJournal(options.root, generation, all());
  const loaded = await openLoaded(options, { generation, length });
  if (loaded !== undefined) return loaded;
  throw new CtxError('CTX_STORE_IO', 'the index that was just written cannot be read');
}

/** An index without a journal, for a disk that has no room for one: the next turn builds it anew. */
async function memoryOnly(
  { definitions }: LoadedIndexOptions,
  lines: AsyncIterable<WriteLine>,
): Promise<Loaded> {
  const index = await createRecordIndex(definitions, () => ({}));
  for await (const line of lines) index.apply(line);
  return { journal: undefined, index, applied: 0, committed: 0, end: 0, isClosed: false, boot: '' };
}

async function rebuild(
  options: LoadedIndexOptions,
  generation: number,
  write: number,
): Promise<Loaded> {
  const { root, settings } = options;
  const lines = (): AsyncGenerator<WriteLine> => rebuildLines({ root, settings, write });
  try {
    return await compactJournal(options, generation, lines);
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_FULL')) throw error;
    return await memoryOnly(options, lines());
  }
}

/** Makes the index of the store in `root`; `bringUpToDate` loads it. */
export function createLoadedIndex(options: LoadedIndexOptions): LoadedIndex {
  const { root } = options;
  let loaded: Loaded | undefined;
  let lastGeneration = 0;
  let lastCounter = 0;
  let obsolete: string[] = [];

  const present = (): Loaded => {
    if (loaded !== undefined) return loaded;
    throw new CtxError('CTX_STORE_CLOSED', 'the file store is closed');
  };
  const use = (next: Loaded | undefined): void => {
    if (loaded !== next) loaded?.journal?.close();
    loaded = next;
    lastGeneration = Math.max(lastGeneration, next?.journal?.generation ?? 0);
  };
  const rebuildNow = async (): Promise<void> => {
    const next = await rebuild(options, lastGeneration + 1, lastCounter);
    if (loaded?.journal !== undefined) obsolete.push(journalPath(loaded.journal.generation));
    use(next);
  };
  const catchUp = (state: CommittedState): boolean => {
    if (loaded?.journal?.generation !== state.generation) return false;
    return advance(loaded, state.length);
  };
  const compact = async (): Promise<void> => {
    const { index, journal } = present();
    if (journal === undefined) return;
    const next = await compactJournal(options, journal.generation + 1, () => index.lines());
    obsolete.push(journalPath(journal.generation));
    use(next);
  };
  const isTrusted = async (held: HeldLock, isFirst: boolean): Promise<boolean> => {
    if (loaded?.journal === undefined) return false;
    const { journal } = loaded;
    loaded.committed = held.length;
    loaded.end = held.length;
    const isSettled =
      journal.size() === held.length || (await settleLines(root, loaded, held.length));
    const boot = bootId();
    const isOfThisBoot = loaded.isClosed || (boot !== '' && loaded.boot === boot);
    if (isFirst && !isOfThisBoot) await settleBatches(root, journal);
    return isSettled && (!isFirst || isOfThisBoot);
  };

  return {
    index: () => present().index,
    path: () => journalPath(loaded?.journal?.generation ?? 0),
    committed() {
      const { journal, committed } = loaded ?? {};
      return {
        generation: journal?.generation ?? 0,
        length: journal === undefined ? 0 : (committed ?? 0),
      };
    },
    catchUp,
    async bringUpToDate(held) {
      const isFirst = loaded === undefined;
      lastGeneration = Math.max(lastGeneration, held.generation);
      lastCounter = held.counter;
      if (!catchUp(held)) use(await openLoaded(options, held));
      const wasCutOff = loaded?.journal?.size() !== held.length;
      if (!(await isTrusted(held, isFirst))) await rebuildNow();
      return wasCutOff;
    },
    async log(lines, isSynced) {
      const { journal, isClosed, end } = present();
      if (journal === undefined)
        throw new CtxError('CTX_STORE_FULL', 'the disk has no room for the index');
      const opened: JournalLine[] = isClosed ? [{ type: 'opened', boot: bootId() }] : [];
      present().end = await journal.append(end, [...opened, ...lines]);
      if (isSynced || isClosed) await journal.sync();
    },
    unlog() {
      if (loaded?.journal === undefined || loaded.end === loaded.committed) return;
      const { journal, committed } = loaded;
      succeeds(() => {
        journal.truncate(committed);
      });
      loaded.end = committed;
    },
    commit() {
      present().committed = present().end;
    },
    dropJournal() {
      const { journal } = present();
      if (journal === undefined) return;
      journal.close();
      loaded = { ...present(), journal: undefined };
      succeeds(() => {
        unlinkSync(join(root, journalPath(journal.generation)));
      });
    },
    async tidy(isEnd) {
      if (loaded?.journal === undefined) {
        await rebuildNow();
        return;
      }
      advance(loaded, loaded.committed);
      const { all, deletes } = loaded.index.staleSteps();
      const isDue = all > loaded.index.size() + fewStaleSteps || (isEnd && deletes > 0);
      // Without room for a second journal the first goes on.
      if (isDue) await compact().catch(() => undefined);
    },
    async logClosed() {
      const { journal, isClosed, end } = present();
      if (journal === undefined || isClosed) return;
      await journal.sync();
      present().end = await journal.append(end, [{ type: 'closed' }]);
      await journal.sync();
      present().committed = present().end;
    },
    dropObsolete() {
      for (const path of obsolete) {
        succeeds(() => {
          unlinkSync(join(root, path));
        });
      }
      obsolete = [];
    },
    forget() {
      use(undefined);
    },
  };
}
