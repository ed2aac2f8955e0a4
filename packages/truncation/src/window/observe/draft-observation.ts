import { nextFactor } from '@ctx/tokens';
import type { WindowEvent } from '../window-event.ts';
import type { WindowState } from '../window-state.ts';
import { type CacheMiss, cacheMissOf } from './cache-report.ts';

/** What a provider reported of the last request, tokens. */
export interface ObservedUsage {
  /** All of the input, with what was read from or written to a cache. */
  readonly inputTokens: number;
  /** What of it was read from a cache. Without, the cache is not looked at. */
  readonly cachedTokens?: number;
  /** What of it was written to a cache for an hour, kept in the log to compute the cost of a session. */
  readonly hourTokens?: number;
  /** Output tokens of the answer, kept in the log to compute the cost of a session. */
  readonly outputTokens?: number;
}

/** What a report told. */
export interface UsageReport {
  /** What estimates are multiplied with from now on. */
  readonly factor: number;
  /** Where less was cached than the request before had. */
  readonly miss?: CacheMiss;
}

/** The segment in which so many tokens of the request end; none where that is before the messages. */
function segmentAt({ fixedTokens, log }: WindowState, tokens: number): number | undefined {
  const wanted = tokens - fixedTokens;
  if (wanted < 0) return undefined;
  const total = log.tokensFrom(0);
  let low = 0;
  let high = log.segments.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (total - log.tokensFrom(middle + 1) > wanted) high = middle;
    else low = middle + 1;
  }
  return high < 0 ? undefined : low;
}

function missOf(state: WindowState, usage: ObservedUsage): CacheMiss | undefined {
  const { sent } = state;
  const { inputTokens, cachedTokens } = usage;
  if (sent === undefined || cachedTokens === undefined || sent.tokens === 0) return undefined;
  const scale = inputTokens / sent.tokens;
  const { sentTokens, predictedTokens } = sent.prediction;
  const scaled = {
    ...sent.prediction,
    sentTokens: Math.round(sentTokens * scale),
    predictedTokens: Math.round(predictedTokens * scale),
  };
  const miss = cacheMissOf(scaled, cachedTokens);
  if (miss === undefined) return undefined;
  const at = segmentAt(state, cachedTokens / scale);
  const { changedFrom } = sent;
  const segment = miss.cause === 'messages' ? Math.min(changedFrom, at ?? changedFrom) : at;
  return segment === undefined ? miss : { ...miss, segment };
}

/** The other counts of a usage report, without negative ones. */
function restOf({ cachedTokens = -1, outputTokens = -1, hourTokens = -1 }: ObservedUsage) {
  return {
    ...(cachedTokens >= 0 ? { cachedTokens } : {}),
    ...(outputTokens >= 0 ? { outputTokens } : {}),
    ...(hourTokens >= 0 ? { hourTokens } : {}),
  };
}

/**
 * Says what a report of usage changes: the factor, and perhaps a miss of the cache.
 * Pure; numbers that make no sense change nothing. Takes time logarithmic in the log.
 */
export function draftObservation(
  state: WindowState,
  usage: ObservedUsage,
): { readonly events: readonly WindowEvent[]; readonly report: UsageReport } {
  const { inputTokens } = usage;
  const isSound = inputTokens > 0 && inputTokens < Infinity;
  if (!isSound) return { events: [], report: { factor: state.factor } };
  const factor = nextFactor(state.factor, {
    estimatedTokens: state.sent?.tokens ?? 0,
    reportedTokens: inputTokens,
  });
  const observed = { type: 'observed' as const, inputTokens, ...restOf(usage), factor };
  const miss = missOf(state, observed);
  if (miss === undefined) return { events: [observed], report: { factor } };
  return { events: [observed, { type: 'cache-miss', ...miss }], report: { factor, miss } };
}
