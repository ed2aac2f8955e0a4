import type { TimelineRequest } from '../api/queries.ts';
import { missNames } from './request-cost.ts';
import { countedText } from './text/format.ts';

/** Least share of the earlier request that an intact cache returns: providers round down to whole blocks. */
const heldShare = 0.9;
/** Shortest prefix that providers cache, tokens. */
const leastCached = 1024;

/** Whether the provider reported that the cache held less of a request than the one before had put there. Pure. */
function isReportedMiss(request: TimelineRequest, before?: TimelineRequest): boolean {
  const cached = request.reported?.cachedTokens;
  if (cached === undefined || before === undefined) return false;
  const held = Math.min(request.tokens, before.tokens);
  return held >= leastCached && cached < held * heldShare;
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
