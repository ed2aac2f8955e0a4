import type { ScanQuery } from '@ctx/store/backend';
import { quoteName, scanStretches } from '@ctx/store/sql';
import type { SqlValue } from '../driver/sql-driver.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { placed, placeOf } from './conditions.ts';

/** A statement and its values. */
export interface Statement {
  readonly sql: string;
  readonly values: SqlValue[];
}

/** What is selected in the stretches, and how many rows each gives at most. Default: all. */
export interface Selecting {
  readonly selected: string;
  readonly limit?: number;
}

/**
 * The stretches of the index that hold what the query asks for, in order, each as a statement that gives at most `limit` rows.
 * Behind a position there is one per field: the same values up to a field, then beyond the position's. Each is one range of the
 * index, read in its order.
 */
export function scanStatements(
  table: CollectionTable,
  query: ScanQuery,
  { selected, limit }: Selecting,
): Statement[] {
  const index = table.index(query.index);
  const direction = query.descending === true ? 'DESC NULLS LAST' : 'ASC NULLS FIRST';
  const { key } = table.definition;
  return scanStretches({ index, key }, query).map(({ condition, order }) => {
    const values: SqlValue[] = [];
    const where = placed(condition, values);
    const fields = order.map((field) => `${quoteName(field)} ${direction}`);
    const orderBy = fields.length === 0 ? '' : ` ORDER BY ${fields.join(', ')}`;
    // As a value: the server cannot take few for many, and so walks the index in place of sorting, whose tenant it may be.
    const most = limit === undefined ? '' : ` LIMIT ${placeOf(values, limit)}`;
    const sql = `SELECT ${selected} FROM ${table.table} WHERE ${where}${orderBy}${most}`;
    return { sql, values };
  });
}
