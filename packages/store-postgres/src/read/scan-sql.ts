import {
  type ColumnValue,
  compareValueLists,
  compareValues,
  type FieldRange,
  type ScanPosition,
  type ScanQuery,
} from '@ctx/store/backend';
import type { SqlValue } from '../driver/sql-driver.ts';
import type { CollectionTable, TableIndex } from '../schema/collection-table.ts';
import { quoteName } from '../schema/names.ts';
import {
  allOf,
  type Condition,
  equalTo,
  equalTos,
  inRange,
  isNotNull,
  placeOf,
} from './conditions.ts';

/** A statement and its values. */
export interface Statement {
  readonly sql: string;
  readonly values: SqlValue[];
}

type Bound = Pick<FieldRange, 'from' | 'fromExclusive'>;

function isBounded(range: FieldRange): boolean {
  return range.from !== undefined || range.to !== undefined;
}

/** Whether the value lies in the range, null included. */
function isInRange(value: ColumnValue, range: FieldRange): boolean {
  if (!isBounded(range)) return true;
  if (value === null) return false;
  const { from, to } = range;
  const above = from === undefined ? 1 : compareValues(value, from);
  const below = to === undefined ? -1 : compareValues(value, to);
  return (
    (above > 0 || (above === 0 && range.fromExclusive !== true)) &&
    (below < 0 || (below === 0 && range.toExclusive !== true))
  );
}

/** The higher of two lower bounds, so that the index is entered as late as can be. */
function higher(value: string | number, bound: Bound): Bound {
  const isLower = bound.from === undefined || compareValues(bound.from, value) <= 0;
  return isLower ? { from: value, fromExclusive: true } : bound;
}

/** The part of a range that lies behind `value` in descending order, null left out. */
function below(value: string | number, range: FieldRange): FieldRange {
  const { to, toExclusive } = range;
  const isHigher = to === undefined || compareValues(to, value) >= 0;
  if (isHigher) return { ...range, to: value, toExclusive: true };
  return toExclusive === undefined ? range : { ...range, toExclusive };
}

/** What lies behind a value of a field. */
interface Beyond {
  readonly range: FieldRange;
  readonly descending: boolean;
  readonly isKey: boolean;
}

/** The conditions on one field that lie strictly behind `value`; several where null comes apart. */
function behind(field: string, value: ColumnValue, beyond: Beyond): Condition[][] {
  const { range, descending, isKey } = beyond;
  if (!descending) {
    if (value !== null) return [inRange(field, { ...range, ...higher(value, range) })];
    return [isBounded(range) ? inRange(field, range) : [isNotNull(field)]];
  }
  if (value === null) return [];
  const stretches = [inRange(field, below(value, range))];
  if (!isKey && !isBounded(range)) stretches.push([equalTo(field, null)]);
  return stretches;
}

/** Where the position stands towards all records that have the values of `equal`. */
function sideOfPosition(
  position: readonly ColumnValue[],
  { equal, after, descending }: ScanQuery,
): 'before' | 'among' | 'behind' {
  if (after === undefined) return 'before';
  const difference = compareValueLists(position.slice(0, equal.length), equal);
  if (difference === 0) return position.length === equal.length ? 'behind' : 'among';
  return difference < 0 === (descending !== true) ? 'before' : 'behind';
}

/** The position's values in the order of the index. */
function valuesAt(
  { fields, positionFields }: TableIndex,
  { definition }: CollectionTable,
  position: ScanPosition = { values: [], key: [] },
): ColumnValue[] {
  const values = new Map<string, ColumnValue>();
  positionFields.forEach((field, at) => values.set(field, position.values[at] ?? null));
  definition.key.forEach((part, at) => values.set(part, position.key[at] ?? null));
  return fields.map((field) => values.get(field) ?? null);
}

/** Conditions of a stretch, with how many first fields are fixed in it. */
interface Stretch {
  readonly conditions: readonly Condition[];
  readonly fixed: number;
}

/** Conditions of `equal` and range. */
export function rangeConditions(
  { fields }: TableIndex,
  { equal, range = {} }: Pick<ScanQuery, 'equal' | 'range'>,
): Condition[] {
  const next = fields[equal.length];
  const inside = next === undefined ? [] : inRange(next, range);
  return [...equalTos(fields, equal), ...inside];
}

/** Those behind a position: the same values up to the field `depth` fields behind `equal`, then beyond it. */
function stretchesAt(
  table: CollectionTable,
  query: ScanQuery,
  { values, depth }: { readonly values: readonly ColumnValue[]; readonly depth: number },
): Stretch[] {
  const { fields } = table.index(query.index);
  const { equal, range = {}, descending = false } = query;
  const start = equal.length;
  if (depth > 0 && !isInRange(values[start] ?? null, range)) return [];
  const field = fields[start + depth] ?? '';
  const fixed = equalTos(fields.slice(start), values.slice(start, start + depth));
  const isKey = table.definition.key.includes(field);
  const beyond = { range: depth === 0 ? range : {}, descending, isKey };
  return behind(field, values[start + depth] ?? null, beyond).map((conditions) => ({
    conditions: [...equalTos(fields, equal), ...fixed, ...conditions],
    fixed: start + depth,
  }));
}

function stretchesOf(table: CollectionTable, query: ScanQuery): Stretch[] {
  const index = table.index(query.index);
  const values = valuesAt(index, table, query.after);
  const side = sideOfPosition(values, query);
  if (side === 'behind') return [];
  const { equal } = query;
  if (side === 'before') {
    return [{ conditions: rangeConditions(index, query), fixed: equal.length }];
  }
  const depths = index.fields.slice(equal.length).map((_, depth) => depth);
  return depths.reverse().flatMap((depth) => stretchesAt(table, query, { values, depth }));
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
  return stretchesOf(table, query).map(({ conditions, fixed }) => {
    const values: SqlValue[] = [];
    const where = allOf(conditions, values);
    const order = index.fields.slice(fixed).map((field) => `${quoteName(field)} ${direction}`);
    const orderBy = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;
    // As a value: the server cannot take few for many, and so walks the index in place of sorting, whose tenant it may be.
    const most = limit === undefined ? '' : ` LIMIT ${placeOf(values, limit)}`;
    const sql = `SELECT ${selected} FROM ${table.table} WHERE ${where}${orderBy}${most}`;
    return { sql, values };
  });
}
