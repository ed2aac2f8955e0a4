import { compareValueLists, compareValues } from '../backend/compare-values.ts';
import type { FieldRange, ScanPosition } from '../backend/index-order.ts';
import type { ColumnValue, ScanQuery } from '../backend/store-backend.ts';
import { allOf, type Condition, equalTo, equalTos, inRange } from './conditions.ts';
import { quoteName } from './quote-name.ts';
import type { SqlIndex } from './sql-indexes.ts';

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

/** The part of a range that lies after `value` in ascending order. */
function above(value: ColumnValue, range: FieldRange): FieldRange | 'not null' {
  if (value === null) return isBounded(range) ? range : 'not null';
  return { ...range, ...higher(value, range) };
}

/** The part of a range that lies after `value` in descending order, null left out. */
function below(value: string | number, range: FieldRange): FieldRange {
  const { to, toExclusive } = range;
  const isHigher = to === undefined || compareValues(to, value) >= 0;
  if (isHigher) return { ...range, to: value, toExclusive: true };
  return toExclusive === undefined ? range : { ...range, toExclusive };
}

/** The conditions on one field that lie strictly after `value`; several where null comes apart. */
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

/** A table whose index is scanned. */
interface Scanned {
  readonly index: SqlIndex;
  readonly key: readonly string[];
}

/** The position's values in the order of the index. */
function valuesAt(
  { index, key }: Scanned,
  position: ScanPosition = { values: [], key: [] },
): ColumnValue[] {
  const values = new Map<string, ColumnValue>();
  index.positionFields.forEach((field, at) => values.set(field, position.values[at] ?? null));
  key.forEach((part, at) => values.set(part, position.key[at] ?? null));
  return index.fields.map((field) => values.get(field) ?? null);
}

/** One stretch of an index: its condition, and the fields that say the order in it. */
export interface SqlStretch {
  readonly condition: Condition;
  readonly order: readonly string[];
}

/** The records of an index that have the values of `equal` and lie in the range. */
export function rangeCondition(
  { fields }: SqlIndex,
  { equal, range = {} }: Pick<ScanQuery, 'equal' | 'range'>,
): Condition {
  const next = fields[equal.length];
  const inside = next === undefined ? [] : inRange(next, range);
  return allOf([...equalTos(fields, equal), ...inside]);
}

/** Those after a position: the same values up to the field `depth` fields after `equal`, then beyond it. */
function stretchesAt(
  { index: { fields }, key }: Scanned,
  query: ScanQuery,
  { values, depth }: { readonly values: readonly ColumnValue[]; readonly depth: number },
): SqlStretch[] {
  const { equal, range = {}, descending = false } = query;
  const start = equal.length;
  if (depth > 0 && !isInRange(values[start] ?? null, range)) return [];
  const field = fields[start + depth] ?? '';
  const fixed = equalTos(fields.slice(start), values.slice(start, start + depth));
  const isKey = key.includes(field);
  const limits = { range: depth === 0 ? range : {}, descending, isKey };
  return behind(field, values[start + depth] ?? null, limits).map((conditions) => ({
    condition: allOf([...equalTos(fields, equal), ...fixed, ...conditions]),
    order: fields.slice(start + depth),
  }));
}

/**
 * Returns the stretches of an index that hold what the query asks for, in order. After a position there is one for each field: the
 * same values up to a field, then beyond the position's. Each is one range of the index, read in its order.
 */
export function scanStretches(scanned: Scanned, query: ScanQuery): SqlStretch[] {
  const { fields } = scanned.index;
  const values = valuesAt(scanned, query.after);
  const side = sideOfPosition(values, query);
  if (side === 'behind') return [];
  const order = fields.slice(query.equal.length);
  if (side === 'before') return [{ condition: rangeCondition(scanned.index, query), order }];
  const depths = order.map((_, depth) => depth);
  return depths.reverse().flatMap((depth) => stretchesAt(scanned, query, { values, depth }));
}
