import type { Condition } from '@ctx/store/sql';
import type { SqlValue } from '../driver/sql-driver.ts';

/** Adds a value to the list and returns its place: `$1` is the first. */
export function placeOf(values: SqlValue[], value: SqlValue): string {
  values.push(value);
  return `$${String(values.length)}`;
}

/** Returns the SQL of a condition with its values in the list: names hold no `?`. */
export function placed({ sql, values: own }: Condition, values: SqlValue[]): string {
  let at = 0;
  return sql.replaceAll('?', () => {
    at += 1;
    return placeOf(values, own[at - 1] ?? null);
  });
}
