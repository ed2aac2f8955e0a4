import type { ContextItem } from '@ctx/core';
import { CtxError, rankRangeOf, type Tier } from '@ctx/core';
import type { IndexRange } from '../../records/collection-access.ts';
import { checkLimit, type Page, type PageRequest, readPage } from '../../records/pages.ts';
import type { ChangeContext } from '../agent-clock.ts';
import { itemOf } from '../item-record.ts';
import { contextNow, type ItemStore } from '../item-store.ts';

/** What is to be loaded for the prompt. */
export interface LoadRequest {
  /** Default `hot`. */
  readonly tier?: Tier;
  /** Most tokens of all items together. Default {@link defaultLoadTokens}. */
  readonly maxTokens?: number;
  /** Most items that are looked at. Default and most 1,000. */
  readonly limit?: number;
}

/** Default token limit of a load. */
export const defaultLoadTokens: number = 16_000;

/** An item that is in the tier, but was too large for the room that was left. */
export interface PassedOverItem {
  readonly id: string;
  readonly kind: string;
  readonly tokens: number;
  readonly pinned: boolean;
}

/** What was loaded, and what was not. */
export interface ItemLoad {
  readonly tier: Tier;
  /** The moment whose tiers these are, ms since the epoch. */
  readonly at: number;
  /** Most important first. */
  readonly items: readonly ContextItem[];
  /** Of `items`. */
  readonly tokens: number;
  readonly maxTokens: number;
  /** Whether the whole tier is in `items`. */
  readonly fits: boolean;
  /** The items of the tier that are not in `items`. */
  readonly left: { readonly items: number; readonly tokens: number };
  /** Those of `left` that were looked at and found too large for the room that was left, most important first; at most 20. */
  readonly passedOver: readonly PassedOverItem[];
  /** What the store says of each item that was looked at and cannot be read because it is damaged; missing if there is none. */
  readonly unreadable?: readonly string[];
}

/** So many may be too large for the room that is left before nothing more is looked at. */
const mostPassedOver = 20;

/** The range of the rank index that is a tier of an agent at a moment. */
export function tierRange(
  agentId: string,
  tier: Tier,
  { agentNow, policy }: ChangeContext,
): IndexRange {
  return { index: 'by_rank', equal: [agentId, 0], range: rankRangeOf(tier, agentNow, policy) };
}

/** Items that were looked at, in the order of their rank. */
interface Chosen {
  readonly items: ContextItem[];
  readonly passedOver: PassedOverItem[];
  tokens: number;
  leftTokens: number;
  /** Whether there is more of the tier after. */
  hasMore: boolean;
  readonly unreadable: string[];
}

/** Whether nothing more is looked at: the room is used up, or so nearly that many items in a row have been too large. */
function isEnough(
  { tokens, passedOver }: Chosen,
  { maxTokens, limit }: Required<Pick<LoadRequest, 'maxTokens' | 'limit'>>,
  seen: number,
): boolean {
  return seen === limit || tokens >= maxTokens || passedOver.length === mostPassedOver;
}

/** Most items that are read at once. */
const mostAtOnce = 500;

/** Items that are read at first, where nothing is known of their sizes. */
const firstStep = 64;

/** Tokens of an item, on average, that the last load took from a collection: the next one reads as many items at once as will fit. */
const lastMeans = new WeakMap<ItemStore['collection'], number>();

/** How many items will be looked at, as far as those before tell. */
function expected(
  { items, tokens, passedOver }: Chosen,
  maxTokens: number,
  lastMean: number | undefined,
): number {
  if (items.length === 0) return lastMean === undefined ? firstStep : maxTokens / lastMean + 1;
  const room = maxTokens - tokens;
  // One more shows whether there is more; where items are too large already, a few more will be.
  return (room * items.length) / Math.max(tokens, 1) + 1 + passedOver.length;
}

/** Takes whatever fits, best first. Reads the items looked at, and those read ahead with them. */
async function choose(
  { collection }: ItemStore,
  range: IndexRange,
  { maxTokens, limit }: { maxTokens: number; limit: number },
): Promise<Chosen> {
  const chosen: Chosen = {
    ...{ items: [], passedOver: [], unreadable: [] },
    ...{ tokens: 0, leftTokens: 0, hasMore: false },
  };
  const lastMean = lastMeans.get(collection);
  const query = { ...range, descending: true, decode: itemOf };
  let seen = 0;
  let place: Pick<PageRequest, 'after'> | undefined = {};
  while (place !== undefined) {
    const wanted = Math.min(limit + 1 - seen, expected(chosen, maxTokens, lastMean));
    const most = Math.min(mostAtOnce, Math.max(1, Math.ceil(wanted)));
    const page: Page<ContextItem> = await readPage(collection, query, { limit: most, ...place });
    chosen.unreadable.push(...(page.unreadable ?? []));
    for (const item of page.entries) {
      chosen.hasMore = isEnough(chosen, { maxTokens, limit }, seen);
      if (chosen.hasMore) return chosen;
      seen += 1;
      take(chosen, item, maxTokens);
    }
    place = page.next === undefined ? undefined : { after: page.next };
  }
  return chosen;
}

function take(chosen: Chosen, item: ContextItem, maxTokens: number): void {
  const { id, kind, tokens, pinned } = item;
  if (chosen.tokens + tokens <= maxTokens) {
    chosen.items.push(item);
    chosen.tokens += tokens;
    return;
  }
  chosen.passedOver.push({ id, kind, tokens, pinned });
  chosen.leftTokens += tokens;
}

/** What of the tier was not taken: what was passed over, and all after the place where choosing ended. */
async function leftOf(
  { collection }: ItemStore,
  range: IndexRange,
  { items, passedOver, tokens, leftTokens, hasMore }: Chosen,
): Promise<ItemLoad['left']> {
  if (!hasMore) return { items: passedOver.length, tokens: leftTokens };
  const [whole] = await collection.tally({ ...range, sums: ['tokens'] });
  // Another writer may have come between.
  return {
    items: Math.max(passedOver.length, (whole?.count ?? 0) - items.length),
    tokens: Math.max(leftTokens, (whole?.sums[0] ?? 0) - tokens),
  };
}

/**
 * Loads a tier within a token budget.
 * @throws `CTX_INVALID_INPUT`.
 */
export async function loadItems(
  store: ItemStore,
  agentId: string,
  { tier = 'hot', maxTokens = defaultLoadTokens, limit = 1000 }: LoadRequest,
): Promise<ItemLoad> {
  if (!(maxTokens >= 0)) {
    throw new CtxError('CTX_INVALID_INPUT', 'maxTokens must be a number from 0');
  }
  const context = await contextNow(store, agentId);
  const range = tierRange(agentId, tier, context);
  const chosen = await choose(store, range, { maxTokens, limit: checkLimit(limit) });
  const left = await leftOf(store, range, chosen);
  const { items, tokens, passedOver, unreadable } = chosen;
  if (items.length > 0) lastMeans.set(store.collection, Math.max(1, tokens / items.length));
  const fits = left.items + unreadable.length === 0;
  const load = { tier, at: context.now, items, tokens, maxTokens, fits, left, passedOver };
  return { ...load, ...(unreadable.length > 0 && { unreadable }) };
}
