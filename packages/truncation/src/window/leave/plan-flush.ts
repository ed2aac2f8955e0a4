import type { FlushCause, Pair } from '../log/segment.ts';
import type { WindowPolicy } from '../window-policy.ts';

/** What a decision rests on. All sizes in tokens. */
export interface FlushMeasures {
  /** Size of the request if nothing leaves. */
  readonly projectedTokens: number;
  /** What a request may have. */
  readonly limitTokens: number;
  /** Whether the cache holds nothing of this log any more. */
  readonly isCold: boolean;
  /** What would leave now. */
  readonly leavingTokens: number;
  /** What would leave with the shorter tail of a cold moment. */
  readonly coldLeavingTokens: number;
  /** What stays after the first of what leaves, and would be written anew. */
  readonly survivingTokens: number;
  /** What not having flushed has cost so far, in tokens at the plain price. */
  readonly regret: number;
  /** Price of a cached token and of one that is written to the cache, relative to a plain one. */
  readonly price: { readonly read: number; readonly write: number };
}

/** The decision, and the regret after it. */
export interface FlushDecision {
  readonly cause?: FlushCause;
  /** What a flush costs now: F. */
  readonly penalty: number;
  readonly regret: number;
  /** What leaves, where that is not everything that may. */
  readonly pairs?: readonly Pair[];
}

/**
 * Decides whether what left the tail goes now. Waiting costs reading it at each request; going costs writing anew what
 * stands after it.
 * Pure. Costs nothing. Source: the rule of the design of the window; `patience` 1 is the economic-order-quantity optimum.
 */
export function planFlush(measures: FlushMeasures, policy: WindowPolicy): FlushDecision {
  const { price, leavingTokens, survivingTokens } = measures;
  const penalty = Math.max(0, price.write - price.read) * survivingTokens;
  const regret = measures.regret + price.read * leavingTokens;
  if (measures.projectedTokens > measures.limitTokens) return { cause: 'hard', penalty, regret: 0 };
  if (measures.isCold && measures.coldLeavingTokens >= policy.freeFloorTokens) {
    return { cause: 'free', penalty: 0, regret: 0 };
  }
  if (leavingTokens >= policy.economicFloorTokens && regret >= policy.patience * penalty) {
    return { cause: 'economic', penalty, regret: 0 };
  }
  return { penalty, regret };
}
