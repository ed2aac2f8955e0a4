import type { Pair } from '../log/segment.ts';
import type { WindowPolicy } from '../window-policy.ts';
import { firstSegmentOf } from './leaving-of.ts';

/** What leaves because it pays: everything that may leave from some place in the log on. */
export interface PayingSuffix {
  readonly pairs: readonly Pair[];
  /** What writing anew costs that stands after the first of them. */
  readonly penalty: number;
  /** What reading them since they could have left has cost. */
  readonly regret: number;
}

/** What the choice rests on. */
export interface SuffixInput {
  /** What may leave, in any order. */
  readonly candidates: readonly Pair[];
  readonly tokensFrom: (segment: number) => number;
  /** Number of the request that is made now. */
  readonly request: number;
  readonly price: { readonly read: number; readonly write: number };
}

/**
 * Chooses from which place on it pays that everything leaves: where reading it so far has cost `patience` times as much as writing anew
 * what stays after it, and the difference is largest. What stands at the end of the log leaves cheaply, though what is old may not yet.
 * Pure. Sorts the candidates by place.
 */
export function payingSuffix(input: SuffixInput, policy: WindowPolicy): PayingSuffix | undefined {
  const { price, request, tokensFrom } = input;
  const sorted = input.candidates.toSorted((a, b) => firstSegmentOf(b) - firstSegmentOf(a));
  let [leaving, regret, best] = [0, 0, 0];
  let found: PayingSuffix | undefined;
  for (const [index, pair] of sorted.entries()) {
    leaving += pair.leavingTokens;
    regret += price.read * pair.leavingTokens * (request - pair.nominatedAt + 1);
    const surviving = Math.max(0, tokensFrom(firstSegmentOf(pair)) - leaving);
    const penalty = Math.max(0, price.write - price.read) * surviving;
    const gain = regret - policy.patience * penalty;
    if (leaving < policy.economicFloorTokens || gain < 0 || (found !== undefined && gain < best))
      continue;
    best = gain;
    found = { pairs: sorted.slice(0, index + 1), penalty, regret };
  }
  return found === undefined ? undefined : { ...found, pairs: found.pairs.toReversed() };
}
