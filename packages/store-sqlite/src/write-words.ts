import { createHash } from 'node:crypto';
import type { RecordKey } from '@ctx/core';
import type { CollectionTable } from './collection-table.ts';
import type { Connection } from './connection.ts';
import type { SqliteValue } from './driver.ts';
import { quoteName, scopeColumn, wordsColumnName, wordsTableName } from './names.ts';
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

/** Tells whether words have changed without keeping them. */
export function wordsFingerprint(byField: readonly string[] | undefined): Uint8Array | null {
  if (byField === undefined) return null;
  return createHash('sha256').update(byField.join('\u0000')).digest().subarray(0, 16);
}

/** Whether a stored fingerprint is that of these words. */
export function hasSameWords(stored: SqliteValue | undefined, now: Uint8Array | null): boolean {
  if (now === null || !(stored instanceof Uint8Array)) return now === stored;
  return Buffer.compare(stored, now) === 0;
}

/** Adds a record's words under its row. */
export function addWords(
  connection: Connection,
  table: CollectionTable,
  record: { id: SqliteValue; key: RecordKey; byField: readonly string[] },
): void {
  const { name } = table.definition;
  const columns = [scopeColumn, ...table.searchFields.map((field) => wordsColumnName(field.name))];
  const names = columns.map(quoteName).join(', ');
  const places = columns.map(() => '?').join(', ');
  connection
    .statement(
      `INSERT INTO ${quoteName(wordsTableName(name))} (rowid, ${names}) VALUES (?, ${places})`,
    )
    .run(record.id, scopeTokens(record.key), ...record.byField);
}

/** Takes a record's words out. */
export function removeWords(connection: Connection, table: CollectionTable, id: SqliteValue): void {
  const name = quoteName(wordsTableName(table.definition.name));
  connection.statement(`DELETE FROM ${name} WHERE rowid = ?`).run(id);
}
