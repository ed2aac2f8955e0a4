import type { RecordKey } from '@ctx/core';
import type { CollectionTable } from './collection-table.ts';
import type { Connection } from './connection.ts';
import type { SqliteValue } from './sqlite-driver.ts';
import { takeInWordsSql } from './create-tables.ts';
import {
  limitSql,
  newWordsTableName,
  quoteName,
  recordId,
  scopeColumn,
  wordsColumnName,
  wordsTableName,
} from './names.ts';
import { scopeTokens } from './search-sql.ts';

/** The words of a record by search field, in the order of the definition; undefined where it holds none. */
export function wordsByField(
  { searchFields }: CollectionTable,
  words: Readonly<Record<string, string>> = {},
): readonly string[] | undefined {
  const byField = searchFields.map(({ name }) =>
    Object.hasOwn(words, name) ? (words[name] ?? '') : '',
  );
  return byField.every((text) => text === '') ? undefined : byField;
}

/**
 * So many records' words wait before they are taken into the full-text table together: that costs half as much as one by
 * one, and a single save does not wait for it. Source: measured, 32 KB of text a record.
 */
const waitingRecords = 32;

/** Adds a record's words under its row. They wait to be taken in: see {@link takeInWords}. */
export function addWords(
  connection: Connection,
  table: CollectionTable,
  record: { id: SqliteValue; key: RecordKey; byField: readonly string[] },
): void {
  const { name } = table.definition;
  const columns = [scopeColumn, ...table.searchFields.map((field) => wordsColumnName(field.name))];
  const names = [recordId, ...columns.map(quoteName)].join(', ');
  const places = columns.map(() => '?').join(', ');
  connection
    .statement(`INSERT INTO ${quoteName(newWordsTableName(name))} (${names}) VALUES (?, ${places})`)
    .run(record.id, scopeTokens(record.key), ...record.byField);
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

function countWaiting(connection: Connection, table: CollectionTable, limit: number): number {
  const waiting = quoteName(newWordsTableName(table.definition.name));
  const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM ${waiting} ${limitSql})`;
  return Number(connection.statement(sql).get(limit)?.['n']);
}

/** Whether words wait that a search would miss. */
export function hasWaitingWords(connection: Connection, table: CollectionTable): boolean {
  return countWaiting(connection, table, 1) > 0;
}

/** Takes all waiting words into the full-text table. Contract: within a transaction. */
export function takeInWords(connection: Connection, table: CollectionTable): void {
  const { name } = table.definition;
  for (const sql of takeInWordsSql({ name, search: table.searchFields })) {
    connection.statement(sql).run();
  }
}

/** Takes waiting words in once there are many. Contract: within a transaction. */
export function takeInManyWords(connection: Connection, table: CollectionTable): void {
  if (table.searchFields.length === 0) return;
  if (countWaiting(connection, table, waitingRecords) === waitingRecords)
    takeInWords(connection, table);
}
