import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CtxError, isCtxError } from '@ctx/core';
import type { CollectionDefinition } from '@ctx/store/backend';
import { indexFolderName } from '../files/file-layout.ts';
import { isMissing, storeError } from '../files/system-errors.ts';
import { createRecordIndex, type RecordIndex } from '../index/record-index.ts';
import { bootId } from '../lock/lock-owner.ts';
import type { CommittedState } from '../lock/store-lock.ts';
import { knownKeyLengths } from '../lock/store-mark.ts';
import { rebuildLines } from '../recover/rebuild-index.ts';
import { hasLeftovers, settleWrite } from '../recover/recover-writes.ts';
import type { FsStoreSettings } from '../store-options.ts';
import {
  type JournalFile,
  journalFormat,
  openJournal,
  type WrittenLines,
  writeJournal,
} from './journal-file.ts';
import type { JournalLine, WriteLine } from './journal-line.ts';
import { knownBeforePowerCut } from './power-cut.ts';

/** The index in memory, and how far it has followed the journal that it comes from. */
export interface JournalState {
  readonly journal: JournalFile | undefined;
  readonly index: RecordIndex;
  /** Bytes of the journal that are in the index. */
  applied: number;
  committed: number;
  /** Bytes that are written, committed or not. */
  end: number;
  /** What this process wrote last: it need not be read back. */
  written: WrittenLines | undefined;
  isClosed: boolean;
  /** The boot in which the journal was last opened. */
  boot: string;
}

/** Whose index it is. */
export interface IndexPlace {
  readonly root: string;
  readonly settings: FsStoreSettings;
  readonly definitions: readonly CollectionDefinition[];
}

function stateOf(index: RecordIndex, journal: JournalFile | undefined): JournalState {
  const ends = { applied: 0, committed: 0, end: 0 };
  return { journal, index, ...ends, written: undefined, isClosed: false, boot: '' };
}

function applyLine(loaded: JournalState, line: JournalLine): void {
  loaded.isClosed = line.type === 'closed';
  if (line.type === 'opened') loaded.boot = line.boot;
  if (line.type === 'write') loaded.index.apply(line);
  if (line.type === 'words') loaded.index.applyWords(line);
}

/** Applies the lines up to `to`: those that this process has just written, or else what the journal has there. */
function applyUpTo(loaded: JournalState, journal: JournalFile, to: number): number {
  const { written, applied } = loaded;
  loaded.written = undefined;
  const visit = (line: JournalLine): void => {
    applyLine(loaded, line);
  };
  if (written?.from !== applied || written.to !== to) return journal.read(applied, to, visit);
  for (const line of written.lines) visit(line);
  return to;
}

/** Follows the journal up to `to`. False where it does not get there. */
export function advance(loaded: JournalState, to: number): boolean {
  const { journal, applied } = loaded;
  if (journal === undefined || to < applied) return false;
  if (to > applied) {
    loaded.applied = applyUpTo(loaded, journal, to);
    loaded.committed = Math.max(loaded.committed, loaded.applied);
    loaded.end = Math.max(loaded.end, loaded.applied);
  }
  return loaded.applied === to;
}

/** Loads the index of a generation; undefined where its journal is missing or ends too early. */
export async function openIndex(
  { root, definitions, settings }: IndexPlace,
  { generation, length }: CommittedState,
): Promise<JournalState | undefined> {
  let journal: JournalFile;
  try {
    journal = openJournal(root, generation, settings.readOnly ? 'r' : 'r+');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storeError(error, 'opening the index');
  }
  const index = await createRecordIndex(definitions, (words) => journal.words(words));
  const loaded = stateOf(index, journal);
  if (length > 0 && advance(loaded, length)) return loaded;
  journal.close();
  return undefined;
}

/** Ends what the journal holds after `length`. Tells whether the index can be trusted then. */
export async function settleLines(
  root: string,
  loaded: JournalState,
  length: number,
): Promise<boolean> {
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
export async function settleBatches(root: string, journal: JournalFile): Promise<void> {
  const batches: WriteLine[] = [];
  journal.read(0, journal.size(), (line) => {
    if (line.type === 'write' && line.steps.length > 1) batches.push(line);
  });
  for (const line of batches) if (hasLeftovers(root, line)) await settleWrite(root, line);
}

/** Writes a journal of all lines as a new generation and loads it. */
export async function compactJournal(
  options: IndexPlace,
  generation: number,
  lines: () => AsyncIterable<WriteLine> | Iterable<WriteLine>,
): Promise<JournalState> {
  async function* all(): AsyncGenerator<JournalLine> {
    yield { type: 'header', format: journalFormat, generation };
    yield* lines();
    yield { type: 'opened', boot: bootId() };
  }
  mkdirSync(join(options.root, indexFolderName), { mode: 0o700, recursive: true });
  const length = await writeJournal(options.root, generation, all());
  const loaded = await openIndex(options, { generation, length });
  if (loaded !== undefined) return loaded;
  throw new CtxError('CTX_STORE_IO', 'the index that was just written cannot be read');
}

/** An index without a journal, for a disk that has no room for one: the next turn builds it anew. */
async function memoryOnly(
  { definitions }: IndexPlace,
  lines: AsyncIterable<WriteLine>,
): Promise<JournalState> {
  const index = await createRecordIndex(definitions, () => ({}));
  for await (const line of lines) index.apply(line);
  return stateOf(index, undefined);
}

function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => (found ??= { value: find() }).value;
}

/** Makes the index anew from the files of the records and writes nothing. */
export async function rebuildInMemory(
  options: IndexPlace,
  committed: CommittedState,
): Promise<JournalState> {
  const { root, settings, definitions } = options;
  const keyLengths = knownKeyLengths(root, definitions);
  const knownBefore = once(() => knownBeforePowerCut(root, committed));
  const lines = rebuildLines({ root, settings, keyLengths, write: 0, knownBefore });
  return await memoryOnly(options, lines);
}

/** What a rebuild makes. */
export interface RebuildWish {
  /** That of the new journal. */
  readonly generation: number;
  /** Counter for copies that come back. */
  readonly write: number;
  /** The index that it takes the place of. */
  readonly committed: CommittedState;
}

/** Makes the index anew from the files of the records. */
export async function rebuild(
  options: IndexPlace,
  { generation, write, committed }: RebuildWish,
): Promise<JournalState> {
  const { root, settings, definitions } = options;
  const keyLengths = knownKeyLengths(root, definitions);
  const knownBefore = once(() => knownBeforePowerCut(root, committed));
  const lines = (): AsyncGenerator<WriteLine> =>
    rebuildLines({ root, settings, keyLengths, write, knownBefore });
  try {
    return await compactJournal(options, generation, lines);
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_FULL')) throw error;
    return await memoryOnly(options, lines());
  }
}
