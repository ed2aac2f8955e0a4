import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineCoverage, type LineRange, wholeFile } from './line-range.ts';

const range = (first: number, last: number): LineRange => ({ first, last });

describe('createCoverage', () => {
  it('covers nothing at first and everything with the whole file', () => {
    const coverage = createLineCoverage();
    expect(coverage.covers(range(5, 5))).toBe(false);
    coverage.add(wholeFile);
    expect(coverage.covers(range(5, 5))).toBe(true);
    expect(coverage.covers(wholeFile)).toBe(true);
  });

  it('does not take two neighbouring pages for one', () => {
    const coverage = createLineCoverage();
    coverage.add(range(1, 100));
    coverage.add(range(101, 200));
    expect(coverage.covers(range(50, 150))).toBe(false);
  });

  it('agrees with a look at every range', () => {
    const anyRange = fc
      .tuple(fc.integer({ min: 1, max: 12 }), fc.nat(6))
      .map(([first, more]) => range(first, more === 6 ? Number.POSITIVE_INFINITY : first + more));
    fc.assert(
      fc.property(fc.array(anyRange), anyRange, (ranges, asked) => {
        const coverage = createLineCoverage();
        for (const one of ranges) coverage.add(one);
        const expected = ranges.some((one) => one.first <= asked.first && one.last >= asked.last);
        expect(coverage.covers(asked)).toBe(expected);
      }),
    );
  });
});
