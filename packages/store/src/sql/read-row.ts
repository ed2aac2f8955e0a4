import { CtxError } from '@ctx/core';
import type {
  CollectionDefinition,
  ColumnValue,
  Tally,
  TallyQuery,
} from '../backend/store-backend.ts';

function corrupt(collection: string): CtxError {
  return new CtxError('CTX_STORE_CORRUPT', `a row of ${collection} holds what ctx has not written`);
}

/**
 * Returns the value of a column.
 * @throws `CTX_STORE_CORRUPT` for anything but text, a number or null.
 */
export function columnValue(value: unknown, collection: string): ColumnValue {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  throw corrupt(collection);
}

/**
 * Returns the key that `valueOf` finds, by its parts and their places.
 * @throws `CTX_STORE_CORRUPT` for a part that is no text.
 */
export function keyOf(
  { name, key }: CollectionDefinition,
  valueOf: (part: string, at: number) => unknown,
): string[] {
  const parts: string[] = [];
  for (let at = 0; at < key.length; at += 1) {
    const value = valueOf(key[at] ?? '', at);
    if (typeof value !== 'string') throw corrupt(name);
    parts.push(value);
  }
  return parts;
}

/** Returns the answer in a row of a tally: columns g0, g1, … for the group, n for the count, s0, s1, … for the sums. */
export function tallyOfRow(
  { collection, groupBy = [], sums = [] }: TallyQuery,
  row: Readonly<Record<string, unknown>>,
): Tally {
  return {
    group: groupBy.map((_, at) => columnValue(row[`g${String(at)}`], collection)),
    count: Number(row['n']),
    sums: sums.map((_, at) => Number(row[`s${String(at)}`])),
  };
}
