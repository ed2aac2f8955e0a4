import { isReadPart } from '../insert/plan-part.ts';
import type { Pair } from '../log/segment.ts';
import type { WindowPolicy } from '../window-policy.ts';
import { createTouchedFiles, isRead } from './touched-files.ts';

/** Shorter results say that an edit was made, and not what the file is now, tokens. */
const leastEditTokens = 150;

/** What the queue asks of the log. */
export interface LeaveQueueHost {
  /** The numbers that hold now. */
  readonly policy: () => WindowPolicy;
  /** Tokens shown after a segment. */
  readonly tokensAfter: (segment: number) => number;
  /** Tokens shown of a segment. */
  readonly shownTokens: (segment: number) => number;
  /** Requests that were made so far. */
  readonly requests: () => number;
  /** Most tokens of reads that are held. */
  readonly holdTokens: () => number;
  /** Tokens of the next request as it stands. */
  readonly requestTokens: () => number;
  /** Price of a cached token, of one that is written to the cache, and of one of the answer, relative to a plain one. */
  readonly price: () => { readonly read: number; readonly write: number; readonly output?: number };
}

/** Says what stays although it left the tail, and in which form. */
export interface StayRules {
  take(pair: Pair): void;
  /** Takes what the user says. */
  takeWords(text: string): void;
  /** Whether few enough tokens came since to show it in part. */
  isYoung(pair: Pair): boolean;
  /** Whether it shows a file that the work is about. */
  isAtWork(pair: Pair): boolean;
  /** Whether it stays as it is. The largest reads do only once they are shown in part. */
  isHeld(pair: Pair): boolean;
  /** How long its file has rested, as a share of the calls for which it is at work: what rested least is needed most. */
  restOf(pair: Pair): number;
  /** Whether it is shown in part if it leaves now. */
  goesInPart(pair: Pair): boolean;
  /** Tokens that it saves by leaving now. */
  savingOf(pair: Pair): number;
}

/** Starts without any file. Costs a look-up for each question. */
export function createStayRules(host: LeaveQueueHost): StayRules {
  const files = createTouchedFiles(host.policy);
  const isYoung = ({ resultSegment }: Pair): boolean =>
    host.tokensAfter(resultSegment) < host.policy().partTailTokens;
  const isAtWork = (pair: Pair): boolean =>
    !pair.isOutdated && host.holdTokens() > 0 && files.isAtWork(pair);
  const staysWhole = (pair: Pair): boolean =>
    pair.isInPart ||
    !isReadPart(pair) ||
    host.shownTokens(pair.resultSegment) <= host.policy().workReadTokens;
  const showsEdit = (pair: Pair): boolean =>
    pair.isInPart && host.shownTokens(pair.resultSegment) >= leastEditTokens;
  const goesInPart = (pair: Pair): boolean => {
    if (pair.partTokens === undefined || pair.isInPart || pair.isOutdated) return false;
    return isYoung(pair) || isAtWork(pair);
  };
  return {
    take: (pair) => {
      files.take(pair);
    },
    takeWords: (text) => {
      files.takeWords(text);
    },
    isYoung,
    isAtWork,
    isHeld: (pair) => isAtWork(pair) && (isRead(pair) ? staysWhole(pair) : showsEdit(pair)),
    restOf: (pair) => files.restOf(pair),
    goesInPart,
    savingOf: (pair) => {
      if (pair.isInPart) return host.shownTokens(pair.resultSegment) - pair.ledgerTokens;
      if (!goesInPart(pair)) return pair.savedTokens;
      return pair.savedTokens + pair.ledgerTokens - (pair.partTokens ?? 0);
    },
  };
}
