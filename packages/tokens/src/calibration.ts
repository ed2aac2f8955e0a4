import { CtxError } from '@ctx/core';

/** How fast and how far a calibration may move. */
export interface CalibrationPolicy {
  /** Weight of the newest observation, 0…1. Default 0.3. */
  readonly weight: number;
  /** Largest change per observation. Default 0.15. */
  readonly maxStep: number;
  /** Default 0.5. */
  readonly minFactor: number;
  /** Default 2. */
  readonly maxFactor: number;
}

/** The only place where these numbers stand. */
export const defaultCalibrationPolicy: CalibrationPolicy = {
  weight: 0.3,
  maxStep: 0.15,
  minFactor: 0.5,
  maxFactor: 2,
};

/** What was counted for one request, uncalibrated, and what the provider reported, tokens. */
export interface CountReport {
  readonly estimatedTokens: number;
  readonly reportedTokens: number;
}

/**
 * Returns the factor after one more report: an exponential average of reported ÷ estimated, never more than a step away
 * from the one before, so that a single odd report cannot throw it off, and within the bounds unless a refusal had put it
 * higher. Ignores a report that is no positive number. Multiply sums by it, not each text.
 *
 * @throws `CTX_INVALID_OPTION` for a policy that contradicts itself.
 */
export function nextFactor(
  factor: number,
  { estimatedTokens, reportedTokens }: CountReport,
  options: Partial<CalibrationPolicy> = {},
): number {
  const policy = { ...defaultCalibrationPolicy, ...options };
  checkPolicy(policy);
  if (!isPositive(estimatedTokens) || !isPositive(reportedTokens)) return factor;
  const { minFactor, maxFactor, maxStep, weight } = policy;
  const aim = clamp(reportedTokens / estimatedTokens, minFactor, maxFactor);
  return factor + clamp(weight * (aim - factor), -maxStep, maxStep);
}

/** The most that a refusal raises the factor to: it is known, and not guessed from one report. */
const mostAfterRefusal = 8;

/** A request that the provider refused as too long. */
export interface RefusedCount {
  /** Estimate of the request without any factor. */
  readonly estimatedTokens: number;
  readonly windowTokens: number;
  /** What the provider said it had. */
  readonly reportedTokens?: number;
}

/**
 * Returns the factor after a refusal: high enough that the request counts as what the provider reported, and in any case
 * as over the window. Never lower than before.
 */
export function factorAfterRefusal(factor: number, refused: RefusedCount): number {
  const { estimatedTokens, windowTokens, reportedTokens = 0 } = refused;
  if (!isPositive(estimatedTokens)) return factor;
  const least = Math.max(reportedTokens, windowTokens + 1) / estimatedTokens;
  const next = Math.max(least, factor * 1.1);
  return Math.max(factor, Math.min(next, mostAfterRefusal));
}

function checkPolicy(policy: CalibrationPolicy): void {
  for (const name of ['weight', 'maxStep', 'minFactor', 'maxFactor'] as const) {
    if (!isPositive(policy[name]))
      throw new CtxError(
        'CTX_INVALID_OPTION',
        `${name} must be positive, not ${String(policy[name])}`,
      );
  }
  if (policy.weight > 1)
    throw new CtxError(
      'CTX_INVALID_OPTION',
      `weight must be at most 1, not ${String(policy.weight)}`,
    );
  if (policy.minFactor > policy.maxFactor)
    throw new CtxError('CTX_INVALID_OPTION', 'minFactor must not be over maxFactor');
}

const isPositive = (value: number): boolean => Number.isFinite(value) && value > 0;
const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));
