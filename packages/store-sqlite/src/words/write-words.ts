import { CtxError, isCtxError } from '@ctx/core';
import type { RecordKey } from '@ctx/store/backend';
import { type Connection, yieldToLoop } from '../driver/connection.ts';
import type { SqliteValue, SqliteValueList } from '../driver/sqlite-driver.ts';
import { recordWithBody } from '../read/read-record.ts';
import { readValues } from '../read/read-values.ts';
import { scopeTokens } from '../read/search-sql.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { takeInWordsSql } from '../schema/create-tables.ts';
import {
  limitSql,
  newWordsTableName,
  quoteName,
  recordId,
  scopeColumn,
  wordsTableName,
} from '../schema/names.ts';

type ByField = readonly string[];

/** The words of a record by search field, in the order of the definition; undefined where it holds none. */
export function wordsByField(
  { searchFields }: CollectionTable,
  words: Readonly<Record<string, string>> = {},
): ByField | undefined {
  const byField = searchFields.map(({ name }) =>
    Object.hasOwn(words, name) ? (words[name] ?? '') : '',
  );
  return byField.every((text) => text === '') ? undefined : byField;
}

/**
 * So many records' words wait before they are taken into the full-text table together: that costs half as much as one by
 * one. Source: measured, 32 KB of text a record.
 */
export const waitingRecords = 32;

interface WordsRow {
  readonly id: SqliteValue;
  readonly key: RecordKey;
  readonly byField: ByField;
}

/** Adds a record's words under its row. They wait to be taken in: see {@link takeInWords}. */
export function addWords(
  connection: Connection,
  { addWords: { waiting } }: CollectionTable,
  { id, key, byField }: WordsRow,
): void {
  connection.statement(waiting).run(id, scopeTokens(key), ...byField);
}

/** Notes that a record's words are still to be found in it. */
export function waitForWords(
  connection: Connection,
  table: CollectionTable,
  id: SqliteValue,
): void {
  connection.statement(table.wait).run(id);
}

/** Takes a record's words out, wherever they are. */
export function removeWords(connection: Connection, table: CollectionTable, id: SqliteValue): void {
  const { name } = table.definition;
  const waiting = quoteName(newWordsTableName(name));
  const found = connection
    .statement(`DELETE FROM ${waiting} WHERE ${recordId} = ? RETURNING ${recordId}`)
    .all(id);
  if (found.length > 0) return;
  connection.statement(`DELETE FROM ${quoteName(wordsTableName(name))} WHERE rowid = ?`).run(id);
}

/** How many records' words wait, counted up to `limit`. */
export function countWaiting(
  connection: Connection,
  { definition, searchFields }: CollectionTable,
  limit: number,
): number {
  if (searchFields.length === 0) return 0;
  const waiting = quoteName(newWordsTableName(definition.name));
  const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM ${waiting} ${limitSql})`;
  return Number(connection.statement(sql).get(limit)?.['n']);
}

/** The words that are in a row of `selectWaiting`. None where the row is damaged: reading it tells. */
function findWords(
  connection: Connection,
  table: CollectionTable,
  values: SqliteValueList,
): { key: RecordKey; byField: ByField } | undefined {
  const { wordsOf, definition } = table;
  if (wordsOf === undefined) {
    const message = `the store was not opened with what finds the words of ${definition.name}`;
    throw new CtxError('CTX_INVALID_INPUT', message);
  }
  try {
    const rowOf = () => connection.statement(table.selectById).get(values[0] ?? null);
    const record = recordWithBody(table, values, rowOf);
    const byField = wordsByField(table, wordsOf(record));
    return byField && { key: record.key, byField };
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CORRUPT')) return undefined;
    throw error;
  }
}

/**
 * Finds words that are still to be found in their records, and takes them into the full-text table: those of some records, so that
 * others have their turn. Contract: within a transaction. Throws: `CTX_INVALID_INPUT` where the store was opened without `wordsOf`.
 */
function takeInFoundWords(connection: Connection, table: CollectionTable, limit: number): void {
  const { name } = table.definition;
  const waiting = quoteName(newWordsTableName(name));
  const rows = readValues(connection, table.selectWaiting, [limit]);
  for (const values of rows) {
    const found = findWords(connection, table, values);
    if (found === undefined) continue;
    const words = [scopeTokens(found.key), ...found.byField];
    connection.statement(table.addWords.fullText).run(values[0] ?? null, ...words);
  }
  // Where these were all, what else waits has no record: somebody deleted it by hand.
  const last = rows.length < limit ? undefined : rows.at(-1)?.[0];
  const done = `DELETE FROM ${waiting} WHERE ${scopeColumn} = '' AND ${recordId} <= ?`;
  connection.statement(done).run(last ?? Number.MAX_SAFE_INTEGER);
}

/** Most records that are held at once while their words are found. */
export const heldRecords: number = 2 * waitingRecords;

/**
 * Takes words that wait into the full-text table: of those that are still to be found in their records at most `limit`, 64 unless said
 * otherwise. Contract: within a transaction.
 */
export function takeInWords(
  connection: Connection,
  table: CollectionTable,
  limit: number = heldRecords,
): void {
  const { name } = table.definition;
  for (const sql of takeInWordsSql({ name, search: table.searchFields })) {
    connection.statement(sql).run();
  }
  takeInFoundWords(connection, table, limit);
}

/**
 * Takes in all words of a collection that wait, some at a time. Contract: within `run`, outside of a transaction.
 * Throws: `CTX_INVALID_INPUT` where the store was opened without `wordsOf`.
 */
export async function takeInWaiting(connection: Connection, table: CollectionTable): Promise<void> {
  while (countWaiting(connection, table, 1) > 0) {
    await connection.transaction('process', () => {
      takeInWords(connection, table);
    });
    await yieldToLoop();
  }
}

/** Where more records wait a close leaves them to the next search: nobody who closes a store should wait for seconds. */
const mostAtClose = 1_000;

/** Takes in the words of all collections that wait, so that whoever opens the file next can search without writing first. */
export async function takeInRest(
  connection: Connection,
  tables: ReadonlyMap<string, CollectionTable>,
): Promise<void> {
  for (const table of tables.values()) {
    // What cannot be taken in here, as on a full disk, waits for the next search, which tells.
    const takeIn = async (): Promise<void> => {
      const isMuch = countWaiting(connection, table, mostAtClose + 1) > mostAtClose;
      if (!isMuch) await takeInWaiting(connection, table);
    };
    await connection.run(takeIn).catch(() => undefined);
  }
}
