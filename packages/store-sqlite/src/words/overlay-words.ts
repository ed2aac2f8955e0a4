import type { Connection } from '../driver/connection.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { wordsTableSql } from '../schema/create-tables.ts';
import { newWordsTableName, quoteName, wordsTableName } from '../schema/names.ts';
import { countWaiting } from './write-words.ts';

/** What FTS5 keeps a contentless table in, by the ends of their names. Source: https://www.sqlite.org/fts5.html#fts5_data_structures */
const partsOfWords = ['data', 'idx', 'docsize', 'config'];

/** The SQL that creates an object as one of this connection alone. */
function asTemporary(sql: string): string {
  return sql.replace(/^CREATE (VIRTUAL )?TABLE /, (start) => `${start}temp.`);
}

function copyOf(name: string): string[] {
  const table = quoteName(name);
  return [`DELETE FROM temp.${table}`, `INSERT INTO temp.${table} SELECT * FROM main.${table}`];
}

/** A copy of a collection's full text in memory, and of the words that wait to get in. Names without schema mean it from here on. */
function overlaySql({ definition, searchFields }: CollectionTable): string[] {
  const words = wordsTableName(definition.name);
  const parts = partsOfWords.map((part) => `${words}_${part}`);
  return [
    ...wordsTableSql({ ...definition, search: searchFields }).map(asTemporary),
    ...[...parts, newWordsTableName(definition.name)].flatMap(copyOf),
  ];
}

function dropSql({ definition: { name } }: CollectionTable): string[] {
  const names = [wordsTableName(name), newWordsTableName(name)];
  return names.map((table) => `DROP TABLE IF EXISTS temp.${quoteName(table)}`);
}

/**
 * Lets a connection that must not write the file take in words that wait, in memory. Where the driver forbids it, a search of such
 * a collection ends with `CTX_STORE_READ_ONLY`.
 * Contract: the file stays as it is. Cost: none where no words wait; else the memory of the full text of that collection.
 */
export function overlayWords(
  connection: Connection,
  tables: ReadonlyMap<string, CollectionTable>,
): Promise<void> {
  return connection.run(() => {
    const waiting = [...tables.values()].filter((table) => countWaiting(connection, table, 1) > 0);
    if (waiting.length === 0) return;
    connection.execute('PRAGMA temp_store = MEMORY');
    try {
      for (const sql of waiting.flatMap(overlaySql)) connection.execute(sql);
    } catch {
      for (const sql of waiting.flatMap(dropSql)) connection.execute(sql);
    }
  });
}
