import type { WindowSegment } from '../../window/log/segment.ts';
import type { WindowState } from '../../window/window-state.ts';

function isSameSegment(a: WindowSegment | undefined, b: WindowSegment): boolean {
  if (a?.tokens !== b.tokens || a.edit?.form !== b.edit?.form) return false;
  return a.block === b.block || JSON.stringify(a.block) === JSON.stringify(b.block);
}

/** What stands for messages that are not shown, as text. */
function standIns({ log }: WindowState): string {
  return JSON.stringify([log.cut, log.epoch]);
}

/**
 * First segment of `now` that `before` did not show like this, `Infinity` where all of it was shown so.
 * Pure. Goes through the segments up to there.
 */
export function changedFrom(before: WindowState, now: WindowState): number {
  const isGapSame = standIns(before) === standIns(now);
  const gap = Math.min(before.log.cut?.from ?? Infinity, now.log.cut?.from ?? Infinity);
  const firstOfGap = isGapSame ? Infinity : (now.log.messages[gap]?.first ?? Infinity);
  const { segments } = now.log;
  const different = segments.findIndex(
    (segment, index) => !isSameSegment(before.log.segments[index], segment),
  );
  return Math.min(different < 0 ? Infinity : different, firstOfGap);
}

/** Whether nothing that could leave now stands in what the cache holds. */
export function isColdFrom(state: WindowState, segment: number): boolean {
  state.queue.advance();
  const leaving = [...state.queue.candidates, ...state.queue.coldPairs()];
  const first = leaving.reduce((least, pair) => Math.min(least, pair.callSegment), Infinity);
  return Number.isFinite(segment) && segment <= first;
}
