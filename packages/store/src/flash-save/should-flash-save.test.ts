import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flashSavePolicy } from './flash-save-policy.ts';
import {
  type FlashSaveMemory,
  firstFlashSaveMemory,
  shouldFlashSave,
} from './should-flash-save.ts';

const policy = flashSavePolicy();
const limit = 1000;

/** What is decided for requests of these sizes, a minute and a bit apart. */
function reasonsOf(sizes: readonly number[], gapMs = 61_000): string[] {
  let memory: FlashSaveMemory = firstFlashSaveMemory;
  return sizes.map((requestTokens, at) => {
    const decision = shouldFlashSave({ requestTokens, limit, now: at * gapMs }, memory, policy);
    memory = decision.memory;
    return decision.reason;
  });
}

describe('shouldFlashSave', () => {
  it('is due at 80 per cent of the limit, not one token below', () => {
    expect(reasonsOf([799])).toEqual(['below']);
    expect(reasonsOf([800])).toEqual(['due']);
  });

  it('is not due again before a request was small enough', () => {
    expect(reasonsOf([800, 850, 790, 850])).toEqual(['due', 'not-rearmed', 'below', 'not-rearmed']);
    expect(reasonsOf([800, 699, 900])).toEqual(['due', 'below', 'due']);
  });

  it('keeps the interval, and stays armed over it', () => {
    expect(reasonsOf([800, 100, 900, 900], 25_000)).toEqual(['due', 'below', 'too-soon', 'due']);
  });

  it('does not wait for ever where the clock went backwards', () => {
    const memory = { isArmed: true, lastAt: 1e12 };
    const request = { requestTokens: 900, limit, now: 1000 };
    expect(shouldFlashSave(request, memory, policy).isDue).toBe(true);
  });

  it('is due again where requests grow on though they never got small', () => {
    expect(reasonsOf([800, 820, 899, 920, 1100, 1200])).toEqual([
      'due',
      'not-rearmed',
      'not-rearmed',
      'due',
      'not-rearmed',
      'due',
    ]);
  });

  it('is due no more often than requests grow by a tenth of the limit', () => {
    const sizes = fc.array(fc.integer({ min: 700, max: 5000 }), { maxLength: 50 });
    fc.assert(
      fc.property(sizes, (given) => {
        const due = reasonsOf(given).filter((reason) => reason === 'due').length;
        const growth = given.reduce(
          (sum, size, at) => sum + Math.max(0, size - (given[at - 1] ?? size)),
          0,
        );
        expect(due).toBeLessThanOrEqual(1 + growth / 100);
      }),
    );
  });

  it.each([
    [{ requestTokens: 1, limit: 0, now: 0 }, 'limit'],
    [{ requestTokens: Number.NaN, limit: 1, now: 0 }, 'requestTokens'],
  ])('refuses %j', (request, name) => {
    expect(() => shouldFlashSave(request, firstFlashSaveMemory, policy)).toThrow(name);
  });

  it.each([
    [{ triggerShare: 1.1 }, 'triggerShare'],
    [{ rearmShare: 0.8 }, 'rearmShare'],
    [{ growthShare: 0 }, 'growthShare'],
    [{ minIntervalMs: -1 }, 'minIntervalMs'],
    [{ hotTokens: Number.NaN }, 'hotTokens'],
  ])('refuses the policy %j', (given, name) => {
    expect(() => flashSavePolicy(given)).toThrow(name);
  });
});
