import { linkSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isCtxError } from '@ctx/core';
import {
  besidePath,
  previousPath,
  recordPath,
  removeEmptyFolders,
  setAsideName,
} from '../files/file-layout.ts';
import { moveFile, removeFile } from '../files/move-file.ts';
import { segmentPath } from '../files/segment-file.ts';
import { isMissing, storeError, succeeds, systemCode } from '../files/system-errors.ts';
import { type Durability, syncFolder } from '../files/write-atomically.ts';
import { changesFile, type DeleteStep, type FileStep } from '../journal/journal-line.ts';
import { thinInPlace } from './thin-in-place.ts';

/** A write whose new files are written and whose line is in the journal. */
export interface PreparedWrite {
  readonly root: string;
  readonly write: number;
  readonly steps: readonly FileStep[];
  readonly durability: Durability;
  /** Collections that keep the copy before. */
  readonly previousCopies: readonly string[];
  /** Throws where the lock was lost. */
  readonly check: () => void;
}

/** Paths of one step, relative to nothing: ready for the system. */
export interface StepPaths {
  readonly target: string;
  readonly temporary: string;
  readonly setAside: string;
}

/** Whether a new file takes the place of the step. */
export function makesFile(step: FileStep): step is Exclude<FileStep, DeleteStep> {
  return step.change === 'put' || (step.change === 'segment' && step.temporary !== '');
}

/** Where the file lies that a step makes, changes or removes, below the store's folder. */
export function targetPath(step: FileStep): string {
  if (step.change === 'segment') return segmentPath(step, step.file);
  return recordPath(step.collection, step.key);
}

/** Where the files of the step `at` of a write lie. */
export function stepPaths(
  root: string,
  write: number,
  { step, at }: { step: FileStep; at: number },
): StepPaths {
  const target = join(root, targetPath(step));
  return {
    target,
    temporary: makesFile(step) ? besidePath(target, step.temporary) : '',
    setAside: besidePath(target, setAsideName(write, at)),
  };
}

/** New records have nothing to set aside: to ask costs a third of a call that fails. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Keeps what is in the target's place under a second name. On file systems without links the name moves. */
function setTargetAside({ target, setAside }: StepPaths): void {
  if (!isThere(target)) return;
  try {
    linkSync(target, setAside);
  } catch (error) {
    if (isMissing(error)) return;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(systemCode(error)))
      throw error;
    moveFile(target, setAside);
  }
}

async function exchange(root: string, step: FileStep, paths: StepPaths): Promise<void> {
  if (step.change === 'segment' && step.isInPlace) {
    await thinInPlace(root, step);
    return;
  }
  if (makesFile(step)) {
    setTargetAside(paths);
    moveFile(paths.temporary, paths.target);
    return;
  }
  try {
    moveFile(paths.target, paths.setAside);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Puts back what lay in the target's place. Harmless where nothing was exchanged. */
function putBack(step: FileStep, paths: StepPaths, wasExchanged: boolean): void {
  try {
    moveFile(paths.setAside, paths.target);
    // Where both names are of one file the rename does nothing, so the second name must go by itself.
    succeeds(() => {
      removeFile(paths.setAside);
    });
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (wasExchanged && makesFile(step))
      succeeds(() => {
        removeFile(paths.target);
      });
  }
  if (makesFile(step))
    succeeds(() => {
      removeFile(paths.temporary);
    });
}

/** Brings the names in all folders of the write to the disk. */
export async function syncFolders(paths: readonly StepPaths[]): Promise<void> {
  for (const folder of new Set(paths.map(({ target }) => dirname(target))))
    await syncFolder(folder);
}

/** Removes the old file, or keeps it as the copy before. Tells whether that worked. */
function dropSetAside(write: PreparedWrite, step: FileStep, paths: StepPaths): boolean {
  const keepsPrevious = step.change !== 'segment' && write.previousCopies.includes(step.collection);
  const previous = previousPath(paths.target);
  const drop = (): void => {
    if (makesFile(step) && keepsPrevious) moveFile(paths.setAside, previous);
    else removeFile(paths.setAside);
  };
  try {
    if (isThere(paths.setAside)) drop();
  } catch (error) {
    if (!isMissing(error)) return false;
  }
  if (makesFile(step)) return true;
  if (keepsPrevious) {
    succeeds(() => {
      removeFile(previous);
    });
  }
  removeEmptyFolders(write.root, targetPath(step));
  return true;
}

interface StepInPlace {
  readonly step: FileStep;
  readonly paths: StepPaths;
}

async function exchangeAll(write: PreparedWrite, all: readonly StepInPlace[]): Promise<void> {
  const exchanged = new Set<StepInPlace>();
  try {
    for (const one of all) {
      write.check();
      await exchange(write.root, one.step, one.paths);
      exchanged.add(one);
    }
    if (write.durability === 'power') await syncFolders(all.map(({ paths }) => paths));
  } catch (error) {
    // Whoever took the lock over has settled this write already.
    if (isCtxError(error, 'CTX_STORE_BUSY')) throw error;
    for (const one of [...all].reverse()) putBack(one.step, one.paths, exchanged.has(one));
    throw storeError(error, 'putting files into their places');
  }
}

/**
 * Puts the new files of a write into their places and takes the deleted ones out: all of them or, after an error, none. Tells
 * whether nothing is left over.
 * @throws `CTX_STORE_BUSY` where the lock was lost, else what the system's error means.
 */
export async function exchangeFiles(write: PreparedWrite): Promise<boolean> {
  const { root, steps } = write;
  const every = steps.map((step, at) => ({
    step,
    paths: stepPaths(root, write.write, { step, at }),
  }));
  const all = every.filter(({ step }) => changesFile(step));
  await exchangeAll(write, all);
  let isTidy = true;
  for (const { step, paths } of all) isTidy = dropSetAside(write, step, paths) && isTidy;
  return isTidy;
}
