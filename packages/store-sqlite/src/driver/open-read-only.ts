import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CtxError } from '@ctx/core';
import { type Connection, createConnection } from './connection.ts';
import { checkIsNoFolder } from './prepare-file.ts';
import type { SqliteDriver } from './sqlite-driver.ts';
import { fileError, storeError } from './store-errors.ts';
import { checkNotLost } from './store-mark.ts';

export interface OpenReadOnlyOptions {
  readonly path: string;
  readonly driver: SqliteDriver;
  readonly busyTimeoutMs: number;
}

function realPath(path: string): string {
  try {
    const real = realpathSync(resolve(path));
    checkIsNoFolder(real);
    checkNotLost(real);
    return real;
  } catch (error) {
    throw fileError(error, path);
  }
}

/** SQLite reads a file that cannot change without its log: what the log holds would be missing. */
function checkNoLog(path: string): void {
  for (const log of [`${path}-wal`, `${path}-journal`]) {
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) continue;
    const message = `the store ${path} cannot be written, and ${log} was not taken in; open it once where it can be written`;
    throw new CtxError('CTX_STORE_READ_ONLY', message);
  }
}

/**
 * Opens a file that no process writes, without a lock and without any file beside it.
 * The connection is its opener's own. The driver must take a `file:` address.
 * @throws `CTX_STORE_READ_ONLY` where a log beside the file was not taken in.
 */
export function openReadOnly({ path, driver, busyTimeoutMs }: OpenReadOnlyOptions): Connection {
  const real = realPath(path);
  checkNoLog(real);
  const address = pathToFileURL(real);
  address.searchParams.set('mode', 'ro');
  address.searchParams.set('immutable', '1');
  try {
    return createConnection(driver(address.href), { path: real, busyTimeoutMs });
  } catch (error) {
    throw storeError(error, real);
  }
}
