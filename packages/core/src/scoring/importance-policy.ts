import { CtxError } from '../errors.ts';

/** The constants of importance and tiers. Checked as a whole by {@link checkImportancePolicy}. */
export interface ImportancePolicy {
  /** Weight by kind, above 0, at most 1. */
  readonly weights: Readonly<Record<string, number>>;
  /** Weight of a kind that `weights` does not name. Default 0.5. */
  readonly defaultWeight: number;
  /** How much reading helps: boost(n) = 1 + gain · ln(1 + n). Default 0.3. */
  readonly gain: number;
  /**
   * Time in which importance falls to 1/e, ms of the agent's own time; at least a minute, so that no rank reaches pinned items.
   * Default 24 h.
   */
  readonly decayMs: number;
  /**
   * Longest time between two acts of an agent that counts, ms: its items do not fade while it does nothing for longer, at night or
   * over a weekend. `Infinity` counts all time. Default 5 minutes.
   */
  readonly pauseMs: number;
  /** Importance, rounded to hundredths, from which an item is hot. Default 0.8. */
  readonly hotFrom: number;
  /** Importance, rounded to hundredths, from which an item is warm; below it is cold. Default 0.4. */
  readonly warmFrom: number;
  /** Maximum importance of finished items as a share of `warmFrom`: they are cold. Above 0, below 1. Default 0.75. */
  readonly finishedShare: number;
}

/**
 * Weights and thresholds come from seed 004. `gain` lets every kind become hot; `finishedShare` gives finished items 0.3, the
 * seed's weight of an old error.
 */
export const defaultImportancePolicy: ImportancePolicy = {
  weights: { TASK: 1, CODE: 0.8, ERROR: 0.7, TEST_RESULT: 0.6, PRD_SECTION: 0.5 },
  defaultWeight: 0.5,
  gain: 0.3,
  decayMs: 24 * 60 * 60 * 1000,
  pauseMs: 5 * 60 * 1000,
  hotFrom: 0.8,
  warmFrom: 0.4,
  finishedShare: 0.75,
};

function checkShare(name: string, value: number): void {
  if (!(value > 0 && value <= 1)) {
    throw new CtxError(
      'CTX_INVALID_OPTION',
      `${name} must be above 0 and at most 1, not ${String(value)}`,
    );
  }
}

/** @throws CTX_INVALID_OPTION naming the first invalid field */
export function checkImportancePolicy(policy: ImportancePolicy): void {
  for (const [kind, weight] of Object.entries(policy.weights))
    checkShare(`weights.${kind}`, weight);
  checkShare('defaultWeight', policy.defaultWeight);
  checkShare('hotFrom', policy.hotFrom);
  checkShare('warmFrom', policy.warmFrom);
  if (!(policy.finishedShare > 0 && policy.finishedShare < 1)) {
    throw new CtxError('CTX_INVALID_OPTION', 'finishedShare must be above 0 and below 1');
  }
  if (policy.warmFrom >= policy.hotFrom) {
    throw new CtxError('CTX_INVALID_OPTION', 'warmFrom must be below hotFrom');
  }
  if (!(policy.gain >= 0 && policy.gain <= 10)) {
    throw new CtxError('CTX_INVALID_OPTION', `gain must lie in 0…10, not ${String(policy.gain)}`);
  }
  if (!(policy.decayMs >= 60_000 && policy.decayMs <= 1e13)) {
    throw new CtxError(
      'CTX_INVALID_OPTION',
      `decayMs must lie in 60000…1e13, not ${String(policy.decayMs)}`,
    );
  }
  if (!(policy.pauseMs >= 1000)) {
    throw new CtxError(
      'CTX_INVALID_OPTION',
      `pauseMs must be at least 1000 (Infinity counts all time), not ${String(policy.pauseMs)}`,
    );
  }
}

/** Returns the weight of a kind. Looks at own names only: a kind called `constructor` is like any other. */
export function weightOfKind(kind: string, policy: ImportancePolicy): number {
  const weight = Object.hasOwn(policy.weights, kind) ? policy.weights[kind] : undefined;
  return weight ?? policy.defaultWeight;
}

/**
 * Returns the lowest importance of a tier: the first that is at least `hotFrom` or `warmFrom` when rounded to hundredths. What is
 * saved with exactly that importance is therefore in the tier for some minutes, and not for less than a millisecond.
 */
export function lowestOf(tier: 'hot' | 'warm', { hotFrom, warmFrom }: ImportancePolicy): number {
  const from = tier === 'hot' ? hotFrom : warmFrom;
  // 0.07 * 100 is above 7: three more digits decide which hundredth is meant.
  const hundredths = Math.ceil(Math.round(from * 1e5) / 1e3);
  return (Math.max(hundredths, 1) - 0.5) / 100;
}

/** Returns the most that a finished item matters: always less than what is warm. */
export function finishedCap(policy: ImportancePolicy): number {
  return Math.min(policy.finishedShare * policy.warmFrom, 0.999 * lowestOf('warm', policy));
}
