import { type Message, unitsOf } from '@ctx/core';
import { type CutPoint, cutPointsOf } from './cut-points.ts';
import { type DeletedRange, deletedRange } from './deleted-range.ts';
import { type ClassicStrategy, removedCount } from './strategies.ts';

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
 * Contract: pure. Between plain messages the range is exactly the seed's; where it would part a call from its results it is
 * narrowed to whole units, and widened only where narrowing leaves nothing new to take out, never over the newest unit.
 * `undefined` where nothing more can leave. Late results belong to no unit: repair first.
 * Cost: one pass over the blocks.
 */
export function planRange(
  messages: readonly Message[],
  strategy: ClassicStrategy,
  previous?: DeletedRange,
): DeletedRange | undefined {
  const front = frontOf(messages);
  const start = previous?.start ?? front;
  const from = previous === undefined ? front : previous.end + 1;
  const removed = removedCount(strategy, messages.length, from);
  let end = from + removed - 1;
  if (removed > 0 && messages[end]?.role !== 'assistant') end -= 1;
  if (end < from) return undefined;
  return toWholeUnits(messages, { start, from, end });
}

interface WantedRange {
  readonly start: number;
  /** First message that is still in view behind the front. */
  readonly from: number;
  readonly end: number;
}

function toWholeUnits(messages: readonly Message[], wanted: WantedRange): DeletedRange | undefined {
  const points = cutPointsOf(messages);
  const start = points.find(({ index }) => index >= wanted.start)?.index ?? messages.length;
  const after = Math.max(wanted.from, start);
  const ends = points.filter((point) => point.index > after && isSafe(point, start));
  const lastUnit = unitsOf(messages).at(-1)?.start ?? 0;
  const narrowed = ends.findLast(({ index }) => index <= wanted.end + 1);
  const widened = ends.find(({ index }) => index > wanted.end + 1 && index <= lastUnit);
  const cut = narrowed ?? widened;
  return cut === undefined ? undefined : deletedRange(start, cut.index - 1);
}

/** Whether what stands behind the cut can do with what is kept in front of it. */
function isSafe({ loopStart }: CutPoint, start: number): boolean {
  return loopStart === undefined || loopStart < start;
}
