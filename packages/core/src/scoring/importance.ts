import type { ImportancePolicy } from './importance-policy.ts';
import { pinnedBonus, rankEpoch } from './rank.ts';

/** Returns the importance, 0…1, of an item of this rank at `now` (ms since the epoch); 1 if it is pinned. */
export function importanceOf(rank: number, now: number, policy: ImportancePolicy): number {
  if (rank >= pinnedBonus / 2) return 1;
  return Math.min(1, Math.exp(rank - (now - rankEpoch) / policy.decayMs));
}
