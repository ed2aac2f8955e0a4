import { isCtxError } from '@ctx/core';
import type {
  RecordKey,
  RecordPart,
  SearchHit,
  SearchQuery,
  StoredRecord,
  Tally,
  TallyQuery,
} from '@ctx/store/backend';
import type { Connection } from '../driver/connection.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { withWordsUnsaved } from '../words/words-unsaved.ts';
import { takeInWaiting } from '../words/write-words.ts';
import { keyOfRow, recordOfRow } from './read-record.ts';
import { searchSql } from './search-sql.ts';
import { tallyOfRow, tallySql } from './tally-sql.ts';

/** Does reads that belong together at one state of the file: another thread or process may commit between two statements. */
function atOnce<Found>(connection: Connection, find: () => Found): Found {
  connection.execute('BEGIN');
  try {
    return find();
  } finally {
    connection.execute('COMMIT');
  }
}

/** Reads by key, in the order asked, all at one state of the store. */
export function getRecords(
  connection: Connection,
  table: CollectionTable,
  { keys, part }: { keys: readonly RecordKey[]; part: RecordPart },
): Promise<(StoredRecord | undefined)[]> {
  const sql = table.selectByKey[part];
  return connection.read(() => {
    const statement = connection.statement(sql);
    const find = (): (StoredRecord | undefined)[] =>
      keys.map((key) => {
        const row = statement.get(...key);
        return row && recordOfRow(table, row, part);
      });
    return keys.length > 1 ? atOnce(connection, find) : find();
  });
}

/** Counts and sums. */
export function tallyRecords(
  connection: Connection,
  table: CollectionTable,
  query: TallyQuery,
): Promise<Tally[]> {
  const { sql, values } = tallySql(table, query);
  return connection.read(() =>
    connection
      .statement(sql)
      .all(...values)
      .map((row) => tallyOfRow(table.definition.name, query, row)),
  );
}

/** Ranked full text. No words, or a collection without search fields: no hits. */
export async function searchRecords(
  connection: Connection,
  table: CollectionTable,
  query: SearchQuery,
): Promise<SearchHit[]> {
  if (query.words.length === 0 || table.searchFields.length === 0 || query.limit === 0) return [];
  const { sql, values } = searchSql(table, query);
  const find = (): SearchHit[] => {
    const rows = connection.statement(sql).all(...values);
    return rows.map((row) => ({ key: keyOfRow(table, row), score: -Number(row['hit_score']) }));
  };
  try {
    return await connection.run(async () => {
      await takeInWaiting(connection, table);
      return find();
    });
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_FULL')) throw error;
    return await connection.run(() => withWordsUnsaved(connection, table, find));
  }
}
