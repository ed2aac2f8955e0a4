import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partsTotal, scaledTo, usedParts } from './context-use.ts';

const parts = fc.dictionary(fc.constantFrom(...usedParts), fc.nat(1_000_000));

it('scales parts to the total, none below 0, and makes no part of nothing', () => {
  fc.assert(
    fc.property(parts, fc.nat(2_000_000), (given, total) => {
      const scaled = scaledTo(given, total);
      expect(partsTotal(scaled)).toBe(partsTotal(given) === 0 ? 0 : total);
      for (const part of usedParts) {
        expect(scaled[part] ?? 0).toBeGreaterThanOrEqual(0);
        if ((given[part] ?? 0) === 0) expect(scaled[part] ?? 0).toBe(0);
      }
    }),
  );
});

it('gives what only rounding leaves to the largest part', () => {
  expect(scaledTo({ user: 1, results: 2 }, 100)).toEqual({ user: 33, results: 67 });
});
