import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { explainImportance } from './explain-importance.ts';
import { importanceOf } from './importance.ts';
import { defaultImportancePolicy } from './importance-policy.ts';
import { type RankInputs, rankOf } from './rank.ts';
import { tierOf } from './tier.ts';

const hour = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const policy = defaultImportancePolicy;

const task: RankInputs = {
  kind: 'TASK',
  accessCount: 0,
  createdAt: start,
  lastAccessedAt: start,
  pinned: false,
};

it('names weight, boost, decay and age, and when the next tier begins', () => {
  const parts = explainImportance({ ...task, accessCount: 2 }, policy, start + 12 * hour);
  expect(parts).toMatchObject({ weight: 1, isOwnWeight: false, tier: 'hot', ageMs: 12 * hour });
  // 1 + 0.3 ln 3 = 1.3296; e^-0.5 = 0.6065; their product 0.8064 is above 0.795 for 24 h times ln(1.3296 / 0.795).
  expect(parts.boost).toBeCloseTo(1.3296, 4);
  expect(parts.decay).toBeCloseTo(0.6065, 4);
  expect(((parts.next?.at ?? 0) - start) / hour).toBeCloseTo(12.343, 3);
});

it('says of a fresh task that it is hot for 5 hours and 30 minutes', () => {
  // 24 h times ln(1 / 0.795) is 5.5058 h.
  const { next } = explainImportance(task, policy, start);
  expect(next?.tier).toBe('warm');
  expect(((next?.at ?? 0) - start) / hour).toBeCloseTo(5.506, 3);
});

it('knows no next tier of what is pinned or cold', () => {
  expect(explainImportance({ ...task, pinned: true }, policy, start)).not.toHaveProperty('next');
  expect(explainImportance(task, policy, start + 48 * hour)).not.toHaveProperty('next');
});

it('tells an own weight from that of the kind, and names no cap of what is not finished', () => {
  const parts = explainImportance({ ...task, weight: 0.9 }, policy, start);
  expect(parts).toMatchObject({ weight: 0.9, isOwnWeight: true });
  expect(parts).not.toHaveProperty('cap');
});

it('names the cap of what is finished', () => {
  const parts = explainImportance({ ...task, finishedAt: start, accessCount: 9 }, policy, start);
  expect(parts.cap).toBeCloseTo(0.3, 12);
  expect(parts.importance).toBeCloseTo(0.3, 12);
});

const times = fc.integer({ min: start, max: Date.UTC(2080, 0, 1) });

const anyInputs: fc.Arbitrary<RankInputs> = fc.record({
  kind: fc.constantFrom('TASK', 'CODE', 'other'),
  accessCount: fc.nat({ max: 1000 }),
  createdAt: times,
  lastAccessedAt: times,
  pinned: fc.boolean(),
});

const anyPolicy = fc
  .record({
    decayMs: fc.integer({ min: 60_000, max: 1e13 }),
    gain: fc.double({ min: 0, max: 10, noNaN: true }),
    hotFrom: fc.double({ min: 0.5, max: 1, noNaN: true }),
    warmFrom: fc.double({ min: 0.01, max: 0.49, noNaN: true }),
  })
  .map((some) => ({ ...policy, ...some }));

it('foretells the ms in which the tier changes, under any policy', () => {
  fc.assert(
    fc.property(anyInputs, anyPolicy, fc.nat({ max: 100 * hour }), (inputs, chosen, later) => {
      const rank = rankOf(inputs, chosen);
      const now = Math.max(inputs.createdAt, inputs.lastAccessedAt) + later;
      const { next, tier, importance } = explainImportance(inputs, chosen, now);
      expect(tier).toBe(tierOf(rank, now, chosen));
      expect(importance).toBe(importanceOf(rank, now, chosen));
      if (next === undefined) return;
      expect(tierOf(rank, next.at - 1, chosen)).toBe(tier);
      expect(tierOf(rank, next.at, chosen)).toBe(next.tier);
    }),
  );
});

it('gives parts whose product is the importance', () => {
  fc.assert(
    fc.property(anyInputs, fc.nat({ max: 1000 * hour }), (inputs, later) => {
      const now = Math.max(inputs.createdAt, inputs.lastAccessedAt) + later;
      const { weight, boost, decay, importance, pinned } = explainImportance(inputs, policy, now);
      const product = pinned ? 1 : Math.min(1, weight * boost * decay);
      expect(importance).toBeCloseTo(product, 9);
    }),
  );
});

it('explains the rank that is stored, also where it was made under another policy', () => {
  const rank = rankOf({ ...task, kind: 'PRD_SECTION' }, policy);
  expect(explainImportance({ ...task, rank }, policy, start).importance).toBeCloseTo(0.5, 12);
});
