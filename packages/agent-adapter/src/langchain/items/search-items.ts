import { createRelevanceIndex, CtxError } from '@ctx/core';
import type { EmbeddingsShape, SearchItemShape, SearchShape } from './host-types.ts';
import { matchesFilter } from './item-filter.ts';
import {
  isExpired,
  itemOf,
  type ItemsHost,
  readItem,
  refreshItems,
  type StoredItem,
} from './item-records.ts';
import { textsOfItem } from './item-text.ts';
import { namespacesUnder } from './namespaces.ts';

interface ScoredItem {
  readonly item: StoredItem;
  readonly score?: number;
}

/** The texts of an item that a query looks at. */
export function searchedTexts(host: ItemsHost, { value, index }: StoredItem['body']): string[] {
  return index === false ? [] : textsOfItem(value, index ?? host.fields);
}

function cosine(one: readonly number[], other: readonly number[]): number {
  let [product, ones, others] = [0, 0, 0];
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? 0;
    product += value * against;
    ones += value * value;
    others += against * against;
  }
  return ones === 0 || others === 0 ? 0 : product / Math.sqrt(ones * others);
}

async function scoresByVector(
  embeddings: EmbeddingsShape,
  items: readonly StoredItem[],
  query: string,
): Promise<Map<StoredItem, number>> {
  const vector = await embeddings.embedQuery(query);
  const scored = items.flatMap((item) => {
    const { vectors = [] } = item.body;
    if (vectors.length === 0) return [];
    return [[item, Math.max(...vectors.map((each) => cosine(vector, each)))] as const];
  });
  return new Map(scored);
}

function scoresByWord(
  host: ItemsHost,
  items: readonly StoredItem[],
  query: string,
): Map<StoredItem, number> {
  const index = createRelevanceIndex();
  for (const [place, item] of items.entries()) {
    const body = searchedTexts(host, item.body).join('\n');
    if (body !== '') index.add({ id: String(place), body });
  }
  const scores = new Map<StoredItem, number>();
  for (const { id, score } of index.score({ text: query })) {
    const item = items[Number(id)];
    if (item !== undefined && score > 0) scores.set(item, score);
  }
  return scores;
}

/** Best first; those without a score keep their order behind them. */
async function ranked(
  host: ItemsHost,
  items: readonly StoredItem[],
  query: string,
): Promise<ScoredItem[]> {
  const scores =
    host.embeddings === undefined
      ? scoresByWord(host, items, query)
      : await scoresByVector(host.embeddings, items, query);
  const scored = [...scores].map(([item, score]) => ({ item, score }));
  const rest = items.filter((item) => !scores.has(item)).map((item) => ({ item }));
  return [...scored.toSorted((a, b) => b.score - a.score), ...rest];
}

/** Throws: `CTX_TOO_LARGE` where a query would rank more items than the store was made for. */
function checkRanked(count: number, { mostRanked }: ItemsHost): void {
  if (count <= mostRanked) return;
  throw new CtxError(
    'CTX_TOO_LARGE',
    `a query ranks ${String(mostRanked)} items at most: narrow it by a longer namespace or a filter, or raise index.mostRanked`,
  );
}

/** The items that a search is about: all that are ranked, or as many as its page needs. */
async function matchingItems(
  host: ItemsHost,
  { namespacePrefix, filter }: SearchShape,
  most: number | 'ranked',
): Promise<StoredItem[]> {
  const now = host.store.clock();
  const found: StoredItem[] = [];
  const under = namespacesUnder(namespacePrefix);
  for await (const record of host.items.scan({ index: 'key', ...under })) {
    if (most !== 'ranked' && found.length >= most) break;
    if (isExpired(record, now)) continue;
    const item = readItem(record);
    if (matchesFilter(item.body.value, filter)) found.push(item);
    if (most === 'ranked') checkRanked(found.length, host);
  }
  return found;
}

/**
 * The items under a namespace that a filter lets through, in the order of namespaces and keys, or best first where there is a query.
 * Cost: reads all items under the namespace where there is a query, and ranks those that the filter lets through, about 33 µs each for
 * texts of 600 signs; without one, up to the end of the page. Throws: `CTX_TOO_LARGE` where they are too many to be ranked.
 */
export async function searchItems(
  host: ItemsHost,
  search: SearchShape,
): Promise<SearchItemShape[]> {
  const { limit = 10, offset = 0, query = '' } = search;
  const hasQuery = query !== '';
  const found = await matchingItems(host, search, hasQuery ? 'ranked' : offset + limit);
  const order = hasQuery ? await ranked(host, found, query) : found.map((item) => ({ item }));
  const page: readonly ScoredItem[] = order.slice(offset, offset + limit);
  await refreshItems(
    host,
    page.map(({ item }) => item.record),
  );
  return page.map(({ item, score }) => ({
    ...itemOf(item),
    ...(score === undefined ? {} : { score }),
  }));
}
