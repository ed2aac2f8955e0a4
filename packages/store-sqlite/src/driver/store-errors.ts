import { accessSync, constants, readFileSync } from 'node:fs';
import { CtxError, type CtxErrorCode, isCtxError } from '@ctx/core';

/** Primary result codes of SQLite that ctx tells apart. Source: https://www.sqlite.org/rescode.html */
const resultCodes: Readonly<Record<string, number>> = {
  SQLITE_PERM: 3,
  SQLITE_BUSY: 5,
  SQLITE_LOCKED: 6,
  SQLITE_READONLY: 8,
  SQLITE_CORRUPT: 11,
  SQLITE_FULL: 13,
  SQLITE_CANTOPEN: 14,
  SQLITE_TOOBIG: 18,
  SQLITE_NOTADB: 26,
};

const meanings = new Map<number, readonly [CtxErrorCode, string]>([
  [3, ['CTX_STORE_READ_ONLY', 'must not be written']],
  [5, ['CTX_STORE_BUSY', 'is held by another process']],
  [6, ['CTX_STORE_BUSY', 'is held by another process']],
  [8, ['CTX_STORE_READ_ONLY', 'cannot be written']],
  [
    11,
    [
      'CTX_STORE_CORRUPT',
      'is damaged; it was left as it is: run ctx doctor --repair, or restore a backup',
    ],
  ],
  [13, ['CTX_STORE_FULL', 'found no room on its disk']],
  [14, ['CTX_STORE_IO', 'cannot be opened']],
  [18, ['CTX_TOO_LARGE', 'cannot hold a value of more than 1,000,000,000 bytes']],
  [26, ['CTX_STORE_CORRUPT', 'is no store of ctx: it is no SQLite database; it was left as it is']],
]);

/**
 * What SQLite says where @photostructure/sqlite gives no code: while it steps through rows. And of bytes in a column, of which ctx
 * writes none.
 */
const messages: Readonly<Record<string, number>> = {
  'database is locked': 5,
  'attempt to write a readonly database': 8,
  'database disk image is malformed': 11,
  'database or disk is full': 13,
  'file is not a database': 26,
  'JSON cannot hold BLOB values': 11,
};

function codeByName(error: object): number | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return resultCodes[code.split('_').slice(0, 2).join('_')];
}

function codeByMessage(error: object): number | undefined {
  const message = error instanceof Error ? error.message : '';
  return Object.hasOwn(messages, message) ? messages[message] : undefined;
}

/** The primary result code in an error of any of the drivers: words, a number `errcode`, or a name as `code`. */
function resultCodeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const told = codeByMessage(error);
  if (told !== undefined) return told;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode % 256;
  return codeByName(error);
}

/**
 * Extended codes of an I/O error where no more could be written: SQLite says so of the shared memory of its log when a disk is full, and
 * of any write when a file may not grow, which no message tells apart from a broken disk. Source: https://www.sqlite.org/rescode.html
 */
const noSharedMemory = 4874;
const noWrite: readonly number[] = [778, 1546, 4874];

/** Whether this process may not write files of any size (`ulimit -f`). */
function hasSizeLimit(): boolean {
  try {
    return !/^Max file size\s+unlimited/m.test(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return false;
  }
}

/** The extended result code, where the driver tells it. */
function extendedCodeOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 0;
  if ('sqliteExtendedCode' in error) return Number(error.sqliteExtendedCode);
  return 'errcode' in error ? Number(error.errcode) : 0;
}

function isFull(error: unknown): boolean {
  const code = extendedCodeOf(error);
  return code === noSharedMemory || (noWrite.includes(code) && hasSizeLimit());
}

/** What keeps this user from reading the file, which SQLite does not tell from any other failure to open it. */
function whyUnreadable(path: string): unknown {
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Wraps what a driver threw. The message names the file and never holds SQL or content. */
export function storeError(error: unknown, path: string): CtxError {
  if (isCtxError(error)) return error;
  const result = isFull(error) ? 13 : resultCodeOf(error);
  const [code, meaning] = meanings.get(result ?? 0) ?? [
    'CTX_STORE_IO',
    'failed in its driver or on its disk',
  ];
  const cause = result === resultCodes['SQLITE_CANTOPEN'] ? (whyUnreadable(path) ?? error) : error;
  return new CtxError(code, `the store ${path} ${meaning}`, { cause });
}

/** The errors of the file system that have a code of their own. */
const fileMeanings: Readonly<Record<string, CtxErrorCode>> = {
  EACCES: 'CTX_STORE_READ_ONLY',
  EPERM: 'CTX_STORE_READ_ONLY',
  EROFS: 'CTX_STORE_READ_ONLY',
  ENOSPC: 'CTX_STORE_FULL',
  EDQUOT: 'CTX_STORE_FULL',
  EFBIG: 'CTX_STORE_FULL',
  ERR_INVALID_ARG_VALUE: 'CTX_INVALID_INPUT',
};

/** Wraps what `node:fs` threw. */
export function fileError(error: unknown, path: string): CtxError {
  if (isCtxError(error)) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = Object.hasOwn(fileMeanings, code) ? fileMeanings[code] : undefined;
  return new CtxError(known ?? 'CTX_STORE_IO', `the file ${path} cannot be made or reached`, {
    cause: error,
  });
}
