import { closeSync, fstatSync, fsync, openSync, unlinkSync, writeSync } from 'node:fs';
import { CtxError } from '@ctx/core';
import { isWindows } from './move-file.ts';
import { storeError, succeeds } from './system-errors.ts';

export type Durability = 'process' | 'power';

function syncFile(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(file, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}

/** Bytes that go out at once; between them the event loop runs. */
const sliceBytes = 1 << 20;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Writes all bytes at `position`: the system may take fewer than it is given, as it does when the disk fills up. */
export async function writeFully(file: number, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const length = Math.min(sliceBytes, bytes.length - written);
    written += writeSync(file, bytes, written, length, position + written);
    if (written < bytes.length) await nextTurn();
  }
}

/** Brings what was written to the disk. After a failure the file must be written anew, never synced again. */
export async function syncToDisk(file: number): Promise<void> {
  await syncFile(file);
}

async function syncAt(path: string, flags: 'r' | 'r+'): Promise<void> {
  const file = openSync(path, flags);
  try {
    await syncFile(file);
  } finally {
    closeSync(file);
  }
}

/** Syncs a file to the disk that another process may have written. */
export async function syncFileAt(path: string): Promise<void> {
  await syncAt(path, 'r+'); // Windows flushes no file that is open to be read
}

/** Brings a folder's names to the disk. Windows has no call for it, and keeps names in a journal of its own. */
export async function syncFolder(path: string): Promise<void> {
  if (!isWindows()) await syncAt(path, 'r');
}

function describe(bytes: Uint8Array): string {
  return `writing a file of ${bytes.length} bytes`;
}

/** Closes a file that is not to be, and removes it. */
export function dropFile(file: number, path: string): void {
  succeeds(() => {
    closeSync(file);
  });
  succeeds(() => {
    unlinkSync(path);
  });
}

/**
 * Makes a new file, mode 0600, with these bytes, which are not on the disk yet, and leaves it open.
 * After an error there is no such file.
 * @throws `CTX_STORE_FULL`, `CTX_STORE_IO`, `CTX_STORE_READ_ONLY`.
 */
export async function makeFile(path: string, bytes: Uint8Array): Promise<number> {
  const what = describe(bytes);
  const file = openNew(path, what);
  try {
    await writeFully(file, bytes, 0);
    if (fstatSync(file).size !== bytes.length) {
      throw new CtxError('CTX_STORE_IO', `${what} left a shorter one`);
    }
    return file;
  } catch (error) {
    dropFile(file, path);
    throw storeError(error, what);
  }
}

/**
 * Writes a new file, mode 0600, whole and (with `power`) on the disk. A rename then puts it in its place: before that
 * nobody sees it.
 * After an error there is no such file.
 * @throws `CTX_STORE_FULL`, `CTX_STORE_IO`, `CTX_STORE_READ_ONLY`.
 */
export async function writeNewFile(
  path: string,
  bytes: Uint8Array,
  durability: Durability,
): Promise<void> {
  const file = await makeFile(path, bytes);
  try {
    if (durability === 'power') await syncToDisk(file);
  } catch (error) {
    dropFile(file, path);
    throw storeError(error, describe(bytes));
  }
  closeNew(file, path, describe(bytes));
}

/**
 * Makes an empty file, mode 0600, and leaves it open.
 * @throws what the system's error means, also where something is there.
 */
export function openNew(path: string, what: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    throw storeError(error, what);
  }
}

/** Some file systems tell only here that the bytes did not fit. The number is free afterwards even when this fails. */
function closeNew(file: number, path: string, what: string): void {
  try {
    closeSync(file);
  } catch (error) {
    succeeds(() => {
      unlinkSync(path);
    });
    throw storeError(error, what);
  }
}
