import type { ColumnValue, ScanQuery, WriteOptions } from '@ctx/store/backend';
import {
  type Condition,
  quoteName,
  rangeCondition,
  scanStretches as stretchesOf,
} from '@ctx/store/sql';
import type { CollectionTable } from '../schema/collection-table.ts';
import { limitSql, recordBody, recordId, recordVersion } from '../schema/names.ts';

/** One stretch of an index. A page reads its stretches one after the other; its `?` after the values is the limit. */
export type Stretch = Condition;

/** What of a part of an index is in its SQL; the rest are values. */
export function rangeShape({
  index,
  equal,
  range = {},
}: Pick<ScanQuery, 'index' | 'equal' | 'range'>): string {
  const { from, fromExclusive, to, toExclusive } = range;
  const low = from === undefined ? '' : fromExclusive === true ? '>' : '>=';
  const high = to === undefined ? '' : toExclusive === true ? '<' : '<=';
  const nulls = equal.map((value) => (value === null ? '0' : '1')).join('');
  return `${index} ${nulls} ${low} ${high}`;
}

/** Looks whether a range of an index holds a record. */
export function emptyRangeSql(
  table: CollectionTable,
  range: NonNullable<WriteOptions['emptyRanges']>[number],
): Condition {
  const index = table.index(range.index);
  const { sql, values } = rangeCondition(index, range);
  return { sql: `SELECT 1 AS found FROM ${index.source} WHERE ${sql} LIMIT 1`, values };
}

/** Selects the ids of the records in a range of an index, as one JSON list. */
export function rangeIdsSql(
  table: CollectionTable,
  range: NonNullable<WriteOptions['emptyRanges']>[number],
): Condition {
  const index = table.index(range.index);
  const { sql, values } = rangeCondition(index, range);
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
  const { key } = table.definition;
  return stretchesOf({ index, key }, query).map(({ condition: { sql, values }, order }) => {
    const fields = order.map((field) => `${quoteName(field)}${direction}`);
    const orderBy = fields.length === 0 ? '' : ` ORDER BY ${fields.join(', ')}`;
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
 * Without a position it costs one look-up: the SQL of each shape of a query is built once.
 */
export function scanStretches(table: CollectionTable, query: ScanQuery): Stretch[] {
  if (query.after !== undefined) return buildStretches(table, query);
  return [{ sql: sqlOf(table, query), values: valuesOf(query) }];
}
