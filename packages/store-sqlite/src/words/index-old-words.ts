import { isCtxError } from '@ctx/core';
import type { OpenOptions, StoredRecord } from '@ctx/store/backend';
import { quoteName } from '@ctx/store/sql';
import { type Connection, yieldToLoop } from '../driver/connection.ts';
import type { SqliteRow } from '../driver/sqlite-driver.ts';
import { recordOfRow } from '../read/read-record.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { newWordsTableName, recordId } from '../schema/names.ts';
import { addWords, wordsByField } from './write-words.ts';

/** So many records' words are taken in by one transaction: some hundredths of a second. */
const stepRecords = 64;

/** How many records of a collection wait for their words: those of a store of layout 2, which indexed words after the write. */
export function countWaiting(connection: Connection, table: CollectionTable): number {
  if (!table.mayWait) return 0;
  const waiting = quoteName(newWordsTableName(table.definition.name));
  return Number(connection.statement(`SELECT count(*) AS n FROM ${waiting}`).get()?.['n']);
}

type FindWords = (record: StoredRecord) => Readonly<Record<string, string>>;

/** None where the row is damaged: reading it tells. */
function wordsOfRow(
  table: CollectionTable,
  row: SqliteRow,
  find: FindWords,
): Pick<Parameters<typeof addWords>[2], 'key' | 'byField'> | undefined {
  try {
    const record = recordOfRow(table, row, 'whole');
    const byField = wordsByField(table, find(record));
    return byField && { key: record.key, byField };
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CORRUPT')) return undefined;
    throw error;
  }
}

/** Takes in the words of the records that wait longest. Within a transaction. Gives how many wait no more. */
function indexStep(connection: Connection, table: CollectionTable, find: FindWords): number {
  const waiting = quoteName(newWordsTableName(table.definition.name));
  const ids = connection
    .statement(`SELECT ${recordId} FROM ${waiting} ORDER BY ${recordId} LIMIT ${stepRecords}`)
    .all();
  for (const { [recordId]: id = null } of ids) {
    // Who is gone was deleted by hand.
    const row = connection.statement(table.selectById).get(id);
    const words = row && wordsOfRow(table, row, find);
    if (words !== undefined) addWords(connection, table, { id, ...words });
    connection.statement(`DELETE FROM ${waiting} WHERE ${recordId} = ?`).run(id);
  }
  return ids.length;
}

/** The records of an open store that wait. */
export interface OldWords {
  readonly connection: Connection;
  readonly tables: Iterable<CollectionTable>;
  readonly onUnsearched: OpenOptions['onUnsearched'];
  /** Whether they stay as they are: the file is not written. */
  readonly isReadOnly: boolean;
}

function countAll(connection: Connection, tables: readonly CollectionTable[]): Promise<number> {
  const count = () => tables.reduce((sum, table) => sum + countWaiting(connection, table), 0);
  return connection.run(count);
}

async function indexAll(
  { connection, onUnsearched }: OldWords,
  tables: readonly CollectionTable[],
  isStopped: () => boolean,
): Promise<void> {
  const { storeWords } = await import('@ctx/store');
  for (const table of tables) {
    const find = storeWords[table.definition.name];
    if (find === undefined) continue;
    for (let taken = stepRecords; taken === stepRecords; ) {
      // Other reads and writes get a turn between two steps.
      await yieldToLoop();
      if (isStopped()) return;
      taken = await connection.run(() =>
        connection.transaction('process', () => indexStep(connection, table, find)),
      );
      if (taken > 0) onUnsearched?.(await countAll(connection, tables));
    }
  }
}

/**
 * Indexes the words of records that an older ctx left without, after the open and a few at a time; until then no search finds them. Returns
 * how to stop that: what is left goes on with the next open.
 * Counts once where nothing waits.
 */
export async function indexOldWords(old: OldWords): Promise<() => void> {
  const { connection, isReadOnly, onUnsearched } = old;
  const tables = [...old.tables].filter(({ mayWait }) => mayWait);
  if (tables.length === 0) return () => undefined;
  const count = await countAll(connection, tables);
  if (count > 0) onUnsearched?.(count);
  let isStopped = count === 0 || isReadOnly;
  // What fails, such as on a full disk, is left for the next open; `onUnsearched` has said how many there are.
  if (!isStopped) indexAll(old, tables, () => isStopped).catch(() => undefined);
  return () => {
    isStopped = true;
  };
}
