import type { View } from '../api/queries.ts';
import { causeNames } from './request-cost.ts';

/** What one reason took out of the context. */
export interface LedgerReason {
  readonly name: string;
  readonly pieces: number;
  readonly tokens: number;
}

/** Where every received token is: `received` is `inView` plus the tokens of all reasons. */
export interface Ledger {
  readonly received: number;
  readonly inView: number;
  readonly removed: number;
  /** All of them, always in one order, so that none moves another; each piece stands under the reason that touched it last. */
  readonly reasons: readonly LedgerReason[];
}

const onArrival = 'repeated or noisy, shortened on arrival';

/** Adds up the pieces of a view, each token once. Pure. */
export function ledgerOf({ segments, kinds }: Pick<View, 'segments' | 'kinds'>): Ledger {
  const none = { pieces: 0, tokens: 0 };
  const sums = new Map([onArrival, ...Object.values(causeNames)].map((name) => [name, none]));
  for (const { cause, tokensBefore, tokensAfter } of segments) {
    if (tokensBefore === tokensAfter) continue;
    const name = cause === undefined ? onArrival : (causeNames[cause] ?? cause);
    const { pieces, tokens } = sums.get(name) ?? none;
    sums.set(name, { pieces: pieces + 1, tokens: tokens + tokensBefore - tokensAfter });
  }
  // Whole numbers that add up, whatever fractions they are made of, and in whichever order.
  let all = kinds.reduce((sum, { tokensAfter }) => sum + tokensAfter, 0);
  const inView = Math.round(all);
  const reasons = [...sums].map(([name, { pieces, tokens }]) => {
    const before = Math.round(all);
    all += tokens;
    return { name, pieces, tokens: Math.round(all) - before };
  });
  const received = Math.round(all);
  return { received, inView, removed: received - inView, reasons };
}
