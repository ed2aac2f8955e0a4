export {
  type CostModel,
  type CostTotal,
  createCostModel,
  type PricedRequest,
  type RequestCost,
  type Waste,
} from './cost-model.ts';
export type { FlushPiece, FlushRequest, FlushTrace } from './flush-trace.ts';
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
