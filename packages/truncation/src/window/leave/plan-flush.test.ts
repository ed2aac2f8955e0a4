import { expect, test } from 'vitest';
import { windowPolicy } from '../window-policy.ts';
import { type FlushMeasures, planFlush } from './plan-flush.ts';

const policy = windowPolicy('default', { patience: 4 });
const calm: FlushMeasures = {
  projectedTokens: 100_000,
  limitTokens: 192_000,
  isCold: false,
  leavingTokens: 10_000,
  coldLeavingTokens: 12_000,
  survivingTokens: 20_000,
  regret: 0,
  price: { read: 0.1, write: 1.25 },
};

test('waits while waiting is cheap, and adds up what it costs', () => {
  expect(planFlush(calm, policy)).toEqual({ penalty: 23_000, regret: 1000 });
  expect(planFlush({ ...calm, regret: 90_999 }, policy).cause).toBeUndefined();
});

test.each([
  ['economic', 'has waited for four times the penalty', { regret: 91_000 }],
  ['free', 'the cache is cold', { isCold: true }],
  ['hard', 'the window is full', { projectedTokens: 192_001 }],
  ['hard', 'the window is full, whatever the cache', { projectedTokens: 192_001, isCold: true }],
])('flushes (%s) when it %s', (cause, _, change) => {
  expect(planFlush({ ...calm, ...change }, policy)).toMatchObject({ cause, regret: 0 });
});

test.each([
  ['economic under 4,000 tokens', { leavingTokens: 3999, regret: 1e9 }],
  ['free under 1,000 tokens', { isCold: true, leavingTokens: 0, coldLeavingTokens: 999 }],
])('is never %s', (_, change) => {
  expect(planFlush({ ...calm, ...change }, policy).cause).toBeUndefined();
});

test('nothing is ever paid for where writing costs no more than reading', () => {
  const free = planFlush({ ...calm, price: { read: 1, write: 1 } }, policy);
  expect(free).toMatchObject({ cause: 'economic', penalty: 0 });
});

test('a window that is just full is not forced, and exactly the least tokens are enough to go', () => {
  const causeOf = (change: Partial<FlushMeasures>) =>
    planFlush({ ...calm, ...change }, policy).cause;
  expect(causeOf({ projectedTokens: 192_000 })).toBeUndefined();
  expect(causeOf({ isCold: true, leavingTokens: 0, coldLeavingTokens: 1000 })).toBe('free');
  expect(causeOf({ leavingTokens: 4000, regret: 1e9 })).toBe('economic');
});
