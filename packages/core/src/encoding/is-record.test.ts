import { expect, test } from 'vitest';
import { isRecord } from './is-record.ts';

test('an object is a record, a list and everything else is not', () => {
  expect([{}, { a: 1 }, Object.create(null), new Map()].map(isRecord)).toEqual(Array(4).fill(true));
  expect([[], null, undefined, 'a', 1, () => 1].map(isRecord)).toEqual(Array(6).fill(false));
});
