import type { ColumnValue, FieldRange } from '@ctx/store/backend';
import type { SqlValue } from '../driver/sql-driver.ts';
import { quoteName } from '../schema/names.ts';

/** A piece of SQL that takes its values from a list: `$1` is the first of them. */
export type Condition = (values: SqlValue[]) => string;

/** Adds a value to the list and gives its place. */
export function placeOf(values: SqlValue[], value: SqlValue): string {
  values.push(value);
  return `$${String(values.length)}`;
}

/** The field has this value; null is equal to null. */
export function equalTo(field: string, value: ColumnValue): Condition {
  if (value === null) return () => `${quoteName(field)} IS NULL`;
  return (values) => `${quoteName(field)} = ${placeOf(values, value)}`;
}

/** The first fields have these values. */
export function equalTos(fields: readonly string[], given: readonly ColumnValue[]): Condition[] {
  return given.map((value, at) => equalTo(fields[at] ?? '', value));
}

export function isNotNull(field: string): Condition {
  return () => `${quoteName(field)} IS NOT NULL`;
}

/** The field lies in the range; a range without bounds holds null, too. */
export function inRange(field: string, range: FieldRange): Condition[] {
  const { from, fromExclusive, to, toExclusive } = range;
  const name = quoteName(field);
  const conditions: Condition[] = [];
  if (from !== undefined) {
    const operator = fromExclusive === true ? '>' : '>=';
    conditions.push((values) => `${name} ${operator} ${placeOf(values, from)}`);
  }
  if (to !== undefined) {
    const operator = toExclusive === true ? '<' : '<=';
    conditions.push((values) => `${name} ${operator} ${placeOf(values, to)}`);
  }
  return conditions;
}

/** All of them together. Contract: at least one. */
export function allOf(conditions: readonly Condition[], values: SqlValue[]): string {
  return conditions.map((condition) => condition(values)).join(' AND ');
}
