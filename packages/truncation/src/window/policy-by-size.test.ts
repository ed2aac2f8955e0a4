import { describe, expect, it } from 'vitest';
import type { FlushCause } from './log/segment.ts';
import { policyBySize } from './policy-by-size.ts';
import { insertPair, testWindow, textOf, user } from './test-support/test-window.ts';
import type { Window } from './window.ts';
import { windowModes, windowPolicy } from './window-policy.ts';

/** Works on, and says what made something leave, and how many tokens were in view before and after. */
function flushesOf(window: Window, count: number, first = 0) {
  const flushes: { cause: FlushCause; beforeTokens: number; afterTokens: number }[] = [];
  for (let index = first; index < first + count; index += 1) {
    insertPair(window, `p${String(index)}`, { text: textOf(1000, String(index)) });
    const { flush } = window.request(index * 20_000);
    if (flush !== undefined) flushes.push(flush);
  }
  return flushes;
}

const causesOf = (window: Window, count: number, first?: number): Set<FlushCause> =>
  new Set(flushesOf(window, count, first).map(({ cause }) => cause));

describe('the numbers of a policy', () => {
  it('are those for small windows from the one size to below the other', () => {
    const policyOf = policyBySize(windowModes.default);
    const patience = [47_999, 48_000, 99_999, 100_000].map((size) => policyOf(size).patience);
    expect(patience).toEqual([3, 1000, 1000, 3]);
  });

  it('are the same for every size where nothing is said of small windows', () => {
    const policy = windowPolicy('default', { smallWindow: undefined });
    expect(policyBySize(policy)(64_000)).toBe(policy);
  });
});

describe('a small window', () => {
  it('is left alone until it is full, and then four fifths go', () => {
    const { window } = testWindow({ windowTokens: 64_000 });
    window.insert(user('task'));
    const flushes = flushesOf(window, 150);
    expect(flushes.length).toBeGreaterThan(1);
    for (const { cause, afterTokens } of flushes) {
      expect(cause).toBe('hard');
      expect(afterTokens).toBeLessThanOrEqual(0.2 * 56_000);
    }
  });

  it('is not compacted before it is full', () => {
    const { window } = testWindow({ windowTokens: 64_000 });
    for (let turn = 0; turn < 12; turn += 1) {
      window.insert(user(`task ${String(turn)} ${textOf(3000, `u${String(turn)}`)}`));
      window.request(turn * 20_000);
      expect(window.compactionMoment(500).why).not.toBe('pays');
    }
    window.resize({ windowTokens: 128_000 });
    for (let turn = 12; turn < 200; turn += 1) window.request(turn * 20_000);
    window.insert(user('next'));
    expect(window.compactionMoment(500).why).toBe('pays');
  });

  it('is one as soon as the model has a small one, and no longer when it has a large one again', () => {
    const { window } = testWindow({ windowTokens: 128_000 });
    window.insert(user('task'));
    expect(causesOf(window, 60)).toEqual(new Set(['economic']));
    window.resize({ windowTokens: 64_000 });
    expect(causesOf(window, 150, 60)).toEqual(new Set(['hard']));
    window.resize({ windowTokens: 128_000 });
    expect(causesOf(window, 60, 210)).toEqual(new Set(['economic']));
  });

  it('has the tails of its size at once: what a large one protected leaves', () => {
    const { window } = testWindow({ mode: 'evidence', windowTokens: 128_000 });
    window.insert(user('task'));
    for (let index = 0; index < 3; index += 1) {
      insertPair(window, `p${String(index)}`, { text: textOf(1500, String(index)) });
    }
    window.request(0);
    // All of it is within the 5,000 tokens of a cold moment.
    expect(window.request(day).flush).toBeUndefined();
    window.resize({ windowTokens: 64_000 });
    expect(window.request(2 * day).flush?.cause).toBe('free');
  });
});

const day = 86_400_000;
