import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { possiblyBest, slack } from './score-bounds.ts';

const cells = fc.array(
  fc.record({ base: fc.constantFrom(-1, 0, 0.5, 1, 2), part: fc.constantFrom(0, 0.1, 0.7, 3) }),
  { maxLength: 200 },
);

describe('possiblyBest', () => {
  it('keeps every position that some rest within the margin could put among the best', () => {
    fc.assert(
      fc.property(
        cells,
        fc.constantFrom(0, 0.3, 1),
        fc.integer({ min: 1, max: 20 }),
        (list, margin, limit) => {
          const base = Float64Array.from(list, (cell) => cell.base);
          const parts = Float64Array.from(list, (cell) => cell.part);
          const lower = list.map(({ base, part }) => (base < 0 ? -1 : base + 2 * part));
          const least = lower.filter((score) => score >= 0).sort((a, b) => b - a)[limit - 1] ?? 0;
          // Rounding may not lose one: what is short of the margin by less than the slack stays.
          const floor = Math.max(0, least * (1 - slack) - margin);
          const expected = [...lower.keys()].filter((at) => (lower[at] ?? -1) >= floor);
          const options = { share: 2, margin, limit, most: list.length };
          expect([...(possiblyBest(base, parts, options) ?? [])]).toEqual(expected);
        },
      ),
    );
  });

  it('gives nothing where too many are as good as each other, and where none is asked for', () => {
    const base = new Float64Array(1_000);
    const options = { share: 1, margin: 0, limit: 2, most: 100 };
    expect(possiblyBest(base, base, options)).toBeUndefined();
    expect(possiblyBest(base, base, { ...options, most: 1_000 })?.length).toBe(1_000);
    expect(possiblyBest(base, base, { ...options, limit: 0 })).toBeUndefined();
  });

  it('finds the best few however late they come', () => {
    const base = Float64Array.from({ length: 1_000 }, (_, at) => 1_000 - at);
    const options = { share: 1, margin: 0, limit: 3, most: 10 };
    expect([...(possiblyBest(base, new Float64Array(1_000), options) ?? [])]).toEqual([0, 1, 2]);
  });
});
