import type { RequestParts } from '../log/request-parts.ts';

/** Why less was cached than the request before: what changed, or what the provider does. */
export type CacheMissCause = 'model' | 'system' | 'tools' | 'messages' | 'lifetime' | 'minimum';

/** Less was read from the cache than the request before had put there. Plain data. */
export interface CacheMiss {
  readonly cause: CacheMissCause;
  /** First segment of the log that was not read from the cache; none where the prefix broke before the messages. */
  readonly segment?: number;
  /** Tokens that the request before had, and those that were expected to be read from the cache, as the provider counts. */
  readonly sentTokens: number;
  readonly predictedTokens: number;
  readonly reportedTokens: number;
}

/** What is expected of the cache for a request, tokens without any factor. */
export interface CachePrediction {
  /** What the request before had. */
  readonly sentTokens: number;
  readonly predictedTokens: number;
  /** Why not all of it, where that is known. */
  readonly cause?: CacheMissCause;
}

/** What a prediction rests on. */
export interface PredictionInput {
  /** What the request before had, tokens; none where this is the first. */
  readonly sentTokens: number | undefined;
  /** What of it stands at the beginning of this one. */
  readonly sharedTokens: number;
  /** What changed besides the messages. */
  readonly changedPart: keyof RequestParts | undefined;
  /** Whether the cache was left alone for longer than it lives, or is lost otherwise. */
  readonly isCold: boolean;
  /** The provider caches no shorter prefix, tokens. */
  readonly minimumTokens: number;
}

/** Differences up to this are rounding, tokens; and as a share of what was sent. */
const toleranceTokens = 1024;
const toleranceShare = 0.05;

/** The part that changed first, in the order in which a prefix breaks. */
export function changedPart(
  before: RequestParts,
  now: RequestParts,
): keyof RequestParts | undefined {
  const names = ['model', 'tools', 'system'] as const;
  return names.find((name) => {
    const last = before[name];
    return last !== undefined && now[name] !== undefined && now[name] !== last;
  });
}

/** Says how much of a request the provider should find in its cache. Pure. */
export function predictCache(input: PredictionInput): CachePrediction {
  const { sentTokens = 0, sharedTokens, minimumTokens } = input;
  const none = (cause?: CacheMissCause): CachePrediction => ({
    sentTokens,
    predictedTokens: 0,
    ...(cause === undefined ? {} : { cause }),
  });
  if (input.sentTokens === undefined) return none();
  if (input.changedPart !== undefined) return none(input.changedPart);
  if (input.isCold) return none('lifetime');
  const predictedTokens = Math.min(sharedTokens, sentTokens);
  if (predictedTokens < minimumTokens) return none('minimum');
  if (predictedTokens < sentTokens) return { sentTokens, predictedTokens, cause: 'messages' };
  return { sentTokens, predictedTokens };
}

/**
 * Compares what the provider read from its cache with what the request before had put there; `undefined` where that is all of
 * it but for rounding.
 * Pure; all in the provider's tokens. A shortfall that nothing explains is the provider's forgetting: `lifetime`.
 */
export function cacheMissOf(
  prediction: CachePrediction,
  reportedTokens: number,
): Omit<CacheMiss, 'segment'> | undefined {
  const { sentTokens, predictedTokens, cause } = prediction;
  const tolerance = Math.max(toleranceTokens, toleranceShare * sentTokens);
  const isAsSent = reportedTokens >= sentTokens - tolerance;
  if (isAsSent || sentTokens === 0) return undefined;
  return { cause: cause ?? 'lifetime', sentTokens, predictedTokens, reportedTokens };
}
