import { expect, test } from 'vitest';
import { fits, room } from './token-budget.ts';

test('room is what the limit leaves behind the reserve and the use', () => {
  expect(room({ limitTokens: 100, reserveTokens: 20 }, 30)).toBe(50);
  expect(room({ limitTokens: 100 }, 30)).toBe(70);
  expect(room({ limitTokens: 100 }, 130)).toBe(0);
});

test('exactly full fits, one more does not', () => {
  const budget = { limitTokens: 100, reserveTokens: 20 };
  expect([79, 80, 81].map((tokens) => fits(budget, tokens))).toEqual([true, true, false]);
  expect(fits(budget, Number.NaN)).toBe(false);
  expect(fits({ limitTokens: 10, reserveTokens: 20 }, 1)).toBe(false);
});
