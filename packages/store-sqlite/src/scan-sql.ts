import {
  type ColumnValue,
  compareValueLists,
  compareValues,
  type FieldRange,
  type ScanPosition,
  type ScanQuery,
} from '@ctx/core';
import type { CollectionTable, TableIndex } from './collection-table.ts';
import { allOf, type Condition, compares, equalTo, equalTos, inRange } from './conditions.ts';
import { quoteName, recordId } from './names.ts';
import { recordSql } from './read-record.ts';

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

/** Conditions of each stretch, with how many first fields are fixed in it. */
function* stretchesOf(
  table: CollectionTable,
  query: ScanQuery,
): Generator<{ conditions: Condition[]; fixed: number }> {
  const index = table.index(query.index);
  const { equal, range = {}, after, descending = false } = query;
  const base = equalTos(index.fields, equal);
  const rest = index.fields.slice(equal.length);
  const [first] = rest;
  const values = valuesAt(index, table, after);
  const valueOf = (field: string): ColumnValue => values.get(field) ?? null;
  const side = sideOfPosition(index.fields.map(valueOf), query);
  if (side === 'behind') return;
  if (side === 'before') {
    const inside = first === undefined ? [] : inRange(first, range);
    yield { conditions: [...base, ...inside], fixed: equal.length };
    return;
  }
  for (let depth = rest.length - 1; depth >= 0; depth--) {
    if (depth > 0 && !isInRange(valueOf(first ?? ''), range)) continue;
    const fixed = rest.slice(0, depth).map((field) => equalTo(field, valueOf(field)));
    const field = rest[depth] ?? '';
    const isKey = table.definition.key.includes(field);
    const limits = { range: depth === 0 ? range : {}, descending, isKey };
    for (const conditions of behind(field, valueOf(field), limits)) {
      yield { conditions: [...base, ...fixed, ...conditions], fixed: equal.length + depth };
    }
  }
}

/**
 * The stretches of the index that hold what the query asks for, in order. Behind a position there is one per field: the
 * same values up to a field, then beyond the position's. Each is one range of the index, read in its order.
 */
export function scanStretches(table: CollectionTable, query: ScanQuery): Stretch[] {
  const index = table.index(query.index);
  const direction = query.descending === true ? ' DESC' : '';
  const selected = `${recordId}, ${recordSql(table, query.part ?? 'whole')}`;
  return [...stretchesOf(table, query)].map(({ conditions, fixed }) => {
    const { sql, values } = allOf(conditions);
    const order = index.fields.slice(fixed).map((field) => `${quoteName(field)}${direction}`);
    const orderBy = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;
    return {
      sql: `SELECT ${selected} FROM ${index.source} WHERE ${sql}${orderBy} LIMIT ?`,
      values,
    };
  });
}
