import { CtxError } from '@ctx/core';
import { findItems, wordsOfFilter } from './find-items.ts';
import type { SearchItemShape, SearchShape } from './host-types.ts';
import { matchesFilter } from './item-filter.ts';
import {
  graphItemOf,
  type ItemsHost,
  isExpired,
  readGraphItem,
  refreshItems,
  type StoredItem,
} from './item-records.ts';
import { namespacesUnder } from './namespaces.ts';
import { fewItems, rankItems, type ScoredItem } from './rank-items.ts';

/** @throws `CTX_TOO_LARGE` where a query would rank more items than the store was made for. */
function checkRanked(count: number, { mostRanked }: ItemsHost): void {
  if (count <= mostRanked) return;
  throw new CtxError(
    'CTX_TOO_LARGE',
    `a query ranks ${String(mostRanked)} items at most: narrow it by a longer namespace or a filter, or raise index.mostRanked`,
  );
}

/** How far the items under a namespace are read. */
interface Reach {
  /** Items that are wanted. */
  readonly most: number;
  /** Items that are read at most. */
  readonly reads: number;
}

interface ReadItems {
  readonly items: StoredItem[];
  /** Whether there is no more to be read, or no more is wanted. */
  readonly isAll: boolean;
}

/** The items that a filter lets through, in the order of namespaces and keys. */
async function readItems(
  host: ItemsHost,
  { namespacePrefix, filter }: SearchShape,
  { most, reads }: Reach,
): Promise<ReadItems> {
  const now = host.store.clock();
  const items: StoredItem[] = [];
  let read = 0;
  for await (const record of host.items.scan({
    index: 'key',
    ...namespacesUnder(namespacePrefix),
  })) {
    if (items.length >= most) break;
    read += 1;
    if (read > reads) return { items, isAll: false };
    if (isExpired(record, now)) continue;
    const item = readGraphItem(record);
    if (matchesFilter(item.body.value, filter)) items.push(item);
  }
  return { items, isAll: true };
}

async function hasFew(host: ItemsHost, { namespacePrefix }: SearchShape): Promise<boolean> {
  const under = namespacesUnder(namespacePrefix);
  const first = { index: 'key', ...under, limit: fewItems + 1, part: 'columns' } as const;
  let count = 0;
  for await (const _ of host.items.scan(first)) count += 1;
  return count <= fewItems;
}

/** Reads all of them, and ranks those that the filter lets through. */
async function rankAll(host: ItemsHost, search: SearchShape, query: string): Promise<ScoredItem[]> {
  const most = host.mostRanked + 1;
  const { items } = await readItems(host, search, { most, reads: Infinity });
  checkRanked(items.length, host);
  return rankItems(host, items, query);
}

async function answer(host: ItemsHost, search: SearchShape, most: number): Promise<ScoredItem[]> {
  const { query = '', filter } = search;
  const isIndexed = host.store.supports.search;
  if (query !== '') {
    const isByWords = isIndexed && host.embeddings === undefined;
    const isLarge = isByWords && !(await hasFew(host, search));
    return isLarge ? findItems(host, search, most) : rankAll(host, search, query);
  }
  const hasWords = isIndexed && wordsOfFilter(filter).length > 0;
  // A filter that lets many through fills its page sooner so.
  const reads = hasWords ? fewItems : Infinity;
  const { items, isAll } = await readItems(host, search, { most, reads });
  return isAll ? items.map((item) => ({ item })) : findItems(host, search, most);
}

/**
 * The items under a namespace that a filter lets through, in the order of namespaces and keys, or best first where there is a query.
 * Up to 500 items are read and ranked one by one, about 33 µs each for texts of 600 signs; of more `findItems` reads what it
 * gives. All are read where embeddings rank them, where the store has no search, and by a filter that names no member as it is, up to
 * the end of the page.
 * @throws `CTX_TOO_LARGE` where they are too many to be ranked.
 */
export async function searchGraphItems(
  host: ItemsHost,
  search: SearchShape,
): Promise<SearchItemShape[]> {
  const { limit = 10, offset = 0 } = search;
  const found = await answer(host, search, offset + limit);
  const page = found.slice(offset, offset + limit);
  await refreshItems(
    host,
    page.map(({ item }) => item.record),
  );
  return page.map(({ item, score }) => ({
    ...graphItemOf(item),
    ...(score === undefined ? {} : { score }),
  }));
}
