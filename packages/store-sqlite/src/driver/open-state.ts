import { isCtxError } from '@ctx/core';
import { type CollectionDefinition, lookForWrites, type OpenOptions } from '@ctx/store/backend';
import { type CollectionTable, collectionTable } from '../schema/collection-table.ts';
import { openTables, readTables } from '../schema/open-tables.ts';
import type { SqliteStoreOptions } from '../sqlite-options.ts';
import { overlayWords } from '../words/overlay-words.ts';
import { findWaiting, type WaitingWords } from '../words/waiting-words.ts';
import { writeMark } from '../write/write-mark.ts';
import type { Connection } from './connection.ts';
import { loadDriver } from './driver.ts';
import { openReadOnly } from './open-read-only.ts';
import { closeConnection, openConnection } from './shared-connections.ts';

const defaultBusyTimeoutMs = 5000;

/** What an open backend holds. */
export interface OpenState extends WaitingWords {
  readonly definitions: ReadonlyMap<string, CollectionDefinition>;
  readonly wordsOf: WordsOf;
  /** Ends the look for what others write. */
  readonly stopLooking: () => void;
}

type WordsOf = NonNullable<OpenOptions['wordsOf']>;

/** The collection as this program declares it, on the indexes and full-text columns that the file has. */
function tableFor(
  wanted: CollectionDefinition | undefined,
  stored: CollectionDefinition,
  wordsOf: WordsOf,
): CollectionTable {
  const { indexes, ...rest } = wanted ?? stored;
  const names = indexes.map(({ name }) => name);
  const made = stored.indexes.filter(({ name }) => names.includes(name));
  return collectionTable(
    { ...rest, indexes: made },
    {
      storedFields: stored.search,
      wordsOf: Object.hasOwn(wordsOf, rest.name) ? wordsOf[rest.name] : undefined,
    },
  );
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
  { wordsOf: given = {}, watch }: OpenOptions,
): Promise<OpenState> {
  const wordsOf = { ...given };
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
    const definitions = new Map(collections.map((one) => [one.name, one]));
    const tables = new Map(
      merged.map((one) => [one.name, tableFor(definitions.get(one.name), one, wordsOf)]),
    );
    const waiting = await connection.run(() => findWaiting({ connection, tables }));
    if (readOnly) await overlayWords(connection, tables);
    const readMark = async () => writeMark(connection);
    const stopLooking = await lookForWrites({ watch, readMark });
    return { connection, definitions, tables, wordsOf, ...waiting, isTakingIn: false, stopLooking };
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
