import { describe, expect, it } from 'vitest';
import { contextLimit, usableWindow } from './context-limit.ts';
import {
  compactionStrategy,
  compactionTrigger,
  judgeUsage,
  shouldCompact,
  tokensOfUsage,
} from './should-compact.ts';

describe('contextLimit', () => {
  it.each([
    [64_000, 37_000],
    [128_000, 98_000],
    [200_000, 160_000],
    [1_000_000, 960_000],
    [32_000, 25_600],
    [200_001, 160_001],
    [undefined, 98_000],
    [0, 98_000],
    [-5, 98_000],
    [Number.NaN, 98_000],
  ])('of a window of %s is %i', (window, limit) => {
    expect(contextLimit(window)).toBe(limit);
  });

  it('takes what a provider takes where that is less than the window', () => {
    expect(usableWindow({ windowTokens: 400_000, providerId: 'openai-codex' })).toBe(272_000);
    expect(usableWindow({ windowTokens: 200_000, providerId: 'openai-codex' })).toBe(200_000);
    expect(usableWindow({ windowTokens: 400_000, providerId: 'anthropic' })).toBe(400_000);
  });
});

describe('shouldCompact', () => {
  it('adds up all that is in the window: input, output, cache writes and reads', () => {
    const usage = {
      inputTokens: 1,
      outputTokens: 20,
      cacheWriteTokens: 300,
      cacheReadTokens: 4000,
    };
    expect(tokensOfUsage(usage)).toBe(4321);
    expect(tokensOfUsage({ inputTokens: Number.NaN, outputTokens: -7 })).toBe(0);
    expect(tokensOfUsage({})).toBe(0);
  });

  it('says yes at the limit and no one token below', () => {
    const options = { windowTokens: 128_000 };
    expect(shouldCompact({ inputTokens: 98_000 }, options)).toBe(true);
    expect(shouldCompact({ inputTokens: 97_999 }, options)).toBe(false);
  });

  it('takes the threshold where it is lower, rounded down, and the limit where it is not', () => {
    expect(compactionTrigger({ windowTokens: 200_000, thresholdShare: 0.333_333 })).toBe(66_666);
    expect(compactionTrigger({ windowTokens: 200_000, thresholdShare: 0.9 })).toBe(160_000);
    expect(compactionTrigger({ windowTokens: 200_000, thresholdShare: 0 })).toBe(160_000);
  });

  it('says no before the first report', () => {
    expect(shouldCompact(undefined)).toBe(false);
  });
});

describe('compactionStrategy', () => {
  it('leaves a quarter where half would be over the limit', () => {
    expect(compactionStrategy(200_000, 100_000)).toBe('half');
    expect(compactionStrategy(200_001, 100_000)).toBe('quarter');
  });
});

describe('judgeUsage', () => {
  const full = { requestId: 'r7', usage: { inputTokens: 165_000 } };

  it('judges one report once', () => {
    const first = judgeUsage(full, undefined, { windowTokens: 200_000 });
    expect(first).toEqual({ compact: true, strategy: 'half', judgedRequestId: 'r7' });
    const again = judgeUsage(full, first.judgedRequestId, { windowTokens: 200_000 });
    expect(again).toEqual({ compact: false, judgedRequestId: 'r7' });
  });

  it('judges the next report anew', () => {
    const next = judgeUsage({ ...full, requestId: 'r8' }, 'r7', { windowTokens: 200_000 });
    expect(next.compact).toBe(true);
  });

  it('leaves a quarter after a model was changed for one with a smaller window', () => {
    expect(judgeUsage(full, 'r6', { windowTokens: 64_000 }).strategy).toBe('quarter');
  });

  it('does nothing without a report', () => {
    expect(judgeUsage(undefined, undefined)).toEqual({ compact: false });
  });
});
