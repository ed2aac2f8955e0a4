import type { FollowedMessage, FollowPlan, GivenMessage } from './follow-history.ts';
import { goesOnFrom } from './follow-history.ts';

/** Notices two histories that take turns in one window. */
export interface Alternation {
  /** Takes each history that is no continuation; returns whether two take turns. Goes through the messages of the one that was left last. */
  takesTurns(
    before: readonly FollowedMessage[],
    given: readonly GivenMessage[],
    plan: FollowPlan,
  ): boolean;
}

/** Going back once to what was left may be a user who undoes a rewind. */
const returnsOfTwoLoops = 2;

export function createAlternation(): Alternation {
  /** The history that the host left last. */
  let left: readonly FollowedMessage[] = [];
  let returns = 0;
  return {
    takesTurns: (before, given, { known, knownBlocks, isReturned }) => {
      if (isReturned || knownBlocks > 0 || known >= before.length) return false;
      returns = goesOnFrom(left, given) ? returns + 1 : 0;
      left = before;
      return returns >= returnsOfTwoLoops;
    },
  };
}
