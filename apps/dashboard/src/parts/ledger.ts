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

/** A whole number, the same in whichever order the sum was added up. */
const whole = (sum: number): number => Math.round(Number(sum.toFixed(6)));

/** What was received and what of it is in view, whole numbers. Pure. */
export function totalsOf({
  kinds,
}: Pick<View, 'kinds'>): Pick<Ledger, 'received' | 'inView' | 'removed'> {
  const inView = whole(kinds.reduce((sum, { tokensAfter }) => sum + tokensAfter, 0));
  const received = whole(kinds.reduce((sum, { tokensBefore }) => sum + tokensBefore, 0));
  return { received, inView, removed: received - inView };
}

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
  const reasons = [...sums].map(([name, { pieces, tokens }]) => {
    const before = whole(all);
    all += tokens;
    return { name, pieces, tokens: whole(all) - before };
  });
  return { ...totalsOf({ kinds }), reasons };
}
