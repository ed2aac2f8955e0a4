import { randomBytes } from 'node:crypto';
import {
  closeSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { CtxError } from '@ctx/core';

/** A file beside the store that says that there is one: what is empty later was emptied. */
function markPath(path: string): string {
  return `${path}-mark`;
}

/** Bytes of a file; `undefined` if it is missing. */
function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

function refuse(path: string, what: string, advice: string): never {
  const message = `the store ${path} ${what}; it was left as it is: bring a backup back, or ${advice}`;
  throw new CtxError('CTX_STORE_CORRUPT', message);
}

/** @throws `CTX_STORE_CORRUPT` where there was a store, as its mark says, and nothing is in it now. */
export function checkNotEmptied(path: string): void {
  const mark = markPath(path);
  if (sizeOf(mark) === undefined) return;
  refuse(
    path,
    'is empty, and held records before',
    `remove ${path} and ${mark} to begin a new one`,
  );
}

function checkHasNoLog(path: string, state: 'missing' | 'empty'): void {
  const log = `${path}-wal`;
  // The other process that makes the store writes its first page before the log.
  if (!sizeOf(log) || sizeOf(path)) return;
  const what = `is ${state}, and its log ${log} holds what was written last`;
  refuse(path, what, 'move the log away to begin a new one');
}

/**
 * Looks whether a path that is missing or empty held a store before. A mark that is left of one whose file was removed goes.
 * @throws `CTX_STORE_CORRUPT` where the file was emptied, or was lost while its log is still there.
 */
export function checkNotLost(path: string): void {
  const mark = markPath(path);
  // The mark is looked at first: it is made once the file has content.
  const hasMark = sizeOf(mark) !== undefined;
  const size = sizeOf(path);
  if (size !== undefined && size > 0) return;
  checkHasNoLog(path, size === undefined ? 'missing' : 'empty');
  if (!hasMark) return;
  if (size === undefined) rmSync(mark, { force: true });
  // Another process may have removed the mark and begun a new store since.
  else if (sizeOf(path) === 0) checkNotEmptied(path);
}

/** What a delete and its log need where a disk is full, bytes: the mark holds them for it. */
const reserveBytes = 256 * 1024;

/** A disk with less room is not asked for a reserve. */
const leastRoom = 16 * reserveBytes;

/** Leaves the mark of a store that is open, and the reserve in it. Where it cannot be left there is none. */
export function leaveMark(path: string): void {
  const mark = markPath(path);
  try {
    if (sizeOf(mark) === undefined) closeSync(openSync(mark, 'wx', 0o600));
    const { bavail, bsize } = statfsSync(path);
    if (sizeOf(mark) !== 0 || bavail * bsize < leastRoom) return;
    // Zeros would take no room on a disk that compresses.
    writeFileSync(mark, randomBytes(reserveBytes));
  } catch {
    // The folder takes no more files.
  }
}

/** Gives the room of the reserve to what is written next; the next open with enough room lays it in again. */
export function spendReserve(path: string): void {
  try {
    truncateSync(markPath(path), 0);
  } catch {
    // There is none.
  }
}
