import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultCalibrationPolicy, factorAfterRefusal, nextFactor } from './calibration.ts';

const report = (estimatedTokens: number, reportedTokens: number) => ({
  estimatedTokens,
  reportedTokens,
});

describe('the factor of estimates', () => {
  it('goes 30 % of the way to what was reported', () => {
    expect(nextFactor(1, report(1000, 1200))).toBeCloseTo(1.06);
    expect(nextFactor(1.06, report(1000, 1200))).toBeCloseTo(1.102);
  });

  it('comes to what is reported again and again', () => {
    let factor = 1;
    for (let count = 0; count < 40; count += 1) factor = nextFactor(factor, report(1000, 1370));
    expect(factor).toBeCloseTo(1.37, 3);
  });

  it('never goes further than 0.15 at once, and stays within 0.5 and 2, whatever is reported', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 2, noNaN: true }),
        fc.double(),
        fc.double(),
        (factor, a, b) => {
          const next = nextFactor(factor, report(a, b));
          expect(Math.abs(next - factor)).toBeLessThanOrEqual(
            defaultCalibrationPolicy.maxStep + 1e-9,
          );
          expect(next).toBeGreaterThanOrEqual(0.5);
          expect(next).toBeLessThanOrEqual(2);
        },
      ),
    );
  });

  it.each([
    [0, 1000],
    [1000, 0],
    [1000, Number.NaN],
    [Number.POSITIVE_INFINITY, 1000],
    [1000, -5],
  ])('does not learn from an estimate of %s and a report of %s', (estimated, reported) => {
    expect(nextFactor(1.2, report(estimated, reported))).toBe(1.2);
  });

  it('jumps to the size that a refusal names', () => {
    const refusal = { estimatedTokens: 100_000, windowTokens: 128_000, reportedTokens: 150_000 };
    expect(factorAfterRefusal(1, refusal)).toBe(1.5);
  });

  it('puts a refused request over the window where no size is named, and further each time', () => {
    const refusal = { estimatedTokens: 100_000, windowTokens: 128_000 };
    const first = factorAfterRefusal(1, refusal);
    expect(first * 100_000).toBeGreaterThan(128_000);
    expect(factorAfterRefusal(first, refusal)).toBeGreaterThan(first * 1.05);
  });

  it('never falls after a refusal, and never beyond eight', () => {
    expect(
      factorAfterRefusal(2, { estimatedTokens: 100, windowTokens: 100, reportedTokens: 90 }),
    ).toBeGreaterThan(2);
    expect(factorAfterRefusal(1, { estimatedTokens: 1, windowTokens: 1_000_000 })).toBe(8);
    expect(factorAfterRefusal(1, { estimatedTokens: 0, windowTokens: 100 })).toBe(1);
  });
});
