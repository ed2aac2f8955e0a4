import { finishedCap, type ImportancePolicy, weightOfKind } from './importance-policy.ts';

/** Times are counted from 2020-01-01T00:00:00Z (ms), so that a rank keeps its precision. */
export const rankEpoch = 1_577_836_800_000;

/** Added to the rank of pinned items: more than time can add (3 million years at the default decay). */
export const pinnedBonus = 1e9;

/** The inputs of a rank. */
export interface RankInputs {
  readonly kind: string;
  readonly accessCount: number;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** ms since the epoch. */
  readonly lastAccessedAt: number;
  readonly pinned: boolean;
  /** Replaces the kind's weight. Above 0, at most 1. */
  readonly weight?: number;
  /** When it was finished, ms since the epoch. */
  readonly finishedAt?: number;
}

/** Returns 1 + gain · ln(1 + n): 1 for an item that was never read. */
export function boostOf(accessCount: number, policy: ImportancePolicy): number {
  return 1 + policy.gain * Math.log1p(accessCount);
}

/** Returns when an item was last saved or read, ms since the epoch. */
export function touchedAtOf({
  createdAt,
  lastAccessedAt,
}: Pick<RankInputs, 'createdAt' | 'lastAccessedAt'>): number {
  return Math.max(createdAt, lastAccessedAt);
}

/** Returns weight · boost, capped below warm for finished items: the importance at the moment of a touch, before the cap of 1. */
export function strengthOf(item: RankInputs, policy: ImportancePolicy): number {
  const weight = item.weight ?? weightOfKind(item.kind, policy);
  const strength = weight * boostOf(item.accessCount, policy);
  if (item.finishedAt === undefined) return strength;
  return Math.min(strength, finishedCap(policy));
}

/**
 * Returns ln(weight · boost) + touchedAt / decay: the logarithm of importance without the part that time moves for all items
 * alike. Order by rank is order by importance at every instant; a rank changes only on a save, touch, pin or finish.
 */
export function rankOf(item: RankInputs, policy: ImportancePolicy): number {
  const rank =
    Math.log(strengthOf(item, policy)) + (touchedAtOf(item) - rankEpoch) / policy.decayMs;
  return item.pinned ? rank + pinnedBonus : rank;
}

/** Returns the rank of an importance at `now`. */
export function rankAt(importance: number, now: number, policy: ImportancePolicy): number {
  return Math.log(importance) + (now - rankEpoch) / policy.decayMs;
}
