import { appendPuts, type WriteOptions } from '@ctx/store/backend';
import { equalTos, quoteName } from '@ctx/store/sql';
import type { Connection } from '../driver/connection.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { applyOperations, prepareOperations } from './write-records.ts';

/** The number of the newest record of a place; 0 where there is none. */
function newestOf(
  connection: Connection,
  table: CollectionTable,
  place: readonly string[],
): number {
  const { key } = table.definition;
  const last = quoteName(key.at(-1) ?? '');
  const conditions = ['1', ...equalTos(key, place).map(({ sql }) => sql)].join(' AND ');
  const sql = `SELECT ${last} AS newest FROM ${table.index('key').source} WHERE ${conditions} ORDER BY ${last} DESC LIMIT 1`;
  return Number(connection.statement(sql).get(...place)?.['newest'] ?? 0);
}

/**
 * Returns what appends the records after the operations of a write, within its transaction, which keeps every other writer from
 * using the same numbers.
 */
export function prepareAppends(
  tableOf: (collection: string) => CollectionTable,
  batches: readonly NonNullable<WriteOptions['appends']>[number][] = [],
): (connection: Connection) => Promise<void> {
  return async (connection) => {
    for (const batch of batches) {
      const newest = newestOf(connection, tableOf(batch.collection), batch.place);
      await applyOperations(
        connection,
        await prepareOperations(appendPuts(batch, newest), tableOf),
      );
    }
  };
}
