import {
  checkEmptyRanges,
  checkPatchRanges,
  type CollectionDefinition,
  type WriteOptions,
} from '@ctx/store/backend';
import type { CollectionTable } from '../schema/collection-table.ts';
import type { Connection } from '../driver/connection.ts';
import { patchRecords, preparePatch } from './patch-records.ts';
import { emptyRangeSql } from '../read/scan-sql.ts';
import { checkEmpty } from './write-records.ts';

/** The collections of an open store. */
export interface KnownTables {
  readonly definitions: ReadonlyMap<string, CollectionDefinition>;
  readonly tableOf: (collection: string) => CollectionTable;
}

/**
 * Checks the ranges of a write, and gives what is to be done to them before its operations, within its transaction.
 * Throws: `CTX_INVALID_INPUT`.
 */
export function prepareRanges(
  { definitions, tableOf }: KnownTables,
  { emptyRanges = [], patchRanges = [] }: WriteOptions,
): (connection: Connection) => Promise<void> {
  checkEmptyRanges(definitions, emptyRanges);
  checkPatchRanges(definitions, patchRanges);
  const empty = emptyRanges.map((range) => emptyRangeSql(tableOf(range.collection), range));
  const patches = patchRanges.map((range) => preparePatch(tableOf(range.collection), range));
  return async (connection) => {
    for (const range of empty) checkEmpty(connection, range);
    for (const patch of patches) await patchRecords(connection, patch);
  };
}
