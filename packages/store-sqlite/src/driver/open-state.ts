import { isCtxError } from '@ctx/core';
import { type CollectionDefinition, lookForWrites, type OpenOptions } from '@ctx/store/backend';
import { type CollectionTable, collectionTable } from '../schema/collection-table.ts';
import { newWordsTableName } from '../schema/names.ts';
import { hasTable, openTables, readTables } from '../schema/open-tables.ts';
import type { SqliteStoreOptions } from '../sqlite-options.ts';
import { indexOldWords } from '../words/index-old-words.ts';
import { eraseMarkedWords } from '../write/erase-residue.ts';
import { writeMark } from '../write/write-mark.ts';
import type { Connection } from './connection.ts';
import { loadDriver } from './driver.ts';
import { openReadOnly } from './open-read-only.ts';
import { closeConnection, openConnection } from './shared-connections.ts';
import { leaveMark } from './store-mark.ts';

const defaultBusyTimeoutMs = 5000;

/** What an open backend holds. */
export interface OpenState {
  readonly connection: Connection;
  readonly tables: ReadonlyMap<string, CollectionTable>;
  readonly definitions: ReadonlyMap<string, CollectionDefinition>;
  /** Ends the look for what others write. */
  readonly stopLooking: () => void;
  /** Leaves what is not taken in of an older store's words to the next open. */
  readonly stopIndexing: () => void;
}

/** The collection as this program declares it, on the indexes and full-text columns that the file has. */
function tableFor(
  wanted: CollectionDefinition | undefined,
  stored: CollectionDefinition,
  mayWait: boolean,
): CollectionTable {
  const { indexes, ...rest } = wanted ?? stored;
  const names = indexes.map(({ name }) => name);
  const made = stored.indexes.filter(({ name }) => names.includes(name));
  const options = {
    storedFields: stored.search,
    storedColumns: Object.keys(stored.columns),
    mayWait,
  };
  return collectionTable({ ...rest, indexes: made }, options);
}

function nameOf(driver: SqliteStoreOptions['driver']): string {
  return typeof driver === 'string' ? driver : (driver?.name ?? '');
}

/**
 * Makes what the collections need, or finds it made on a disk without room: what is there is read, a delete may make room, and
 * each other write ends with `CTX_STORE_FULL`.
 */
async function openOrFindTables(
  connection: Connection,
  collections: readonly CollectionDefinition[],
): Promise<readonly CollectionDefinition[]> {
  try {
    return await connection.run(() => openTables(connection, { collections, now: Date.now() }));
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_FULL')) throw error;
    return await connection
      .run(() => readTables(connection, collections))
      .catch(() => Promise.reject(error)); // The first error is the one that tells.
  }
}

/** Opens the file, and makes in it what the collections need. */
export async function openState(
  options: SqliteStoreOptions,
  collections: readonly CollectionDefinition[],
  { onUnsearched, watch }: OpenOptions,
): Promise<OpenState> {
  const driver = await loadDriver(options.driver);
  const { path, busyTimeoutMs = defaultBusyTimeoutMs, readOnly = false } = options;
  const driverName = nameOf(options.driver);
  const connection = readOnly
    ? openReadOnly({ path, driver, busyTimeoutMs })
    : openConnection({ path, driver, driverName, busyTimeoutMs });
  try {
    const merged = readOnly
      ? await connection.run(() => readTables(connection, collections))
      : await openOrFindTables(connection, collections);
    if (!readOnly) {
      leaveMark(connection.path);
      await eraseMarkedWords(connection);
    }
    const definitions = new Map(collections.map((one) => [one.name, one]));
    const mayWait = (name: string): boolean => hasTable(connection, newWordsTableName(name));
    const tables = await connection.run(
      () =>
        new Map(
          merged.map((one) => {
            const table = tableFor(definitions.get(one.name), one, mayWait(one.name));
            return [one.name, table];
          }),
        ),
    );
    const old = { connection, tables: tables.values(), onUnsearched, isReadOnly: readOnly };
    const stopIndexing = await indexOldWords(old);
    const readMark = async () => writeMark(connection);
    const stopLooking = await lookForWrites({ watch, readMark });
    return { connection, definitions, tables, stopLooking, stopIndexing };
  } catch (error) {
    await closeConnection(connection);
    throw error;
  }
}

/** The mark of what is written; `undefined` where it cannot be read now. */
export function markOf({ connection }: OpenState): string | undefined {
  try {
    return writeMark(connection);
  } catch {
    return undefined;
  }
}
