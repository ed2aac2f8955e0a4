import type { Pair } from '../log/segment.ts';

/** The first of its segments that is still shown. */
export function firstSegmentOf(pair: Pair): number {
  return pair.isInPart && !pair.isBound ? pair.resultSegment : pair.callSegment;
}

/** What pairs save together, and where the first of them begins. Goes through the pairs. */
export function leavingOf(pairs: readonly Pair[]): {
  readonly leavingTokens: number;
  readonly firstSegment: number;
} {
  return {
    leavingTokens: pairs.reduce((sum, pair) => sum + pair.leavingTokens, 0),
    firstSegment: pairs.reduce((least, pair) => Math.min(least, firstSegmentOf(pair)), Infinity),
  };
}
