import type { TokenCounter } from './encoding/tiktoken-counter.ts';
import { invalidInput } from './invalid-input.ts';

/** How fast and how far a calibration may move. */
export interface CalibrationPolicy {
  /** Where to start: 1, or the factor kept from an earlier session. Default 1. */
  readonly startFactor: number;
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
  startFactor: 1,
  weight: 0.3,
  maxStep: 0.15,
  minFactor: 0.5,
  maxFactor: 2,
};

/** Learns from the usage that a provider reports how far our counts are off. One per model and session. */
export interface Calibration {
  /**
   * Notes one request: what we counted, uncalibrated, and what the provider reported (with cached tokens), tokens.
   * Contract: a value that is not a positive finite number is ignored.
   */
  readonly observe: (estimatedTokens: number, reportedTokens: number) => void;
  /** What to multiply counts with, always within minFactor…maxFactor. */
  readonly factor: () => number;
  /** A count times the factor, rounded; apply it to sums, not to each text. */
  readonly apply: (tokens: number) => number;
  /** How many observations were taken. */
  readonly observations: () => number;
}

/** What was counted for one request, uncalibrated, and what the provider reported, tokens. */
export interface CountReport {
  readonly estimatedTokens: number;
  readonly reportedTokens: number;
}

/**
 * Returns the factor after one more report: an exponential average of reported ÷ estimated, never more than a step away
 * from the one before, and within the bounds unless a refusal had put it higher. Ignores a report that is no positive
 * number.
 */
export function nextFactor(
  factor: number,
  { estimatedTokens, reportedTokens }: CountReport,
  policy: CalibrationPolicy = defaultCalibrationPolicy,
): number {
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

/**
 * Makes a calibration: an exponential average of reported ÷ estimated, clamped in value and step, so that a single
 * odd report (a cached answer, a truncated request) cannot throw the budget off.
 * Throws: CTX_INVALID_INPUT for a policy that contradicts itself.
 */
export function createCalibration(options: Partial<CalibrationPolicy> = {}): Calibration {
  const policy = { ...defaultCalibrationPolicy, ...options };
  checkPolicy(policy);
  let factor = clamp(policy.startFactor, policy.minFactor, policy.maxFactor);
  let observed = 0;
  return {
    observe: (estimatedTokens, reportedTokens) => {
      if (!isPositive(estimatedTokens) || !isPositive(reportedTokens)) return;
      factor = nextFactor(factor, { estimatedTokens, reportedTokens }, policy);
      observed += 1;
    },
    factor: () => factor,
    apply: (tokens) => Math.round(tokens * factor),
    observations: () => observed,
  };
}

/**
 * Makes a counter that multiplies by a fixed `factor`, such as `calibration.factor()` at the start of a session.
 * Contract: stays pure, as a counter must; a text that is not empty counts at least 1.
 * Throws: CTX_INVALID_INPUT for a factor that is not positive and finite.
 */
export function calibratedCounter(counter: TokenCounter, factor: number): TokenCounter {
  if (!isPositive(factor)) throw invalidInput(`factor must be positive, not ${String(factor)}.`);
  return (text) => {
    const tokens = counter(text);
    return tokens === 0 ? 0 : Math.max(1, Math.round(tokens * factor));
  };
}

function checkPolicy(policy: CalibrationPolicy): void {
  for (const name of ['startFactor', 'weight', 'maxStep', 'minFactor', 'maxFactor'] as const) {
    if (!isPositive(policy[name]))
      throw invalidInput(`${name} must be positive, not ${String(policy[name])}.`);
  }
  if (policy.weight > 1)
    throw invalidInput(`weight must be at most 1, not ${String(policy.weight)}.`);
  if (policy.minFactor > policy.maxFactor)
    throw invalidInput('minFactor must not be over maxFactor.');
}

const isPositive = (value: number): boolean => Number.isFinite(value) && value > 0;
const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));
