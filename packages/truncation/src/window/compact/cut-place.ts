import type { WindowLog } from '../log/window-log.ts';
import type { WindowPolicy } from '../window-policy.ts';

/** Where messages are taken out: `from` begins the gap, `next` is the first message that is not out yet. */
export interface CutPlace {
  readonly from: number;
  readonly next: number;
}

/** The gap is after the first message of the user, which always stays. */
export function cutPlace({ cut, messages }: WindowLog): CutPlace {
  if (cut !== undefined) return { from: cut.from, next: cut.to + 1 };
  const from = messages.findIndex(({ role }) => role === 'user') + 1;
  return { from, next: from };
}

/** The newest tokens that a compaction leaves as they are: the longer of the tails of reads and of other results, at most a quarter of what fits. */
export function compactionTail(
  { tailTokens, otherTailTokens }: WindowPolicy,
  limitTokens: number,
): number {
  return Math.min(Math.max(tailTokens, otherTailTokens), limitTokens / 4);
}
