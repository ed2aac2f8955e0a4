import { describe, expect, it } from 'vitest';
import { inverseFrequency, lengthNorm, saturate } from './bm25.ts';

describe('bm25', () => {
  it('weighs a word by how few documents hold it', () => {
    expect(inverseFrequency(1, 3)).toBeCloseTo(Math.log(1 + 2.5 / 1.5), 12);
    expect(inverseFrequency(3, 3)).toBeCloseTo(Math.log(1 + 0.5 / 3.5), 12);
  });

  it('makes up for length by the share asked for', () => {
    expect(lengthNorm(20, 10, 0.75)).toBe(1.75);
    expect(lengthNorm(20, 10, 0)).toBe(1);
    expect(lengthNorm(10, 10, 0.4)).toBe(1);
  });

  it('takes every text for an average one where all are empty', () => {
    expect(lengthNorm(0, 0, 0.75)).toBe(1);
  });

  it('lets repeats count ever less', () => {
    expect(saturate(0, 1.6)).toBe(0);
    expect(saturate(1, 1.6)).toBe(1);
    expect(saturate(2, 1.6)).toBeCloseTo(5.2 / 3.6, 12);
    expect(saturate(1_000_000, 1.6)).toBeLessThan(2.6);
  });
});
