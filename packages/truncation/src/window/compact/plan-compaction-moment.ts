/** What the decision rests on. All sizes in tokens. */
export interface CompactionMeasures {
  /** Size of the next request. */
  readonly requestTokens: number;
  /** What every request keeps: system, tools, the task. */
  readonly baseTokens: number;
  /** What a compaction leaves as it is at the end. */
  readonly tailTokens: number;
  /** Size that a summary is expected to have. */
  readonly summaryTokens: number;
  /** What a request may have. */
  readonly limitTokens: number;
  /** What not having compacted has cost so far, in tokens at the plain price. */
  readonly regret: number;
  /** Whether nothing is being worked on: no call is open, no result is unanswered. */
  readonly isTaskBoundary: boolean;
  /** Turns of the user since the last compaction; infinite where there was none. */
  readonly turnsSince: number;
  /** Price of a cached token, of one that is written to the cache, and of one of the answer, relative to a plain one. */
  readonly price: { readonly read: number; readonly write: number; readonly output: number };
  /** Compactions in a row that made no room. */
  readonly failures: number;
  /** How many times its penalty a compaction must have cost by not being made. */
  readonly patience: number;
  /** Whether the provider refused the last request: the next one is made to fit at once, without a model. Default false. */
  readonly isRefused?: boolean;
  /** Whether a full window can be made to fit without taking whole messages out. Default false. */
  readonly stubsSuffice?: boolean;
}

/** Whether to compact now, and why, or why not. */
export interface CompactionMoment {
  readonly compact: boolean;
  readonly why:
    | 'full'
    | 'pays'
    | 'not-yet'
    | 'no-boundary'
    | 'too-soon'
    | 'no-room'
    | 'refused'
    | 'stuck';
  /** What a compaction costs now: F₂. */
  readonly penalty: number;
}

/** Least turns of the user between two compactions. */
const turnsBetween = 2;

/** So many passes in a row that made no room, and none is tried any more. */
export const mostFailures = 3;

/** A request after a compaction is this share of what fits, or less. */
export const roomShare = 0.85;

/** What one request costs because the middle is still there, in tokens at the plain price. */
export function compactionRegretOf({
  requestTokens,
  baseTokens,
  tailTokens,
  price,
}: CompactionMeasures): number {
  return price.read * Math.max(0, requestTokens - baseTokens - tailTokens);
}

/** Writing the tail anew, reading all of it once for the summary, and the summary itself. */
function penaltyOf({
  price,
  tailTokens,
  requestTokens,
  summaryTokens,
}: CompactionMeasures): number {
  const rewritten = Math.max(0, price.write - price.read) * tailTokens;
  return rewritten + price.read * requestTokens + price.output * summaryTokens;
}

/**
 * Decides whether a compaction pays now: when reading on what it would take out has cost as much as it costs.
 * Pure. Only between two tasks, at most once in two turns of the user, and only where the next request is at least
 * 15 % under what fits; a window that is full although every result left waits for no boundary. Source: the rule of the design
 * of the window.
 */
export function planCompactionMoment(measures: CompactionMeasures): CompactionMoment {
  const penalty = penaltyOf(measures);
  const say = (compact: boolean, why: CompactionMoment['why']): CompactionMoment => ({
    compact,
    why,
    penalty,
  });
  if (measures.failures >= mostFailures) return say(false, 'stuck');
  if (measures.isRefused === true) return say(false, 'refused');
  const { baseTokens, tailTokens, summaryTokens, limitTokens, requestTokens } = measures;
  const isFull = requestTokens > limitTokens && measures.stubsSuffice !== true;
  const afterTokens = baseTokens + tailTokens + summaryTokens;
  if (afterTokens > roomShare * limitTokens || afterTokens >= requestTokens) {
    return say(false, 'no-room');
  }
  if (measures.turnsSince < turnsBetween) return say(false, 'too-soon');
  if (isFull) return say(true, 'full');
  if (!measures.isTaskBoundary) return say(false, 'no-boundary');
  return measures.regret >= measures.patience * penalty ? say(true, 'pays') : say(false, 'not-yet');
}
