import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  indexFolderName,
  isLeftover,
  isTemporaryName,
  removeEmptyFolders,
} from '../files/file-layout.ts';
import { moveFile, removeFile } from '../files/move-file.ts';
import { decodeRecordFile } from '../files/record-file.ts';
import { segmentPath } from '../files/segment-file.ts';
import { isMissing, storeError, succeeds } from '../files/system-errors.ts';
import { walkFiles } from '../files/walk-files.ts';
import { syncFileAt } from '../files/write-atomically.ts';
import {
  changesFile,
  type FileStep,
  type SegmentStep,
  type WriteLine,
} from '../journal/journal-line.ts';
import { lockFolderName } from '../lock/store-lock.ts';
import type { KeyLengths } from '../lock/store-mark.ts';
import { makesFile, type StepPaths, stepPaths, syncFolders } from '../write/exchange-files.ts';
import { thinInPlace } from '../write/thin-in-place.ts';
import { thinned } from '../write/thinned.ts';
import { appendOf, settleAppend } from './finish-append.ts';

interface PendingStep extends StepPaths {
  readonly step: FileStep;
}

/** `ready`: the new file waits. `done`: it is in its place, or a later one is. `lost`: neither. */
type Standing = 'ready' | 'done' | 'lost';

/** The counter of the write that made a file; undefined where there is none or it cannot be read. */
function writeOf(path: string): number | undefined {
  try {
    const file = decodeRecordFile(readFileSync(path));
    return typeof file === 'string' ? undefined : file.write;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether records that left a segment are still in it. */
function isThinned(root: string, { collection, key, file, gone }: SegmentStep): boolean {
  return thinned(root, segmentPath({ collection, key }, file), gone)?.isChanged !== true;
}

function standingOfSegment(root: string, step: SegmentStep, temporary: string): Standing {
  if (isTemporaryName(step.temporary) && existsSync(temporary)) return 'ready';
  if (isThinned(root, step)) return 'done';
  return step.temporary === '' ? 'ready' : 'lost';
}

function standingOf(root: string, write: number, pending: PendingStep): Standing {
  const { step, temporary, target } = pending;
  if (step.change === 'segment') return standingOfSegment(root, step, temporary);
  if (step.change === 'delete') return 'ready';
  if (isTemporaryName(step.temporary) && writeOf(temporary) === write) return 'ready';
  return (writeOf(target) ?? -1) >= write ? 'done' : 'lost';
}

/** Nothing of a segment is left, or the disk had no room for what is left of it. */
async function finishThinning(root: string, step: SegmentStep, target: string): Promise<void> {
  if (step.isInPlace) await thinInPlace(root, step);
  else if (!isThinned(root, step)) removeFile(target);
}

async function finish(root: string, write: number, pending: PendingStep): Promise<void> {
  const { step, temporary, target, setAside } = pending;
  if (step.change === 'segment' && step.temporary === '') {
    await finishThinning(root, step, target);
  } else if (step.change === 'delete') {
    const present = writeOf(target);
    if (present !== undefined && present < write) removeFile(target);
  } else if (isTemporaryName(step.temporary)) {
    succeeds(() => {
      moveFile(temporary, target);
    });
  }
  succeeds(() => {
    removeFile(setAside);
  });
}

function undo(write: number, { step, temporary, target, setAside }: PendingStep): void {
  const isBack = succeeds(() => {
    moveFile(setAside, target);
  });
  // Where both names are of one file the rename does nothing.
  succeeds(() => {
    removeFile(setAside);
  });
  if (step.change === 'delete') return;
  if (step.change === 'put' && !isBack && writeOf(target) === write) removeFile(target);
  if (isTemporaryName(step.temporary)) {
    succeeds(() => {
      removeFile(temporary);
    });
  }
}

function pendingSteps(root: string, line: WriteLine): PendingStep[] {
  const pending: PendingStep[] = [];
  for (const [at, step] of line.steps.entries()) {
    if (step.change === 'quarantine' || !changesFile(step)) continue;
    // Lines of a segment are whole or not there: nothing waits beside them.
    if (step.change === 'put' && step.segment !== undefined) continue;
    pending.push({ step, ...stepPaths(root, line.write, { step, at }) });
  }
  return pending;
}

/** Whether files of the write still wait to be renamed or removed. */
export function hasLeftovers(root: string, line: WriteLine): boolean {
  return pendingSteps(root, line).some(
    ({ step, temporary, setAside }) =>
      existsSync(setAside) ||
      (makesFile(step) && isTemporaryName(step.temporary) && existsSync(temporary)),
  );
}

async function syncFiles(pending: readonly PendingStep[]): Promise<void> {
  for (const { step, target } of pending) if (makesFile(step)) await syncFileAt(target);
}

/**
 * Ends a write that its process did not: forward where all of its new files are there, else back to what was before.
 * Tells whether it went forward. Safe to repeat. The lock is held.
 */
export async function settleWrite(root: string, line: WriteLine): Promise<boolean> {
  const append = appendOf(line);
  if (append !== undefined) return await settleAppend(root, line.write, append);
  const pending = pendingSteps(root, line);
  const isWhole = pending.every((step) => standingOf(root, line.write, step) !== 'lost');
  for (const step of pending) {
    if (isWhole) await finish(root, line.write, step);
    else undo(line.write, step);
  }
  try {
    // Its process may have died before they were on the disk.
    if (isWhole) await syncFiles(pending);
    await syncFolders(pending);
  } catch (error) {
    // A folder that the write was to make was not made.
    if (!isMissing(error)) throw storeError(error, 'ending an interrupted write');
  }
  return isWhole;
}

/** Removes what killed writers left in the folders of records. The lock is held, so no process is writing. */
export function sweepLeftovers(root: string, keyLengths: KeyLengths): void {
  for (const { path, name } of [...walkFiles(root, keyLengths)]) {
    if (!isLeftover(name)) continue;
    succeeds(() => {
      removeFile(join(root, path));
    });
    removeEmptyFolders(root, path);
  }
}

/** Removes drafts of the index, the lock and the mark, and journals that are no longer the index. The lock is held. */
export function sweepOwnFolders(root: string, journal: string): void {
  for (const name of readdirSync(join(root, indexFolderName))) {
    const isOld = name.startsWith('journal-') && name !== basename(journal);
    if (isOld || isTemporaryName(name)) rmSync(join(root, dirname(journal), name), { force: true });
  }
  for (const name of readdirSync(root)) {
    if (!name.startsWith(`${lockFolderName}-`) && !isTemporaryName(name)) continue;
    rmSync(join(root, name), { recursive: true, force: true });
  }
}
