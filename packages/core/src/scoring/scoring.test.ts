import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importanceOf } from './importance.ts';
import {
  checkImportancePolicy,
  defaultImportancePolicy,
  weightOfKind,
} from './importance-policy.ts';
import { boostOf, pinnedBonus, type RankInputs, rankOf } from './rank.ts';
import { rankRangeOf, type Tier, tierBorder, tierOf, tiers } from './tier.ts';

const policy = defaultImportancePolicy;
const hour = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const kinds = ['TASK', 'CODE', 'ERROR', 'TEST_RESULT', 'PRD_SECTION', 'anything'];

const item = (change: Partial<RankInputs> = {}): RankInputs => ({
  kind: 'TASK',
  accessCount: 0,
  createdAt: start,
  lastAccessedAt: start,
  pinned: false,
  ...change,
});

/** Importance by the formula of the design, with no rank in between. */
function importanceByFormula(inputs: RankInputs, now: number): number {
  const touchedAt = Math.max(inputs.createdAt, inputs.lastAccessedAt);
  const decay = Math.exp(-(now - touchedAt) / policy.decayMs);
  const weight = inputs.weight ?? weightOfKind(inputs.kind, policy);
  const cap = inputs.finishedAt === undefined ? Number.POSITIVE_INFINITY : 0.3;
  return Math.min(1, Math.min(cap, weight * boostOf(inputs.accessCount, policy)) * decay);
}

const anyItem: fc.Arbitrary<RankInputs> = fc.record({
  kind: fc.constantFrom(...kinds),
  accessCount: fc.nat({ max: 1000 }),
  createdAt: fc.integer({ min: start, max: Date.UTC(2070, 0, 1) }),
  lastAccessedAt: fc.integer({ min: start, max: Date.UTC(2070, 0, 1) }),
  pinned: fc.constant(false),
});

/** Also with a weight of its own, and finished. */
const anyWeighed: fc.Arbitrary<RankInputs> = fc
  .tuple(
    anyItem,
    fc.record(
      {
        weight: fc.double({ min: 0.001, max: 1, noNaN: true }),
        finishedAt: fc.constant(start),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([inputs, more]) => ({ ...inputs, ...more }));

const tierAt = (inputs: RankInputs, now: number): Tier =>
  tierOf(rankOf(inputs, policy), now, policy);

describe('importance and tiers', () => {
  it('makes a fresh task hot', () => {
    expect(tierAt(item(), start)).toBe('hot');
    expect(importanceOf(rankOf(item(), policy), start, policy)).toBeCloseTo(1, 12);
  });

  it.each([
    ['CODE, whose weight is the border', { kind: 'CODE' }, 'hot'],
    ['an importance of its own at the border of hot', { weight: 0.8 }, 'hot'],
    ['an importance of its own at the border of warm', { weight: 0.4 }, 'warm'],
  ] as const)('counts %s in that tier, at once and minutes later', (_name, change, tier) => {
    for (const later of [0, 1, 20, 5 * 60_000])
      expect(tierAt(item(change), start + later)).toBe(tier);
    expect(tierAt(item(change), start + hour)).not.toBe(tier);
  });

  it('takes for hot and warm exactly what is so once it is rounded to hundredths', () => {
    const border = fc.integer({ min: 2, max: 100 }).map((hundredths) => hundredths / 100);
    fc.assert(
      fc.property(border, fc.integer({ min: -15, max: 15 }), (hotFrom, thousandths) => {
        const own = Math.min(1, hotFrom + thousandths / 1000);
        // Halves of a hundredth are a matter of the last digit.
        fc.pre(Math.round(own * 1000) % 10 !== 5);
        const chosen = { ...policy, hotFrom, warmFrom: 0.01 };
        const tier = tierOf(rankOf(item({ weight: own }), chosen), start, chosen);
        expect(tier === 'hot').toBe(Math.round(own * 100) >= Math.round(hotFrom * 100));
      }),
    );
  });

  it('keeps what is finished cold also where its share is all but the border', () => {
    const chosen = { ...policy, finishedShare: 0.9999 };
    const rank = rankOf(item({ finishedAt: start }), chosen);
    expect(tierOf(rank, start, chosen)).toBe('cold');
  });

  it('makes a task that nobody touched for a day cold', () => {
    expect(tierAt(item(), start + 24 * hour)).toBe('cold');
  });

  it.each(kinds)('lets %s reach every tier within 30 accesses', (kind) => {
    const read = item({ kind, accessCount: 30 });
    expect(tierAt(read, start)).toBe('hot');
    const reached = new Set(
      [1, 10, 20, 30, 40, 60].map((hours) => tierAt(read, start + hours * hour)),
    );
    expect([...reached].sort()).toEqual(['cold', 'hot', 'warm']);
  });

  it('equals the formula at every instant, decades ahead', () => {
    fc.assert(
      fc.property(anyWeighed, fc.nat({ max: 10 * policy.decayMs }), (inputs, later) => {
        const now = Math.max(inputs.createdAt, inputs.lastAccessedAt) + later;
        const importance = importanceOf(rankOf(inputs, policy), now, policy);
        expect(importance).toBeCloseTo(importanceByFormula(inputs, now), 9);
      }),
    );
  });

  it('orders by rank as by importance, at every instant', () => {
    fc.assert(
      fc.property(anyWeighed, anyWeighed, fc.nat({ max: policy.decayMs }), (a, b, later) => {
        const now = Math.max(a.createdAt, b.createdAt, a.lastAccessedAt, b.lastAccessedAt) + later;
        const [left, right] = [importanceByFormula(a, now), importanceByFormula(b, now)];
        fc.pre(left < 1 && right < 1 && Math.abs(left - right) > 1e-9 * Math.max(left, right));
        expect(rankOf(a, policy) < rankOf(b, policy)).toBe(left < right);
      }),
    );
  });

  it('never lowers importance by a read', () => {
    fc.assert(
      fc.property(anyWeighed, fc.nat({ max: policy.decayMs }), (inputs, later) => {
        const now = Math.max(inputs.createdAt, inputs.lastAccessedAt) + later;
        const read = { ...inputs, accessCount: inputs.accessCount + 1, lastAccessedAt: now };
        const difference = rankOf(read, policy) - rankOf(inputs, policy);
        if (inputs.finishedAt === undefined) expect(difference).toBeGreaterThan(0);
        else expect(difference).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('keeps what is finished cold, however often and late it is read', () => {
    fc.assert(
      fc.property(anyWeighed, fc.nat(), (inputs, later) => {
        const now = Math.max(inputs.createdAt, inputs.lastAccessedAt) + later;
        const finished = { ...inputs, finishedAt: start, lastAccessedAt: now };
        expect(tierAt(finished, now)).toBe('cold');
      }),
    );
  });

  it('gives what is saved with an importance exactly that, in place of the weight of its kind', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1, noNaN: true }), (weight) => {
        const rank = rankOf(item({ kind: 'PRD_SECTION', weight }), policy);
        expect(importanceOf(rank, start, policy)).toBeCloseTo(weight, 12);
      }),
    );
  });

  it('puts every rank into exactly the range of its tier', () => {
    fc.assert(
      fc.property(
        anyWeighed,
        fc.integer({ min: start, max: Date.UTC(2080, 0, 1) }),
        (inputs, now) => {
          const rank = rankOf(inputs, policy);
          const holding = tiers.filter((tier) => {
            const range = rankRangeOf(tier, now, policy);
            const above = range.from === undefined || rank >= range.from;
            const below = range.to === undefined || rank < range.to;
            return above && below;
          });
          expect(holding).toEqual([tierOf(rank, now, policy)]);
        },
      ),
    );
  });

  it('ranks what is pinned before everything else, and keeps it hot for ever', () => {
    const pinned = rankOf(item({ kind: 'PRD_SECTION', pinned: true }), policy);
    const newest = rankOf(item({ accessCount: 1e6, createdAt: Date.UTC(2200, 0, 1) }), policy);
    expect(pinned).toBeGreaterThan(newest);
    expect(tierOf(pinned, Date.UTC(2200, 0, 1), policy)).toBe('hot');
    expect(importanceOf(pinned, Date.UTC(2200, 0, 1), policy)).toBe(1);
  });

  it('never takes what is new for pinned, however fast importance falls', () => {
    const fast = { ...policy, decayMs: 60_000 };
    checkImportancePolicy(fast);
    const now = Date.UTC(2200, 0, 1);
    const rank = rankOf(item({ createdAt: now, lastAccessedAt: now }), fast);
    expect(importanceOf(rank, now + 60_000, fast)).toBeCloseTo(Math.exp(-1), 6);
  });

  it('gives a kind named like a member of every object the default weight', () => {
    expect(weightOfKind('constructor', policy)).toBe(0.5);
    expect(weightOfKind('__proto__', policy)).toBe(0.5);
  });

  it.each([
    [{ weights: { TASK: 0 } }, 'weights.TASK'],
    [{ defaultWeight: 1.1 }, 'defaultWeight'],
    [{ hotFrom: 0 }, 'hotFrom'],
    [{ hotFrom: 0.4 }, 'warmFrom must be below'],
    [{ warmFrom: 0 }, 'warmFrom must be above 0'],
    [{ gain: -1 }, 'gain'],
    [{ gain: 10.1 }, 'gain'],
    [{ finishedShare: 1 }, 'finishedShare'],
    [{ finishedShare: 0 }, 'finishedShare'],
    [{ decayMs: 59_999 }, 'decayMs'],
    [{ decayMs: 1.1e13 }, 'decayMs'],
    [{ decayMs: Number.NaN }, 'decayMs'],
    [{ pauseMs: 999 }, 'pauseMs must be at least 1000'],
  ])('refuses the policy %j and names %s', (change, field) => {
    const message = expect.stringContaining(field) as string;
    expect(() => {
      checkImportancePolicy({ ...policy, ...change });
    }).toThrow(expect.objectContaining({ code: 'CTX_INVALID_OPTION', message }));
  });

  it.each([
    { gain: 0 },
    { gain: 10 },
    { decayMs: 60_000 },
    { decayMs: 1e13 },
    { pauseMs: 1000 },
    { pauseMs: Number.POSITIVE_INFINITY },
  ])('takes a policy at its limit: %j', (change) => {
    expect(() => {
      checkImportancePolicy({ ...policy, ...change });
    }).not.toThrow();
  });

  it('has the lowest rank of a tier in that tier, and in no range but its own', () => {
    for (const [tier, lower] of [
      ['hot', 'warm'],
      ['warm', 'cold'],
    ] as const) {
      const border = tierBorder(tier, start, policy);
      expect(tierOf(border, start, policy)).toBe(tier);
      expect(rankRangeOf(tier, start, policy).from).toBe(border);
      expect(rankRangeOf(lower, start, policy)).toMatchObject({ to: border, toExclusive: true });
    }
  });

  it('is 1 for what is pinned, also where its rank alone would have faded', () => {
    const pinned = rankOf(item({ pinned: true }), policy);
    expect(importanceOf(pinned, start + 1e9 * policy.decayMs * 2, policy)).toBe(1);
    expect(importanceOf(pinnedBonus / 2, start + 1e9 * policy.decayMs * 2, policy)).toBe(1);
  });
});
