import { closeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isCtxError } from '@ctx/core';
import {
  besidePath,
  kindOfPlace,
  makeFolders,
  recordPath,
  removeEmptyFolders,
  temporaryName,
} from '../files/file-layout.ts';
import { moveFile, removeFile } from '../files/move-file.ts';
import { encodeRecordFile } from '../files/record-file.ts';
import { storeError, succeeds } from '../files/system-errors.ts';
import { type Durability, makeFile, syncFolder, syncToDisk } from '../files/write-atomically.ts';
import type { LockedTurn } from '../state/store-state.ts';
import type { PlannedPut, PlannedStep } from './plan-write.ts';

/** A put of one record that is not there. */
export interface NewRecord extends PlannedPut {
  readonly content: NonNullable<PlannedPut['content']>;
}

/** Whether a step of a write makes a record that is not there. */
export function isOnlyNew(
  { index }: Pick<LockedTurn, 'index'>,
  step: PlannedStep,
): step is NewRecord {
  if (step.change !== 'put' || step.content === undefined) return false;
  return index.entry(step.collection, step.key) === undefined;
}

/** The one step of a write, where it makes a record and changes nothing else. */
export function onlyNewRecord(
  turn: Pick<LockedTurn, 'index'>,
  planned: readonly PlannedStep[],
): NewRecord | undefined {
  const [step] = planned;
  if (planned.length !== 1 || step === undefined) return undefined;
  return isOnlyNew(turn, step) ? step : undefined;
}

/** The new file, open, and where it goes. */
interface NewFile {
  /** Undefined once it is closed. */
  file: number | undefined;
  readonly temporary: string;
  readonly target: string;
  /** Folders above it that were made for it. */
  readonly made: readonly string[];
}

/** Some file systems tell only here that the bytes did not fit. The number is free afterwards even when this fails. */
function closeNew(made: NewFile): void {
  const { file } = made;
  made.file = undefined;
  if (file !== undefined) closeSync(file);
}

/** Brings the file and the names of all folders above it that are new to the disk: at once, so that the disk does it in one go. */
async function syncAll({ root }: LockedTurn, { file, target, made }: NewFile): Promise<void> {
  const folders = [dirname(target), ...made.map((folder) => dirname(join(root, folder)))];
  const syncs = [...(file === undefined ? [] : [syncToDisk(file)]), ...folders.map(syncFolder)];
  // None may be under way any more when the file is closed.
  for (const result of await Promise.allSettled(syncs))
    if (result.status === 'rejected') throw result.reason;
}

async function makeNew(turn: LockedTurn, path: string, bytes: Uint8Array): Promise<NewFile> {
  const target = join(turn.root, path);
  const made = turn.folders.leadTo(path) ? [] : makeFolders(turn.root, path);
  const temporary = temporaryName();
  try {
    if (kindOfPlace(target) !== 'nothing')
      await turn.setAside(path, 'the file is not of this store', undefined);
    const file = await makeFile(besidePath(target, temporary), bytes);
    return { file, temporary, target, made };
  } catch (error) {
    removeEmptyFolders(turn.root, path);
    throw error;
  }
}

/** Takes the new file away again, wherever it is. */
function dropNew(turn: LockedTurn, path: string, made: NewFile): void {
  succeeds(() => {
    closeNew(made);
  });
  succeeds(() => {
    removeFile(besidePath(made.target, made.temporary));
  });
  removeEmptyFolders(turn.root, path);
}

/** Puts the file into its place, then syncs both to the disk together: it is not read before the commit. */
async function putInPlace(turn: LockedTurn, made: NewFile, durability: Durability): Promise<void> {
  const { temporary, target } = made;
  turn.check();
  moveFile(besidePath(target, temporary), target);
  try {
    if (durability === 'power') await syncAll(turn, made);
    closeNew(made);
  } catch (error) {
    succeeds(() => {
      removeFile(target);
    });
    throw error;
  }
}

/**
 * Writes a record that is not there, in fewer steps than a change takes: there is nothing that could be lost before the file is on the
 * disk, so that it takes its place first, and one sync of the file and one of its folder bring all of it there at once.
 * As that of `applyWrite`. A power cut before the commit may leave a file that is cut off in the record's place; a rebuild
 * tells it from one that was damaged later.
 */
export async function applyNew(
  turn: LockedTurn,
  { collection, key, version, columns, content }: NewRecord,
  durability: Durability,
): Promise<void> {
  const { write } = turn;
  const path = recordPath(collection, key);
  const bytes = encodeRecordFile({ collection, key, version, columns, ...content, write });
  const made = await makeNew(turn, path, bytes);
  const { temporary } = made;
  const { words } = content;
  try {
    const step = { change: 'put', collection, key, version, columns, temporary, words } as const;
    await turn.log([{ type: 'write', write, steps: [step] }], false);
    await putInPlace(turn, made, durability);
  } catch (error) {
    // Whoever took the lock over has settled this write already.
    if (!isCtxError(error, 'CTX_STORE_BUSY')) turn.unlog();
    dropNew(turn, path, made);
    throw storeError(error, 'putting a new file into its place');
  }
  turn.commit();
}
