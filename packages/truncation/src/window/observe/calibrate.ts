/** Bounds of the factor, and of one step. Source: the design of the window. */
export const calibrationBounds = { least: 0.5, most: 2, step: 0.15, weight: 0.3 } as const;

/** The most that a refusal may raise the factor to: it is known, and not guessed from one report. */
const mostAfterRefusal = 8;

const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

function isCount(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}

/**
 * The factor by which estimates are off, after one more report: an exponential average of reported ÷ estimated.
 * Contract: pure; within 0.5…2 unless a refusal had put it higher, never more than 0.15 away from the one before; what is no
 * positive number changes nothing. `estimatedTokens` is the estimate without any factor.
 */
export function nextFactor(
  factor: number,
  estimatedTokens: number,
  reportedTokens: number,
): number {
  if (!isCount(estimatedTokens) || !isCount(reportedTokens)) return factor;
  const { least, most, step, weight } = calibrationBounds;
  const aim = clamp(reportedTokens / estimatedTokens, least, most);
  return factor + clamp(weight * (aim - factor), -step, step);
}

/** What is known of a request that the provider refused as too long. */
export interface Refusal {
  /** Estimate of the request without any factor. */
  readonly estimatedTokens: number;
  readonly windowTokens: number;
  /** What the provider said it had. */
  readonly reportedTokens?: number;
}

/**
 * The factor after a refusal: so high that the request counts as what the provider reported, and in any case as over the
 * window.
 * Contract: pure; never lower than before.
 */
export function factorAfterRefusal(factor: number, refusal: Refusal): number {
  const { estimatedTokens, windowTokens, reportedTokens = 0 } = refusal;
  if (!isCount(estimatedTokens)) return factor;
  const least = Math.max(reportedTokens, windowTokens + 1) / estimatedTokens;
  const next = Math.max(least, factor * 1.1);
  return Math.max(factor, Math.min(next, mostAfterRefusal));
}
