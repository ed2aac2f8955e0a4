import type { RecordKey, ScanQuery, StoredRecord, Tally, TallyQuery } from '@ctx/store/backend';
import { tallyOfRow } from '@ctx/store/sql';
import type { Connection } from '../driver/connection.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { recordOfValues } from './read-record.ts';
import { readValues } from './read-values.ts';
import { tallySql } from './tally-sql.ts';

/** Does reads that belong together at one state of the file: another thread or process may commit between two statements. */
export function atOnce<Found>(connection: Connection, find: () => Found): Found {
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
  { keys, part }: { keys: readonly RecordKey[]; part: NonNullable<ScanQuery['part']> },
): Promise<(StoredRecord | undefined)[]> {
  const sql = table.selectByKey[part];
  const read = { part, columnNames: table.columnNames, fixed: [] };
  return connection.read(() => {
    const find = (): (StoredRecord | undefined)[] =>
      keys.map((key) => {
        const [values] = readValues(connection, sql, key);
        return values && recordOfValues(table, values, read);
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
      .map((row) => tallyOfRow(query, row)),
  );
}
