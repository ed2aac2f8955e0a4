import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs';
import { CtxError } from '@ctx/core';
import type { CollectionDefinition } from '@ctx/store/backend';
import { type Connection, createConnection } from '../driver/connection.ts';
import { loadDriver } from '../driver/driver.ts';
import { fileError, storeError } from '../driver/store-errors.ts';
import { leaveMark } from '../driver/store-mark.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { metaTable } from '../schema/names.ts';
import { recountSql, tallyTableOf } from '../schema/tally-table.ts';
import { checkSqliteFile, pageDamage, tablesOf, tallyDamage } from './check-file.ts';
import { bytesOf, openPages } from './page-file.ts';
import { type FindWords, type RecoveredCollection, rebuildFrom } from './rebuild-file.ts';

/** What a repair did to a store's file. */
export interface SqliteFileRepair {
  /** `none`: no page, index or count was damaged, or that was not to be repaired. `mended`: indexes and counts were rebuilt in place. `recovered`: the whole file was rebuilt. */
  readonly how: 'none' | 'mended' | 'recovered';
  /** What was wrong. */
  readonly damage: readonly string[];
  /** Where the damaged file is kept. */
  readonly kept?: string;
  /** What came back, and what did not. */
  readonly collections: readonly RecoveredCollection[];
  /** Bytes that the file lost at its end. */
  readonly missingBytes: number;
}

/** How a repair runs. */
export interface SqliteRepairOptions {
  readonly path: string;
  /** Collections to look for where the file does not say what it holds. */
  readonly collections: readonly CollectionDefinition[];
  /** Finds the words of what comes back, so that a search does: `wordsOfRecord` of `@ctx/store`. */
  readonly wordsOf: FindWords;
  /** ms since the epoch: names the damaged file. */
  readonly now: number;
  /** Whether to rebuild a file whose record pages are damaged. Default true. */
  readonly rebuild?: boolean;
}

/** Copies the file and its log, for their owner alone. */
function keepDamaged(path: string, now: number): string {
  const kept = `${path}.damaged-${new Date(now).toISOString().replaceAll(':', '-')}`;
  try {
    for (const end of ['', '-wal']) {
      if (bytesOf(path + end) === 0) continue;
      copyFileSync(path + end, kept + end);
      chmodSync(kept + end, 0o600);
    }
  } catch (error) {
    removeKept(kept);
    throw fileError(error, kept);
  }
  return kept;
}

function removeKept(kept: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(kept + end, { force: true });
}

/**
 * Looks whether another process has the file open, without reading what it says of itself: that may be what is damaged.
 * @throws `CTX_STORE_BUSY` where one has.
 */
async function refuseOpen(path: string): Promise<void> {
  const database = (await loadDriver())(path);
  try {
    database.exec('PRAGMA busy_timeout = 1000; PRAGMA locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE; COMMIT; PRAGMA locking_mode = NORMAL');
  } catch (error) {
    const known = storeError(error, path);
    if (known.code === 'CTX_STORE_BUSY') throw known;
  } finally {
    database.close();
  }
}

async function openAlone(path: string): Promise<Connection> {
  const driver = await loadDriver();
  const connection = createConnection(driver(path), { path, busyTimeoutMs: 1000 });
  connection.execute('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
  return connection;
}

function recount(connection: Connection, { definition }: CollectionTable): void {
  for (const index of definition.indexes) {
    const tally = tallyTableOf(definition, index);
    const steps = tally === undefined ? [] : recountSql(definition.name, tally);
    for (const sql of steps) connection.execute(sql);
  }
}

/** Rebuilds indexes and counts. Returns what is still wrong. */
function mend(connection: Connection): string[] {
  if (pageDamage(connection).length > 0) connection.execute('REINDEX');
  const tables = tablesOf(connection);
  if (tallyDamage(connection, tables).length > 0) {
    for (const table of tables) recount(connection, table);
  }
  return [...pageDamage(connection), ...tallyDamage(connection, tables)];
}

/**
 * Tries to mend the file in place while no other process has it open. Returns false if that is not enough.
 * @throws `CTX_STORE_BUSY` where another process has it open.
 */
async function mendInPlace(path: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await openAlone(path);
    const open = connection;
    const left = await connection.run(() => open.transaction('power', () => mend(open)));
    // A driver that keeps statements until they are collected would keep the lock with them.
    const leave = 'PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL';
    connection.execute(`${leave}; SELECT count(*) FROM sqlite_schema`);
    return left.length === 0;
  } catch (error) {
    const known = storeError(error, path);
    if (known.code === 'CTX_STORE_BUSY') throw known;
    return false;
  } finally {
    await connection?.close().catch(() => undefined);
  }
}

/**
 * Keeps a copy of a file that is damaged; `undefined` where it is not. A file with a log is checked by the copy: a driver that keeps
 * statements until they are collected would keep a lock on the original.
 */
async function damagedCopy(
  path: string,
  now: number,
): Promise<{ readonly kept: string; readonly damage: readonly string[] } | undefined> {
  if (bytesOf(`${path}-wal`) === 0) {
    const { damage } = await checkSqliteFile(path);
    return damage.length === 0 ? undefined : { kept: keepDamaged(path, now), damage };
  }
  const kept = keepDamaged(path, now);
  const { damage } = await checkSqliteFile(kept);
  rmSync(`${kept}-shm`, { force: true });
  if (damage.length > 0) return { kept, damage };
  removeKept(kept);
  return undefined;
}

/**
 * Whether the indexes were rebuilt from rows as they were written. A damaged key would go into them, and the index of the damaged file was
 * the last to know the true one: then that file is read instead.
 */
async function fitsItsIndexes(path: string, mayRebuild: boolean): Promise<boolean> {
  return !mayRebuild || (await checkSqliteFile(path)).records.length === 0;
}

/** Whether damage hit what the file says of itself. That has no second copy, so only a new file says it again. */
function hitsMetadata(damage: readonly string[]): boolean {
  return damage.some((what) => what.includes(metaTable));
}

async function isMendedInPlace(
  path: string,
  damage: readonly string[],
  mayRebuild: boolean,
): Promise<boolean> {
  if (mayRebuild && hitsMetadata(damage)) return false;
  return (await mendInPlace(path)) && (await fitsItsIndexes(path, mayRebuild));
}

/** Puts the new file in the place of the damaged one. The log goes first: it belongs to no other file. */
function exchange(path: string, rebuilt: string): void {
  try {
    for (const end of ['-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
    renameSync(rebuilt, path);
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Rebuilds the file from a copy of it, which is deleted where that fails: the file itself is as it was. */
async function recoverInto(
  into: Parameters<typeof rebuildFrom>[1],
  { path, kept }: { readonly path: string; readonly kept: string },
): Promise<Pick<SqliteFileRepair, 'collections' | 'missingBytes'>> {
  let file: ReturnType<typeof openPages> | undefined;
  try {
    file = openPages(kept);
    const collections = await rebuildFrom(file, into);
    if (collections.every(({ recovered }) => recovered === 0)) {
      const message = `nothing can be read of the store ${path}; it was left as it is`;
      throw new CtxError('CTX_STORE_CORRUPT', message);
    }
    const missingBytes = Math.max(0, file.declared * file.pageSize - bytesOf(kept));
    return { collections, missingBytes };
  } catch (error) {
    removeKept(kept);
    throw error;
  } finally {
    file?.close();
  }
}

/**
 * Repairs a store's file: indexes and kept counts in place, and where pages of records are damaged by reading what can be read into a new
 * file, which takes the place of the damaged one. The damaged file is kept beside it. Records that only do not fit their checksums are
 * left to `verifyStore`.
 * The file must not be open anywhere. Until the new file is complete, the damaged one is in its place. Takes time and room of the file,
 * twice.
 * @throws `CTX_STORE_BUSY`, `CTX_STORE_FULL`, `CTX_STORE_IO`; `CTX_STORE_CORRUPT` where nothing can be read.
 */
export async function repairSqliteFile(options: SqliteRepairOptions): Promise<SqliteFileRepair> {
  const { path, now, collections, wordsOf, rebuild = true } = options;
  const found = await damagedCopy(path, now);
  if (found === undefined) return { how: 'none', damage: [], collections: [], missingBytes: 0 };
  const { kept, damage } = found;
  try {
    await refuseOpen(path);
    if (await isMendedInPlace(path, damage, rebuild)) {
      return { how: 'mended', damage, kept, collections: [], missingBytes: 0 };
    }
  } catch (error) {
    removeKept(kept);
    throw error;
  }
  if (!rebuild) {
    removeKept(kept);
    return { how: 'none', damage, collections: [], missingBytes: 0 };
  }
  const rebuilt = `${path}.repairing`;
  const into = { path: rebuilt, known: collections, now, wordsOf };
  try {
    const recovered = await recoverInto(into, { path, kept });
    exchange(path, rebuilt);
    leaveMark(path);
    return { how: 'recovered', damage, kept, ...recovered };
  } finally {
    for (const end of ['', '-wal', '-shm', '-mark']) rmSync(rebuilt + end, { force: true });
  }
}
