import { expect, it } from 'vitest';
import { rowsOf } from './text-rows.ts';

it('a text is its rows, however long a line is, and no character is parted', () => {
  const long = `a${'😀'.repeat(5000)}`;
  const rows = rowsOf(`first\n${long}\nlast\n`);
  expect(
    rows
      .filter(({ line }) => line === 2)
      .map(({ text }) => text)
      .join(''),
  ).toBe(long);
  expect(rows.some(({ text }) => /\p{Surrogate}/u.test(text))).toBe(false);
  expect(rows.filter(({ part }) => part === 0).map(({ line }) => line)).toEqual([1, 2, 3]);
});
