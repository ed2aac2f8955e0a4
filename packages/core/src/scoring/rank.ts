import { type ImportancePolicy, weightOfKind } from './importance-policy.ts';

/** Moments are counted from here, so that a rank keeps its digits: 2020-01-01T00:00:00Z, ms. */
export const rankEpoch = 1_577_836_800_000;

/** Added to the rank of what is pinned: more than any time can add (3 million years at the default decay). */
export const pinnedBonus = 1e9;

/** What a rank is made of. */
export interface RankInputs {
  readonly kind: string;
  readonly accessCount: number;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** ms since the epoch. */
  readonly lastAccessedAt: number;
  readonly pinned: boolean;
  /** Takes the place of the kind's weight. Above 0, at most 1. */
  readonly weight?: number;
  /** Set where it is finished, ms since the epoch. */
  readonly finishedAt?: number;
}

/** boost(n) = 1 + gain · ln(1 + n): 1 for what nobody has read yet. */
export function boostOf(accessCount: number, policy: ImportancePolicy): number {
  return 1 + policy.gain * Math.log1p(accessCount);
}

/** When an item was last of use, ms since the epoch. */
export function touchedAtOf({
  createdAt,
  lastAccessedAt,
}: Pick<RankInputs, 'createdAt' | 'lastAccessedAt'>): number {
  return Math.max(createdAt, lastAccessedAt);
}

/** Importance that an item has at the moment of a touch, before it is cut at 1: weight · boost, held below warm once finished. */
export function strengthOf(item: RankInputs, policy: ImportancePolicy): number {
  const weight = item.weight ?? weightOfKind(item.kind, policy);
  const strength = weight * boostOf(item.accessCount, policy);
  if (item.finishedAt === undefined) return strength;
  return Math.min(strength, policy.finishedShare * policy.warmFrom);
}

/**
 * ln(weight · boost) + touchedAt / decay: the logarithm of importance without its common, moving part.
 * Contract: order by rank is order by importance at every instant; changes only with a save, a touch, a pin or a finish.
 */
export function rankOf(item: RankInputs, policy: ImportancePolicy): number {
  const rank =
    Math.log(strengthOf(item, policy)) + (touchedAtOf(item) - rankEpoch) / policy.decayMs;
  return item.pinned ? rank + pinnedBonus : rank;
}

/** The rank that an importance of `importance` has at `now`: the border of a tier. */
export function rankAt(importance: number, now: number, policy: ImportancePolicy): number {
  return Math.log(importance) + (now - rankEpoch) / policy.decayMs;
}
