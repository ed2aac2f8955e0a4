import {
  type ColumnValue,
  compareValueLists,
  compareValues,
  type CollectionRange,
  type FieldRange,
  type ScanPosition,
  type ScanQuery,
} from '@ctx/store/backend';
import type { CollectionTable, TableIndex } from '../schema/collection-table.ts';
import { limitSql, quoteName, recordBody, recordId, recordVersion } from '../schema/names.ts';
import { allOf, type Condition, equalTo, equalTos, inRange, rangeShape } from './conditions.ts';

/** One stretch of an index. A page reads its stretches one after the other; its `?` behind the values is the limit. */
export type Stretch = Condition;

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

/** The part of a range that lies behind `value` in ascending order. */
function above(value: ColumnValue, range: FieldRange): FieldRange | 'not null' {
  if (value === null) return isBounded(range) ? range : 'not null';
  return { ...range, ...higher(value, range) };
}

/** The part of a range that lies behind `value` in descending order, null left out. */
function below(value: string | number, range: FieldRange): FieldRange {
  const { to, toExclusive } = range;
  const isHigher = to === undefined || compareValues(to, value) >= 0;
  if (isHigher) return { ...range, to: value, toExclusive: true };
  return toExclusive === undefined ? range : { ...range, toExclusive };
}

/** The conditions on one field that lie strictly behind `value`; several where null comes apart. */
function behind(
  field: string,
  value: ColumnValue,
  query: { range: FieldRange; descending: boolean; isKey: boolean },
): Condition[][] {
  const { range, descending, isKey } = query;
  if (!descending) {
    const rest = above(value, range);
    if (rest === 'not null') return [[{ sql: `${quoteName(field)} IS NOT NULL`, values: [] }]];
    return [inRange(field, rest)];
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

/** The position's values by field. */
function valuesAt(
  index: TableIndex,
  table: CollectionTable,
  position: ScanPosition = { values: [], key: [] },
): Map<string, ColumnValue> {
  const values = new Map<string, ColumnValue>();
  index.positionFields.forEach((field, at) => values.set(field, position.values[at] ?? null));
  table.definition.key.forEach((part, at) => values.set(part, position.key[at] ?? null));
  return values;
}

/** Conditions of a stretch, with how many first fields are fixed in it. */
interface StretchConditions {
  readonly conditions: readonly Condition[];
  readonly fixed: number;
}

/** All records of `equal` and range. */
function wholeStretch(
  index: TableIndex,
  { equal, range = {} }: Pick<ScanQuery, 'equal' | 'range'>,
): StretchConditions {
  const next = index.fields[equal.length];
  const inside = next === undefined ? [] : inRange(next, range);
  return { conditions: [...equalTos(index.fields, equal), ...inside], fixed: equal.length };
}

/** Those behind a position: the same values up to the field `depth` fields behind `equal`, then beyond it. */
function stretchesAt(
  table: CollectionTable,
  query: ScanQuery,
  { values, depth }: { values: readonly ColumnValue[]; depth: number },
): StretchConditions[] {
  const { fields } = table.index(query.index);
  const { equal, range = {}, descending = false } = query;
  const start = equal.length;
  if (depth > 0 && !isInRange(values[start] ?? null, range)) return [];
  const field = fields[start + depth] ?? '';
  const fixed = equalTos(fields.slice(start), values.slice(start, start + depth));
  const isKey = table.definition.key.includes(field);
  const limits = { range: depth === 0 ? range : {}, descending, isKey };
  return behind(field, values[start + depth] ?? null, limits).map((conditions) => ({
    conditions: [...equalTos(fields, equal), ...fixed, ...conditions],
    fixed: start + depth,
  }));
}

function stretchesOf(table: CollectionTable, query: ScanQuery): StretchConditions[] {
  const index = table.index(query.index);
  const byField = valuesAt(index, table, query.after);
  const values = index.fields.map((field) => byField.get(field) ?? null);
  const side = sideOfPosition(values, query);
  if (side === 'behind') return [];
  if (side === 'before') return [wholeStretch(index, query)];
  const depths = index.fields.slice(query.equal.length).map((_, depth) => depth);
  return depths.reverse().flatMap((depth) => stretchesAt(table, query, { values, depth }));
}

/** Looks whether a range of an index holds a record. */
export function emptyRangeSql(table: CollectionTable, range: CollectionRange): Condition {
  const index = table.index(range.index);
  const { sql, values } = allOf(wholeStretch(index, range).conditions);
  return { sql: `SELECT 1 AS found FROM ${index.source} WHERE ${sql} LIMIT 1`, values };
}

/** Selects the ids of the records in a range of an index, as one JSON list. */
export function rangeIdsSql(table: CollectionTable, range: CollectionRange): Condition {
  const index = table.index(range.index);
  const { sql, values } = allOf(wholeStretch(index, range).conditions);
  return {
    sql: `SELECT json_group_array(${recordId}) AS ids FROM ${index.source} WHERE ${sql}`,
    values,
  };
}

/** The columns that a query reads: those that it names and those of its index, or all, in the order of the table. */
export function columnsRead(
  table: CollectionTable,
  { index, columns }: Pick<ScanQuery, 'index' | 'columns'>,
): readonly string[] {
  if (columns === undefined) return table.columnNames;
  const wanted = [...columns, ...table.index(index).positionFields];
  return table.columnNames.filter((name) => wanted.includes(name));
}

/** The fields that a query reads: the key and the columns, in the order of the list of values. */
function fieldsRead(table: CollectionTable, query: ScanQuery): readonly string[] {
  return [...table.definition.key, ...columnsRead(table, query)];
}

/**
 * What stands in no list of values, by its place there: what every record of the query has, since `equal` says so. To take a value
 * out of SQLite costs more than to find it.
 */
export function fixedValues(
  table: CollectionTable,
  query: ScanQuery,
): readonly (ColumnValue | undefined)[] {
  const { fields } = table.index(query.index);
  const fixed = new Map(query.equal.map((value, at) => [fields[at], value]));
  // Zero is stored without its sign.
  const stored = fieldsRead(table, query).map((field) => {
    const value = fixed.get(field);
    return value === 0 ? 0 : value;
  });
  return [undefined, ...stored];
}

/** What is selected: the row's id, the key, the columns, the version and, for the whole of a record, the body. */
function selectedOf(table: CollectionTable, query: ScanQuery): string {
  const fixed = table.index(query.index).fields.slice(0, query.equal.length);
  const names = fieldsRead(table, query).map((name) =>
    // With its name: a driver may give rows as objects, which have each name once.
    fixed.includes(name) ? `NULL AS ${quoteName(name)}` : quoteName(name),
  );
  const body = query.part === 'columns' ? [] : [recordBody];
  return [recordId, ...names, recordVersion, ...body].join(', ');
}

/** Builds the stretches anew. `selected` is SQL; default: what a record needs. */
export function buildStretches(
  table: CollectionTable,
  query: ScanQuery,
  selected: string = selectedOf(table, query),
): Stretch[] {
  const index = table.index(query.index);
  const direction = query.descending === true ? ' DESC' : '';
  return stretchesOf(table, query).map(({ conditions, fixed }) => {
    const { sql, values } = allOf(conditions);
    const order = index.fields.slice(fixed).map((field) => `${quoteName(field)}${direction}`);
    const orderBy = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;
    return {
      sql: `SELECT ${selected} FROM ${index.source} WHERE ${sql}${orderBy} ${limitSql}`,
      values,
    };
  });
}

/** What of a query without a place is in its SQL; the rest are values. */
function shapeOf(query: ScanQuery): string {
  const { descending, part, columns } = query;
  const read = columns === undefined ? '*' : columns.join();
  return `${rangeShape(query)} ${String(descending === true)} ${part ?? 'whole'} ${read}`;
}

/** The values of a query without a place, in the order of its SQL. */
function valuesOf({ equal, range = {} }: ScanQuery): ColumnValue[] {
  const values = equal.filter((value) => value !== null);
  if (range.from !== undefined) values.push(range.from);
  if (range.to !== undefined) values.push(range.to);
  return values;
}

/** SQL by shape: as many as a collection has indexes, times the few ways to ask one. */
const known = new WeakMap<CollectionTable, Map<string, string>>();

function sqlOf(table: CollectionTable, query: ScanQuery): string {
  const shapes = known.get(table) ?? new Map<string, string>();
  known.set(table, shapes);
  const shape = shapeOf(query);
  const sql = shapes.get(shape) ?? buildStretches(table, query)[0]?.sql ?? '';
  shapes.set(shape, sql);
  return sql;
}

/**
 * The stretches of the index that hold what the query asks for, in order. Behind a position there is one per field: the
 * same values up to a field, then beyond the position's. Each is one range of the index, read in its order.
 * Cost: without a position, one look-up: the SQL of each shape of a query is built once.
 */
export function scanStretches(table: CollectionTable, query: ScanQuery): Stretch[] {
  if (query.after !== undefined) return buildStretches(table, query);
  return [{ sql: sqlOf(table, query), values: valuesOf(query) }];
}
