import type { WriteOptions } from '@ctx/store/backend';
import type { Connection } from '../driver/connection.ts';
import { emptyRangeSql } from '../read/scan-sql.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { patchRecords, preparePatch } from './patch-records.ts';
import { checkEmpty } from './write-records.ts';

/** Returns what checks and patches the ranges before the operations of a write, within its transaction. */
export function prepareRanges(
  tableOf: (collection: string) => CollectionTable,
  { emptyRanges = [], patchRanges = [] }: WriteOptions,
): (connection: Connection) => Promise<void> {
  const empty = emptyRanges.map((range) => emptyRangeSql(tableOf(range.collection), range));
  const patches = patchRanges.map((range) => preparePatch(tableOf(range.collection), range));
  return async (connection) => {
    for (const range of empty) checkEmpty(connection, range);
    for (const patch of patches) await patchRecords(connection, patch);
  };
}
