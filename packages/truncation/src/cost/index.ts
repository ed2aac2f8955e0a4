export {
  type CostModel,
  type CostTotal,
  createCostModel,
  type PricedRequest,
  type RequestCost,
  type Waste,
} from './cost-model.ts';
export {
  createPrefixTrie,
  type PrefixMatch,
  type PrefixTrie,
  type Segment,
} from './prefix-trie.ts';
export { type CachePrice, cachePriceOf, cachePrices, pricesDate } from './prices.ts';
