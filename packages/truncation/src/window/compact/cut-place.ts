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

/** The place after the last message of the unit at `start`. */
export function unitEnd({ messages }: WindowLog, start: number): number {
  let end = start + 1;
  while (end < messages.length && messages[end]?.unit === start) end += 1;
  return end;
}

/**
 * The place after the units from `start` on of which nothing is shown. One line before them tells them all, and where that line goes, they
 * have to go with it: else nothing would name them any more. The newest unit is never among them.
 */
export function afterUnshown(
  log: WindowLog,
  start: number,
  shownTokens: (segment: number) => number,
): number {
  const newest = log.messages.at(-1)?.unit ?? 0;
  let next = start;
  while (next < newest) {
    const end = unitEnd(log, next);
    const last = log.messages[end - 1]?.end ?? 0;
    for (let segment = log.messages[next]?.first ?? last; segment < last; segment += 1) {
      if (shownTokens(segment) > 0) return next;
    }
    next = end;
  }
  return next;
}
