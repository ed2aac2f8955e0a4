import type { FieldRange } from '../backend/index-order.ts';
import type { ColumnValue } from '../backend/store-backend.ts';
import { quoteName } from './quote-name.ts';

/** A piece of SQL with a `?` for each of its values. Holds names of definitions only; whatever callers give is a value. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly ColumnValue[];
}

/** The field has this value; null is equal to null. */
export function equalTo(field: string, value: ColumnValue): Condition {
  if (value === null) return { sql: `${quoteName(field)} IS NULL`, values: [] };
  return { sql: `${quoteName(field)} = ?`, values: [value] };
}

/** The first fields have these values. */
export function equalTos(fields: readonly string[], values: readonly ColumnValue[]): Condition[] {
  return values.map((value, at) => equalTo(fields[at] ?? '', value));
}

/** The field compares so with the value, which is not null; null is beyond every comparison. */
export function compares(
  field: string,
  operator: '<' | '<=' | '>' | '>=',
  value: string | number,
): Condition {
  return { sql: `${quoteName(field)} ${operator} ?`, values: [value] };
}

/** The field lies in the range; a range without bounds holds null, too. */
export function inRange(field: string, range: FieldRange): Condition[] {
  const { from, fromExclusive, to, toExclusive } = range;
  const conditions: Condition[] = [];
  if (from !== undefined)
    conditions.push(compares(field, fromExclusive === true ? '>' : '>=', from));
  if (to !== undefined) conditions.push(compares(field, toExclusive === true ? '<' : '<=', to));
  return conditions;
}

/** All of them together: at least one. */
export function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}
