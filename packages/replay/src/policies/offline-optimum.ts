import { CtxError, type Message } from '@ctx/core';
import { planOfflineFlushes, windowModes } from '@ctx/truncation';
import type { PolicyContext, PolicyRun, ReplayPolicy } from '../replay-policy.ts';
import { type HindsightUnit, hindsightUnits } from './hindsight-log.ts';
import { type FlushTrace, hindsightTrace } from './hindsight-trace.ts';

/** How many units have left, by the number of messages that the request knows. */
function frontiers(
  trace: FlushTrace,
  flushes: ReadonlySet<number>,
  answers: readonly number[],
): Map<number, number> {
  const found = new Map<number, number>();
  let frontier = 0;
  for (const [index, { mayLeave }] of trace.requests.entries()) {
    // The first piece is what every request carries.
    if (flushes.has(index)) frontier = Math.max(frontier, mayLeave - 1);
    found.set(answers[index] ?? 0, frontier);
  }
  return found;
}

function shown({ whole, left }: HindsightUnit, hasLeft: boolean): readonly Message[] {
  return hasLeft && left !== undefined ? left : whole;
}

function startOptimum(context: PolicyContext): PolicyRun {
  const { hindsight } = context;
  if (hindsight === undefined) {
    throw new CtxError('CTX_INVALID_OPTION', 'this policy needs the session to its end');
  }
  const given = hindsightUnits(hindsight);
  const trace = hindsightTrace({
    units: given,
    steps: hindsight.steps,
    context,
    policy: windowModes.default,
  });
  const [, ...pieces] = trace.pieces;
  // What would save nothing does not leave.
  const units = given.map(({ left, ...unit }, index) =>
    left === undefined || pieces[index]?.left === undefined ? unit : { ...unit, left },
  );
  const answers = hindsight.steps.map(({ answerIndex }) => answerIndex);
  const reach = frontiers(
    trace,
    new Set(planOfflineFlushes(trace, context.price).flushes),
    answers,
  );
  let known = 0;
  let frontier = 0;
  const inView = (): HindsightUnit[] => units.filter(({ start }) => start < known);
  return {
    insert: () => {
      known += 1;
    },
    render: () => {
      frontier = reach.get(known) ?? frontier;
      return inView().flatMap((unit, index) => shown(unit, index < frontier));
    },
    pointers: () =>
      new Set(
        inView().flatMap((unit, index) =>
          index < frontier && unit.left !== undefined ? unit.leftPointers : unit.wholePointers,
        ),
      ),
  };
}

/**
 * The bound of what the choice of flush times can do: calls and results leave once out of the tail of the default mode, at
 * the times that would have cost least, had the future been known. No re-read is shortened, and no read is held.
 */
export const offlineOptimum: ReplayPolicy = {
  name: 'offline-optimum',
  description: 'the cheapest flush times in hindsight: a bound, not a way to work',
  needsHindsight: true,
  start: startOptimum,
};
