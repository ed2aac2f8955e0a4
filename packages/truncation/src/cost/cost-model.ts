import { CtxError } from '@ctx/core';
import { createPrefixTrie, type PrefixTrie, type Segment } from './prefix-trie.ts';
import type { CachePrice } from './prices.ts';

/** One request, in send order. */
export interface PricedRequest {
  /** Model, provider and account: only requests of one lane share a cache. */
  readonly lane: string;
  /** ms; any origin. */
  readonly time: number;
  readonly segments: readonly Segment[];
  readonly outputTokens: number;
  /** Whether it stands beside the conversation, as a summariser's does: the next one is not judged by it. Default: no. */
  readonly isAside?: boolean;
}

/** What one request cost, in uncached-token equivalents (UTE). */
export interface RequestCost {
  readonly inputTokens: number;
  /** Input tokens that the prompt cache answers. */
  readonly hitTokens: number;
  readonly inputUte: number;
  readonly outputUte: number;
  /** Whether segments that had been sent in this order came again after a changed one. */
  readonly prefixBreak: boolean;
  readonly waste: Waste;
}

/** Tokens that were sent before and are paid again, by cause. */
export interface Waste {
  /** The prefix was forgotten. */
  readonly lifetime: number;
  /** Something before them changed. */
  readonly changed: number;
  /** The prefix is shorter than the provider caches. */
  readonly minimum: number;
  /** Lost to rounding. */
  readonly granularity: number;
}

/** Totals over requests. */
export interface CostTotal {
  readonly requests: number;
  readonly inputTokens: number;
  readonly hitTokens: number;
  readonly peakTokens: number;
  readonly outputTokens: number;
  /** What the input alone cost. */
  readonly inputUte: number;
  /** Input and output together. */
  readonly ute: number;
  readonly dollars: number;
  /** hitTokens / inputTokens, 0 where nothing was sent. */
  readonly hitRate: number;
  readonly prefixBreaks: number;
  readonly waste: Waste;
}

/** Prices requests one by one. */
export interface CostModel {
  add(request: PricedRequest): RequestCost;
  /** What the input of a request costs whose first `alive` of `length` tokens are in the cache, UTE. Adds nothing. */
  inputUte(request: { readonly length: number; readonly alive: number }): number;
  total(): CostTotal;
}

interface Lane {
  readonly trie: PrefixTrie;
  /** What the request before sent. */
  previous: readonly Segment[];
}

const sumTokens = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { tokens }) => sum + tokens, 0);

function addWaste(a: Waste, b: Waste): Waste {
  return {
    lifetime: a.lifetime + b.lifetime,
    changed: a.changed + b.changed,
    minimum: a.minimum + b.minimum,
    granularity: a.granularity + b.granularity,
  };
}

/** Tokens the cache answers when `alive` of `length` tokens are known: at least one is always computed anew. */
export function hitOf(alive: number, length: number, price: CachePrice): number {
  const usable = Math.min(alive, length - 1);
  const hit = Math.floor(usable / price.granularity) * price.granularity;
  return hit < price.minimumTokens ? 0 : Math.max(hit, 0);
}

/**
 * What the input of one request costs when its first `alive` of `length` tokens are known to the cache, UTE.
 * Pure; the formula of {@link createCostModel}.
 */
export function priceInput(
  { length, alive }: { readonly length: number; readonly alive: number },
  price: CachePrice,
): number {
  const hit = hitOf(alive, length, price);
  return price.read * hit + (length < price.minimumTokens ? 1 : price.write) * (length - hit);
}

function priceRequest(request: PricedRequest, lane: Lane, price: CachePrice): RequestCost {
  const { segments } = request;
  const inputTokens = sumTokens(segments);
  const match = lane.trie.matchAndInsert(segments, request.time, price.lifetimeMs);
  const hitTokens = hitOf(match.aliveTokens, inputTokens, price);
  const changed = match.sentSegments < lane.previous.length;
  const behind = changed ? segments.slice(match.sentSegments) : [];
  const previous = new Set(changed ? lane.previous.map(({ id }) => id) : []);
  const resent = behind.filter(({ id }) => previous.has(id));
  return {
    inputTokens,
    hitTokens,
    inputUte: priceInput({ length: inputTokens, alive: match.aliveTokens }, price),
    outputUte: price.output * request.outputTokens,
    prefixBreak: resent.length > 0,
    waste: {
      lifetime: match.sentTokens - match.aliveTokens,
      changed: sumTokens(resent),
      minimum: hitTokens === 0 ? match.aliveTokens : 0,
      granularity: hitTokens === 0 ? 0 : match.aliveTokens - hitTokens,
    },
  };
}

type Sums = Omit<CostTotal, 'dollars' | 'hitRate'>;

const noSums: Sums = {
  requests: 0,
  inputTokens: 0,
  hitTokens: 0,
  peakTokens: 0,
  outputTokens: 0,
  inputUte: 0,
  ute: 0,
  prefixBreaks: 0,
  waste: { lifetime: 0, changed: 0, minimum: 0, granularity: 0 },
};

function addCost(sums: Sums, cost: RequestCost, outputTokens: number): Sums {
  return {
    requests: sums.requests + 1,
    inputTokens: sums.inputTokens + cost.inputTokens,
    hitTokens: sums.hitTokens + cost.hitTokens,
    peakTokens: Math.max(sums.peakTokens, cost.inputTokens),
    outputTokens: sums.outputTokens + outputTokens,
    inputUte: sums.inputUte + cost.inputUte,
    ute: sums.ute + cost.inputUte + cost.outputUte,
    prefixBreaks: sums.prefixBreaks + (cost.prefixBreak ? 1 : 0),
    waste: addWaste(sums.waste, cost.waste),
  };
}

function checkPrice(price: CachePrice): void {
  const { name, granularity, lifetimeMs, ...rest } = price;
  const wrong = Object.entries(rest).find(([, value]) => !(Number.isFinite(value) && value >= 0));
  const field = wrong?.[0] ?? (lifetimeMs >= 0 ? undefined : 'lifetimeMs');
  if (field !== undefined) {
    throw new CtxError('CTX_INVALID_OPTION', `price ${name}: ${field} must be 0 or more`);
  }
  if (!(granularity > 0)) {
    throw new CtxError('CTX_INVALID_OPTION', `price ${name}: granularity must be above 0`);
  }
}

/**
 * Makes a model of the prompt cache of a provider.
 * Same requests, same figures; segments with equal ids have equal tokens. Takes one step a segment. Source of the formula: the rules of
 * prefix caching that the providers document (see prices.ts).
 * @throws `CTX_INVALID_OPTION` for a price that makes no sense.
 */
export function createCostModel(price: CachePrice): CostModel {
  checkPrice(price);
  const lanes = new Map<string, Lane>();
  let sums = noSums;
  return {
    add(request) {
      const known = lanes.get(request.lane);
      const lane = known ?? { trie: createPrefixTrie(), previous: [] };
      const cost = priceRequest(request, lane, price);
      if (request.isAside !== true) {
        lane.previous = request.segments;
      }
      lanes.set(request.lane, lane);
      sums = addCost(sums, cost, request.outputTokens);
      return cost;
    },
    inputUte: (request) => priceInput(request, price),
    total: () => ({
      ...sums,
      dollars: (sums.ute * price.dollarsPerMillion) / 1e6,
      hitRate: sums.inputTokens === 0 ? 0 : sums.hitTokens / sums.inputTokens,
    }),
  };
}
