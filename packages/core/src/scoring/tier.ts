import { type ImportancePolicy, lowestOf } from './importance-policy.ts';
import { rankAt } from './rank.ts';

/** How close an item is to the prompt. Derived from rank and time, never set. */
export type Tier = 'hot' | 'warm' | 'cold';

/** From the hottest to the coldest. */
export const tiers: readonly Tier[] = ['hot', 'warm', 'cold'];

/** Returns the lowest rank of a tier at `now` (ms since the epoch): the one border that queries, receipts and views share. */
export function tierBorder(tier: 'hot' | 'warm', now: number, policy: ImportancePolicy): number {
  return rankAt(lowestOf(tier, policy), now, policy);
}

/** Returns a function that maps ranks to tiers at one `now` (ms since the epoch). */
export function tiersAt(now: number, policy: ImportancePolicy): (rank: number) => Tier {
  const hot = tierBorder('hot', now, policy);
  const warm = tierBorder('warm', now, policy);
  return (rank) => {
    if (rank >= hot) return 'hot';
    return rank >= warm ? 'warm' : 'cold';
  };
}

/** Returns the tier of an item of this rank at `now` (ms since the epoch). */
export function tierOf(rank: number, now: number, policy: ImportancePolicy): Tier {
  return tiersAt(now, policy)(rank);
}

/** A range of ranks. A missing bound is open. */
export interface RankRange {
  readonly from?: number;
  readonly to?: number;
  readonly toExclusive?: boolean;
}

/** Returns the ranks of a tier at `now`: one contiguous range of the rank index. */
export function rankRangeOf(tier: Tier, now: number, policy: ImportancePolicy): RankRange {
  const hot = tierBorder('hot', now, policy);
  const warm = tierBorder('warm', now, policy);
  if (tier === 'hot') return { from: hot };
  return tier === 'warm'
    ? { from: warm, to: hot, toExclusive: true }
    : { to: warm, toExclusive: true };
}
