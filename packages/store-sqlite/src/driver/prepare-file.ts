import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CtxError } from '@ctx/core';
import { makeFolders } from './make-folders.ts';
import { fileError } from './store-errors.ts';
import { checkNotLost } from './store-mark.ts';

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

/**
 * Makes an empty file that only its owner may read, unless there is one: SQLite fills it and gives its companions the
 * same mode. Never opens a file that exists, since closing it would drop the process's locks on it.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!isThere(error)) throw fileError(error, path);
  }
}

/** Throws `CTX_INVALID_INPUT` where the path names a folder. */
export function checkIsNoFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const message = `${path} is a folder, and an SQLite store is one file; name a file, such as ${join(path, 'ctx.db')}`;
  throw new CtxError('CTX_INVALID_INPUT', message);
}

/** The name behind links, as far as there is a file. */
function trueName(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/**
 * Makes folder and file where they are missing and gives the file's one true name.
 * @throws `CTX_STORE_CORRUPT` where a store was there before.
 */
export function prepareFile(path: string): string {
  const absolute = resolve(path);
  try {
    makeFolders(dirname(absolute));
  } catch (error) {
    throw fileError(error, absolute);
  }
  try {
    checkNotLost(trueName(absolute));
    makePrivateFile(absolute);
    checkIsNoFolder(absolute);
    return realpathSync(absolute);
  } catch (error) {
    throw fileError(error, absolute);
  }
}

/** Throws `CTX_STORE_READ_ONLY` where this user may not write the file or its folder. */
export function checkWritable(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (cause) {
    const message = `the store ${path} cannot be written; check the permissions of file and folder`;
    throw new CtxError('CTX_STORE_READ_ONLY', message, { cause });
  }
}
