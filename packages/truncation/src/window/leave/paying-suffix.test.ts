import { expect, it } from 'vitest';
import type { Pair } from '../log/segment.ts';
import { windowPolicy } from '../window-policy.ts';
import { payingSuffix } from './paying-suffix.ts';

const policy = windowPolicy('default', { patience: 1, economicFloorTokens: 1000 });
const price = { read: 0.1, write: 1.1 };

/** What may leave at a place of the log, so many tokens, since a request. */
function candidate(callSegment: number, leavingTokens: number, nominatedAt: number): Pair {
  return { ...({} as Pair), callSegment, leavingTokens, nominatedAt, isInPart: false };
}

/** A log of 100 segments of 1,000 tokens each. */
const tokensFrom = (segment: number): number => (100 - segment) * 1000;

it('lets what stands at the end of the log leave, though what is old does not pay yet', () => {
  const [old, late] = [candidate(10, 2000, 0), candidate(94, 4000, 0)];
  const input = { candidates: [old, late], tokensFrom, price };
  // 2,000 tokens stay after the late one: 0.1 · 4,000 · 5 requests pay for writing them anew.
  expect(payingSuffix({ ...input, request: 3 }, policy)).toBeUndefined();
  expect(payingSuffix({ ...input, request: 4 }, policy)).toEqual({
    pairs: [late],
    penalty: 2000,
    regret: 2000,
  });
});

it('takes what is old along where that pays by itself', () => {
  const [old, late] = [candidate(90, 4000, 0), candidate(94, 4000, 0)];
  const input = { candidates: [late, old], tokensFrom, price, request: 19 };
  expect(payingSuffix(input, policy)).toMatchObject({ pairs: [old, late], penalty: 2000 });
});

it('lets nothing leave below the floor, or before waiting has cost as much as going', () => {
  const input = { tokensFrom, price, request: 100 };
  expect(payingSuffix({ ...input, candidates: [candidate(99, 900, 0)] }, policy)).toBeUndefined();
  expect(payingSuffix({ ...input, candidates: [] }, policy)).toBeUndefined();
  const far = candidate(0, 5000, 0);
  expect(payingSuffix({ ...input, candidates: [far] }, policy)).toBeUndefined();
});

it('counts waiting from the request at which each could leave first', () => {
  const late = candidate(94, 4000, 10);
  const input = { candidates: [late], tokensFrom, price };
  expect(payingSuffix({ ...input, request: 13 }, policy)).toBeUndefined();
  expect(payingSuffix({ ...input, request: 14 }, policy)?.regret).toBe(2000);
});

it('lets exactly the least tokens leave, and of two that gain as much the larger', () => {
  const least = { tokensFrom, price, request: 100, candidates: [candidate(99, 1000, 0)] };
  expect(payingSuffix(least, policy)?.pairs).toHaveLength(1);
  // The second one adds 500 tokens that stay, and 500 of waiting.
  const both = [candidate(93, 500, 0), candidate(94, 4000, 0)];
  const found = payingSuffix({ tokensFrom, price, request: 9, candidates: both }, policy);
  expect(found).toEqual({ pairs: both, penalty: 2500, regret: 4500 });
});

it('leaves out what is old where taking it along pays, and gains less', () => {
  const [old, late] = [candidate(93, 100, 9), candidate(94, 4000, 0)];
  const input = { candidates: [old, late], tokensFrom, price, request: 9 };
  expect(payingSuffix(input, policy)?.pairs).toEqual([late]);
});
