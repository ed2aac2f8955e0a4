import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultCalibrationPolicy, nextFactor } from './calibration.ts';

const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -1, Number.NaN, Infinity));
const after = (factor: number, estimatedTokens: number, reportedTokens: number): number =>
  nextFactor(factor, { estimatedTokens, reportedTokens });

test('the factor stays within its bounds and its step, whatever is reported', () => {
  const { minFactor, maxFactor, maxStep } = defaultCalibrationPolicy;
  fc.assert(
    fc.property(fc.array(fc.tuple(anyNumber, anyNumber), { maxLength: 50 }), (reports) => {
      let factor = 1;
      for (const [estimated, reported] of reports) {
        const before = factor;
        factor = after(factor, estimated, reported);
        expect(factor).toBeGreaterThanOrEqual(minFactor);
        expect(factor).toBeLessThanOrEqual(maxFactor);
        expect(Math.abs(factor - before)).toBeLessThanOrEqual(maxStep + 1e-9);
      }
    }),
  );
});

test('it settles at a steady ratio within the bounds', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.5, max: 2, noNaN: true }), (ratio) => {
      let factor = 1;
      for (let request = 0; request < 60; request += 1) {
        factor = after(factor, 10_000, 10_000 * ratio);
      }
      expect(factor).toBeCloseTo(ratio, 4);
    }),
  );
});

test('it moves towards the ratio and never past it', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.5, max: 2, noNaN: true }),
      fc.double({ min: 0.5, max: 2, noNaN: true }),
      (start, ratio) => {
        const gap = Math.abs(after(start, 1000, 1000 * ratio) - ratio);
        expect(gap).toBeLessThanOrEqual(Math.abs(start - ratio) + 1e-9);
      },
    ),
  );
});

test('one odd report moves it by no more than a step', () => {
  expect(after(1, 1000, 1_000_000)).toBeCloseTo(1.15);
});

test('reports that are no positive numbers are ignored', () => {
  const reports: [number, number][] = [
    [0, 100],
    [100, 0],
    [Number.NaN, 100],
    [100, Number.POSITIVE_INFINITY],
  ];
  for (const report of reports) expect(after(1.3, ...report)).toBe(1.3);
});

test.each([{ weight: 0 }, { weight: 2 }, { minFactor: 3 }, { maxStep: Number.NaN }])(
  'a policy of %o is refused',
  (policy) => {
    const report = { estimatedTokens: 1, reportedTokens: 1 };
    expect(() => nextFactor(1, report, policy)).toThrow(
      expect.objectContaining({ code: 'CTX_INVALID_OPTION' }),
    );
  },
);
