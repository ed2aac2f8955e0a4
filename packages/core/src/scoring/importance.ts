import type { ImportancePolicy } from './importance-policy.ts';
import { pinnedBonus, rankEpoch } from './rank.ts';

/** How much an item of this rank matters at `now` (ms since the epoch), 0…1; 1 where it is pinned. */
export function importanceOf(rank: number, now: number, policy: ImportancePolicy): number {
  if (rank >= pinnedBonus / 2) return 1;
  return Math.min(1, Math.exp(rank - (now - rankEpoch) / policy.decayMs));
}
