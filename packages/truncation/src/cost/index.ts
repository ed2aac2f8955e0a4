export { type CacheLifetime, maxBreakpoints, planBreakpoints } from './advice/plan-breakpoints.ts';
export { planLifetime } from './advice/plan-lifetime.ts';
export { promptCacheKey } from './advice/prompt-cache-key.ts';
export { breakEvenRequests } from './break-even.ts';
export { cacheMinimumOf } from './cache-minimums.ts';
export { type CostTotal, createCostModel } from './cost-model.ts';
export type { FlushPiece, FlushRequest, FlushTrace } from './flush-trace.ts';
export {
  diffRequests,
  type RequestPartChange,
  type RequestPartEntry,
} from './lint/diff-requests.ts';
export {
  type CacheLint,
  createCacheLinter,
  type LoggedRequest,
  lintCache,
} from './lint/lint-cache.ts';
export type { LintedRequest } from './lint/lint-request.ts';
export {
  createSegmentMeter,
  type SegmentMeter,
  textOfBlock,
  tokensPerMessage,
} from './measure-segments.ts';
export { type ModelProfile, modelProfile, priceOfProfile } from './model-profile.ts';
export { planOfflineFlushes } from './offline-optimum.ts';
export { planOnlineFlushes } from './online-flushes.ts';
export type { Segment } from './prefix-trie.ts';
export { priceFlushes } from './price-flushes.ts';
export { type CachePrice, cachePriceOf, cachePrices, pricesDate } from './prices.ts';
