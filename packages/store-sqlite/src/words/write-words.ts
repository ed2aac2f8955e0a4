import type { RecordKey } from '@ctx/store/backend';
import { quoteName } from '@ctx/store/sql';
import type { Connection } from '../driver/connection.ts';
import type { SqliteValue } from '../driver/sqlite-driver.ts';
import { scopeTokens } from '../read/search-sql.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { newWordsTableName, recordId, wordsTableName } from '../schema/names.ts';

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

interface WordsRow {
  readonly id: SqliteValue;
  readonly key: RecordKey;
  readonly byField: ByField;
}

/** Adds a record's words under its row. */
export function addWords(
  connection: Connection,
  { addWords: sql }: CollectionTable,
  { id, key, byField }: WordsRow,
): void {
  connection.statement(sql).run(id, scopeTokens(key), ...byField);
}

/** Takes a record's words out; those of an older store may still wait. */
export function removeWords(connection: Connection, table: CollectionTable, id: SqliteValue): void {
  const { name } = table.definition;
  if (table.mayWait) {
    const waiting = quoteName(newWordsTableName(name));
    const sql = `DELETE FROM ${waiting} WHERE ${recordId} = ? RETURNING ${recordId}`;
    if (connection.statement(sql).all(id).length > 0) return;
  }
  connection.statement(`DELETE FROM ${quoteName(wordsTableName(name))} WHERE rowid = ?`).run(id);
}
