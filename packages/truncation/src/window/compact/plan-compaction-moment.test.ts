import { describe, expect, it } from 'vitest';
import {
  type CompactionMeasures,
  compactionRegretOf,
  planCompactionMoment,
} from './plan-compaction-moment.ts';

const price = { read: 0.1, write: 1.25, output: 5 };

/** F₂ = 1.15 · 20,000 + 0.1 · 120,000 + 5 · 3,000 = 50,000. */
const measures: CompactionMeasures = {
  requestTokens: 120_000,
  baseTokens: 10_000,
  tailTokens: 20_000,
  summaryTokens: 3000,
  limitTokens: 192_000,
  regret: 50_000,
  isTaskBoundary: true,
  turnsSince: Infinity,
  price,
  failures: 0,
  patience: 1,
};

const momentOf = (changes: Partial<CompactionMeasures>) =>
  planCompactionMoment({ ...measures, ...changes });

describe('the moment of a compaction', () => {
  it('comes when reading on has cost as much as it would: writing the tail, reading all, the summary', () => {
    expect(momentOf({})).toEqual({ compact: true, why: 'pays', penalty: 50_000 });
    expect(momentOf({ regret: 49_999 })).toMatchObject({ compact: false, why: 'not-yet' });
  });

  it('comes later with more patience', () => {
    expect(momentOf({ patience: 4 }).why).toBe('not-yet');
    expect(momentOf({ patience: 4, regret: 200_000 }).why).toBe('pays');
  });

  it('waits for the end of a task, unless the window is full', () => {
    expect(momentOf({ isTaskBoundary: false }).why).toBe('no-boundary');
    const full = momentOf({ isTaskBoundary: false, requestTokens: 193_000, regret: 0 });
    expect(full).toMatchObject({ compact: true, why: 'full' });
  });

  it('does not count a window as full that stand-ins for results make fit', () => {
    const over = { requestTokens: 193_000, regret: 0, stubsSuffice: true };
    expect(momentOf(over).why).toBe('not-yet');
    expect(momentOf({ ...over, isTaskBoundary: false }).why).toBe('no-boundary');
    expect(momentOf({ ...over, stubsSuffice: false }).why).toBe('full');
  });

  it('comes at most once in two turns of the user', () => {
    expect(momentOf({ turnsSince: 1 }).why).toBe('too-soon');
    expect(momentOf({ turnsSince: 1, requestTokens: 193_000 }).why).toBe('too-soon');
    expect(momentOf({ turnsSince: 2 }).why).toBe('pays');
  });

  it('does not come where the next request would not be 15 % under what fits', () => {
    expect(momentOf({ limitTokens: 38_823 }).why).toBe('no-room');
    expect(momentOf({ limitTokens: 38_824, requestTokens: 34_000, regret: 1e6 }).why).toBe('pays');
    expect(momentOf({ requestTokens: 33_000, regret: 1e6 }).why).toBe('no-room');
  });

  it('does not come after three that made no room', () => {
    expect(momentOf({ failures: 2 }).why).toBe('pays');
    expect(momentOf({ failures: 3 }).why).toBe('stuck');
  });

  it('does not come before the request that follows a refusal, however full the window is', () => {
    expect(momentOf({ isRefused: true, requestTokens: 193_000 }).why).toBe('refused');
    expect(momentOf({ isRefused: true, failures: 3 }).why).toBe('stuck');
  });

  it('adds what the middle costs to read at each request', () => {
    expect(compactionRegretOf(measures)).toBeCloseTo(9000);
    expect(compactionRegretOf({ ...measures, requestTokens: 20_000 })).toBe(0);
  });
});
