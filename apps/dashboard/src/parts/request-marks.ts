import type { TimelineRequest } from '../api/queries.ts';
import { missNames } from './request-cost.ts';
import { countedText } from './text/format.ts';

/** Least share of the earlier request that an intact cache returns: providers round down to whole blocks. */
const heldShare = 0.9;
/** Shortest prefix that providers cache, tokens. */
const leastCached = 1024;

/** Tokens at the beginning of a request that its provider should have found in its cache and did not; 0 if it rounded them down. Pure. */
export function missedTokens(held: number, cached: number | undefined): number {
  if (cached === undefined || held < leastCached || cached >= held * heldShare) return 0;
  return held - cached;
}

/** Whether the provider reported that the cache held less of a request than the one before had put there. Pure. */
function isReportedMiss({ tokens, reported }: TimelineRequest, before?: TimelineRequest): boolean {
  const held = Math.min(tokens, before?.tokens ?? 0);
  return missedTokens(held, reported?.cachedTokens) > 0;
}

/** What happened for a request, as a tone and in words; `undefined` where it only went on. Pure. */
export function markOf(
  request: TimelineRequest,
  before?: TimelineRequest,
): readonly [tone: string, text: string] | undefined {
  const { number, flush, compaction, cause, isAfterRewind, readBacks } = request;
  if (flush !== undefined) return ['flush', `Request ${number}: flush`];
  if (compaction !== undefined) return ['compaction', `Request ${number}: compaction`];
  if (isAfterRewind === true) return ['ink', `Request ${number}: after a rewind`];
  if (cause !== undefined) {
    return ['miss', `Request ${number}: cache missed, ${missNames[cause] ?? cause}`];
  }
  if (isReportedMiss(request, before)) return ['miss', `Request ${number}: cache missed`];
  if (readBacks === undefined) return undefined;
  return ['read-back', `Request ${number}: after ${countedText(readBacks, 'read-back')}`];
}
