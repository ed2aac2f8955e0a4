import { limitTokensOf, windowModes } from '@ctx/truncation';
import { type ContextUse, type MeasuredContext, partsTotal, usedParts } from './context-use.ts';

/** The window of an unnamed model, as `ctx why` assumes it. */
const usualWindowTokens = 200_000;

/** The window of models with a long context: a request that the usual one could not hold was made with it. */
const longWindowTokens = 1_000_000;

/** The size that a window has at least when it held a request. */
function sizeFor(windowTokens: number, largest: number): number {
  return largest <= windowTokens ? windowTokens : Math.max(longWindowTokens, largest);
}

/** What is known of the window from elsewhere. */
export interface KnownWindow {
  /** As the user said. */
  readonly windowTokens?: number;
  /** As the model of the session has it. */
  readonly modelWindowTokens?: number;
}

/**
 * Where all tokens of a window go: used, free, and kept for the answer.
 * Pure; `tokens + freeTokens + reserveTokens` is `windowTokens` unless more is used than the window holds.
 */
export function contextAnswer(measured: MeasuredContext, known: KnownWindow): ContextUse {
  const given = known.windowTokens ?? measured.windowTokens ?? known.modelWindowTokens;
  const windowTokens =
    known.windowTokens ?? sizeFor(given ?? usualWindowTokens, measured.largestTokens ?? 0);
  const isOwn = known.windowTokens === undefined && measured.limitTokens !== undefined;
  const limitTokens = isOwn
    ? Math.min(windowTokens, measured.limitTokens ?? windowTokens)
    : limitTokensOf(windowModes.default, windowTokens);
  const tokens = partsTotal(measured.parts);
  const parts = usedParts
    .map((part) => ({ part, tokens: measured.parts[part] ?? 0 }))
    .filter((each) => each.tokens > 0);
  return {
    source: measured.source,
    windowTokens,
    isAssumed: given === undefined,
    tokens,
    parts,
    freeTokens: Math.max(0, limitTokens - tokens),
    reserveTokens: Math.max(0, windowTokens - Math.max(tokens, limitTokens)),
  };
}
