export {
  type Breakpoint,
  type BreakpointInput,
  type CacheLifetime,
  maxBreakpoints,
  planBreakpoints,
} from './advice/plan-breakpoints.ts';
export { type LifetimeInput, type LifetimePlan, planLifetime } from './advice/plan-lifetime.ts';
export {
  type CacheKeyInput,
  maxCacheKeyLength,
  promptCacheKey,
} from './advice/prompt-cache-key.ts';
export { cacheMinimumOf, cacheMinimumsDate } from './cache-minimums.ts';
export {
  type CostModel,
  type CostTotal,
  createCostModel,
  type PricedRequest,
  type RequestCost,
  type Waste,
} from './cost-model.ts';
export type { FlushPiece, FlushRequest, FlushTrace } from './flush-trace.ts';
export { type CacheCause, cacheFixes } from './lint/cache-cause.ts';
export {
  diffRequests,
  type DiffRequestsOptions,
  type RequestDiff,
  type RequestPartChange,
  type RequestPartEntry,
} from './lint/diff-requests.ts';
export {
  type CacheLint,
  type CacheLinter,
  type CauseTotal,
  createCacheLinter,
  lintCache,
  type LintOptions,
  type LoggedRequest,
} from './lint/lint-cache.ts';
export type { CacheFinding, LintedRequest, PartDifference } from './lint/lint-request.ts';
export type { VolatileKind } from './lint/volatile-text.ts';
export {
  createSegmentMeter,
  type SegmentMeter,
  textOfBlock,
  tokensPerMessage,
} from './measure-segments.ts';
export {
  type ModelProfile,
  modelProfile,
  modelProfilesDate,
  priceOfProfile,
} from './model-profile.ts';
export { type OfflineOptimum, planOfflineFlushes } from './offline-optimum.ts';
export { planOnlineFlushes } from './online-flushes.ts';
export {
  createPrefixTrie,
  type PrefixMatch,
  type PrefixTrie,
  type Segment,
} from './prefix-trie.ts';
export { priceFlushes } from './price-flushes.ts';
export { type CachePrice, cachePriceOf, cachePrices, pricesDate } from './prices.ts';
