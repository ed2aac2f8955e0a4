import { checkMessages, type Message, unitsOf } from '@ctx/core';
import { type ClassicStrategy, removedCount } from '../strategies.ts';
import { type CutPoint, cutPointsOf } from './cut-points.ts';
import { type DeletedRange, deletedRange } from './deleted-range.ts';

/**
 * Index of the first message that may leave: the task and the message after it stay, and whatever stands before the task.
 * In a conversation that begins with the task this is 2.
 */
export function frontOf(messages: readonly Message[]): number {
  const task = messages.findIndex((message) => message.role === 'user');
  return Math.max(task, 0) + 2;
}

/**
 * Decides which messages leave under a strategy; `previous` is what left before and stays gone.
 * Pure. Between plain messages the range is exactly the seed's. Where that would part a call from its results, or
 * begin in the midst of a thinking loop, it is widened or narrowed to whole units, so that as many messages leave as near as
 * can be, and never the newest unit. `undefined` where nothing more can leave. Late results belong to no unit: repair first.
 * Makes one pass over the blocks.
 */
export function planRange(
  messages: readonly Message[],
  strategy: ClassicStrategy,
  previous?: DeletedRange,
): DeletedRange | undefined {
  checkMessages(messages);
  const front = frontOf(messages);
  const from = previous === undefined ? front : previous.end + 1;
  const removed = removedCount(strategy, messages.length, from);
  const last = from + removed - 1;
  const end = messages[last]?.role === 'assistant' ? last : last - 1;
  if (removed === 0 || end < from) return undefined;
  return toWholeUnits(messages, { start: previous?.start ?? front, from, end, removed });
}

interface WantedRange {
  readonly start: number;
  /** First message that is still in view after the front. */
  readonly from: number;
  readonly end: number;
  /** How many are to leave. */
  readonly removed: number;
}

function toWholeUnits(messages: readonly Message[], wanted: WantedRange): DeletedRange | undefined {
  const points = cutPointsOf(messages);
  const start = points.find(({ index }) => index >= wanted.start)?.index ?? messages.length;
  const from = Math.max(wanted.from, start);
  const safe = points
    .filter((point) => point.index > from && isSafe(point, start))
    .map(({ index }) => index);
  if (from === wanted.from && safe.includes(wanted.end + 1)) return deletedRange(start, wanted.end);
  const newest = unitsOf(messages).at(-1)?.start ?? 0;
  const distance = (index: number): number => Math.abs(index - from - wanted.removed);
  const [cut] = safe
    .filter((index) => index <= newest)
    .sort((left, right) => distance(left) - distance(right) || left - right);
  return cut === undefined ? undefined : deletedRange(start, cut - 1);
}

/** Whether what stands after the cut can do with what is kept in front of it. */
function isSafe({ loopStart }: CutPoint, start: number): boolean {
  return loopStart === undefined || loopStart < start;
}
