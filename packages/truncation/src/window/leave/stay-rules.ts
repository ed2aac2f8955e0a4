import { isReadPart } from '../insert/plan-part.ts';
import type { Pair } from '../log/segment.ts';
import type { WindowPolicy } from '../window-policy.ts';
import { createTouchedFiles } from './touched-files.ts';

/** What the queue asks of the log. */
export interface LeaveQueueHost {
  /** The numbers that hold now. */
  readonly policy: () => WindowPolicy;
  /** Tokens shown behind a segment. */
  readonly tokensAfter: (segment: number) => number;
  /** Tokens shown of a segment. */
  readonly shownTokens: (segment: number) => number;
  /** Most tokens of reads that are held. */
  readonly holdTokens: () => number;
}

/** Says what stays although it left the tail, and in which form. */
export interface StayRules {
  take(pair: Pair): void;
  /** Takes what the user says. */
  takeWords(text: string): void;
  /** Whether few enough tokens came since to show it in part. */
  isYoung(pair: Pair): boolean;
  /** Whether it stays as it is. The largest reads do only once they are shown in part. */
  isHeld(pair: Pair): boolean;
  /** Whether it is shown in part if it leaves now. */
  goesInPart(pair: Pair): boolean;
  /** Tokens that it saves by leaving now. */
  savingOf(pair: Pair): number;
}

/** Starts without any file. Cost: a look-up for each question. */
export function createStayRules(host: LeaveQueueHost): StayRules {
  const files = createTouchedFiles(() => host.policy().workCalls);
  const isYoung = ({ resultSegment }: Pair): boolean =>
    host.tokensAfter(resultSegment) < host.policy().partTailTokens;
  const isAtWork = (pair: Pair): boolean =>
    !pair.isOutdated && host.holdTokens() > 0 && files.isAtWork(pair);
  const staysWhole = (pair: Pair): boolean =>
    pair.isInPart || host.shownTokens(pair.resultSegment) <= host.policy().workReadTokens;
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
    isHeld: (pair) => isAtWork(pair) && (staysWhole(pair) || !isReadPart(pair)),
    goesInPart,
    savingOf: (pair) => {
      if (pair.isInPart) return host.shownTokens(pair.resultSegment) - pair.ledgerTokens;
      if (!goesInPart(pair)) return pair.savedTokens;
      return pair.savedTokens + pair.ledgerTokens - (pair.partTokens ?? 0);
    },
  };
}
