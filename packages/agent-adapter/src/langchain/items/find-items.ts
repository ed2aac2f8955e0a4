import { searchWords } from '@ctx/relevance';
import { graphItemWords } from '@ctx/store';
import { compareKeys } from '@ctx/store/backend';
import type { SearchShape } from './host-types.ts';
import { indexItems } from './index-items.ts';
import { matchesFilter } from './item-filter.ts';
import { type ItemsHost, isExpired, readGraphItem } from './item-records.ts';
import { namespacesUnder, namespaceText } from './namespaces.ts';
import { fewItems, rankItems, type ScoredItem } from './rank-items.ts';

/** Most different words of a query that are looked for. */
const maxQueryWords = 256;

/** Hits that are asked for at first, and how many times as many each further time. */
const firstHits = 1000;
const moreHits = 8;

/** Items that are read at once. */
const batchSize = 100;

/** No store holds more. */
const allHits = 1_000_000_000;

type Key = readonly [namespace: string, key: string];

interface Hit {
  readonly key: Key;
  readonly score: number;
}

const nameOf = (key: readonly string[]): string => JSON.stringify(key);

/** The only namespace that has items below a prefix, where there is but one. */
async function onlyNamespace(host: ItemsHost, prefix: readonly string[]): Promise<string[]> {
  const end = { index: 'key', ...namespacesUnder(prefix), limit: 1, part: 'columns' } as const;
  const found: (string | undefined)[] = [];
  for (const descending of [false, true]) {
    for await (const { key } of host.items.scan({ ...end, descending })) found.push(key[0]);
  }
  const [first, last] = found;
  return first !== undefined && first === last ? [first] : [];
}

/** Finds items below a namespace by words of the store's index, best first. */
async function finderOf(host: ItemsHost, prefix: readonly string[]) {
  const equal = await onlyNamespace(host, prefix);
  const start = prefix.length === 0 ? '' : namespaceText(prefix);
  return async (words: readonly string[], limit: number) => {
    const hits = await host.items.search({ equal, words, limit });
    const under = hits.flatMap(({ key: [namespace = '', key = ''], score }): Hit[] =>
      namespace.startsWith(start) ? [{ key: [namespace, key], score }] : [],
    );
    return { under, isAll: hits.length < limit };
  };
}

type Finder = Awaited<ReturnType<typeof finderOf>>;

/** Each hit once, best first. */
async function* hitsOf(find: Finder, words: readonly string[]): AsyncGenerator<Hit> {
  const given = new Set<string>();
  for (let limit = firstHits; ; limit *= moreHits) {
    const { under, isAll } = await find(words, limit);
    for (const hit of under) {
      const name = nameOf(hit.key);
      if (!given.has(name)) yield hit;
      given.add(name);
    }
    if (isAll) return;
  }
}

/** The words that an item has which a filter lets through; none where only its value tells. */
export function wordsOfFilter(filter: SearchShape['filter'] = {}): string[] {
  return Object.entries(filter).flatMap(
    ([name, wanted]) => graphItemWords.member(name, wanted) ?? [],
  );
}

/** Items by name, in the order of keys; `undefined`: all of them. */
type Members = ReadonlyMap<string, Key> | undefined;

/** The items that have the rarest of the members that a filter names, or all where it names none. */
async function membersOf(find: Finder, { filter }: SearchShape): Promise<Members> {
  let fewest: readonly Hit[] | undefined;
  for (const word of wordsOfFilter(filter)) {
    const { under } = await find([word], allHits);
    if (fewest === undefined || under.length < fewest.length) fewest = under;
  }
  const inOrder = fewest?.map(({ key }) => key).toSorted(compareKeys);
  return inOrder && new Map(inOrder.map((key) => [nameOf(key), key]));
}

/** A place of an item, with its score where it answers the query. */
type Place = Partial<Hit> & Pick<Hit, 'key'>;

/** The items that answer a query, best first; of these the ones among `members`, where there are any. */
async function* answering(find: Finder, query: string, members: Members): AsyncGenerator<Hit> {
  const words = [...new Set(searchWords(query))].slice(0, maxQueryWords);
  if (words.length === 0) return;
  for await (const hit of hitsOf(find, words)) {
    if (members?.has(nameOf(hit.key)) !== false) yield hit;
  }
}

/** The items that may be let through, in the order of keys. */
async function* inOrder(
  { items }: ItemsHost,
  prefix: readonly string[],
  members: Members,
): AsyncGenerator<Place> {
  for (const key of members?.values() ?? []) yield { key };
  if (members !== undefined) return;
  const all = { index: 'key', ...namespacesUnder(prefix), part: 'columns' } as const;
  for await (const record of items.scan(all)) {
    const [namespace = '', key = ''] = record.key;
    yield { key: [namespace, key] };
  }
}

/** Where the items stand that an answer may hold: those that answer the query, best first, then the others in the order of keys. */
async function* placesOf(
  host: ItemsHost,
  { namespacePrefix, query = '' }: SearchShape,
  { find, members }: { readonly find: Finder; readonly members: Members },
): AsyncGenerator<Place> {
  const given = new Set<string>();
  for await (const hit of answering(find, query, members)) {
    given.add(nameOf(hit.key));
    yield hit;
  }
  for await (const place of inOrder(host, namespacePrefix, members)) {
    if (!given.has(nameOf(place.key))) yield place;
  }
}

/** Reads the items at places, some at once, up to the first `most` that a filter lets through. */
async function readPlaces(
  host: ItemsHost,
  places: AsyncIterable<Place>,
  { filter, most }: { readonly filter: SearchShape['filter']; readonly most: number },
): Promise<ScoredItem[]> {
  const found: ScoredItem[] = [];
  let batch: Place[] = [];
  const read = async (): Promise<void> => {
    const records = await host.items.getMany(batch.map(({ key }) => key));
    for (const [at, record] of records.entries()) {
      if (record === undefined || isExpired(record, host.store.clock())) continue;
      const item = readGraphItem(record);
      const score = batch[at]?.score;
      if (!matchesFilter(item.body.value, filter)) continue;
      found.push(score === undefined ? { item } : { item, score });
    }
    batch = [];
  };
  for await (const place of places) {
    batch.push(place);
    // No more than are needed where every one is let through.
    if (batch.length >= Math.min(batchSize, most - found.length)) await read();
    if (found.length >= most) break;
  }
  await read();
  return found;
}

/**
 * Finds items by the index of the store: the first `most` that pass the filter. With a query, the best match comes first and items
 * without a match come last. Takes the hits of the query's words and of the rarest member that the filter names, without reading them;
 * then reads the items up to the end of the page, including those that the filter rejects. If few items have that member, it reads and
 * ranks them, whatever the query hits.
 */
export async function findItems(
  host: ItemsHost,
  search: SearchShape,
  most: number,
): Promise<ScoredItem[]> {
  await indexItems(host);
  const { namespacePrefix, filter, query = '' } = search;
  const find = await finderOf(host, namespacePrefix);
  const members = await membersOf(find, search);
  if (query === '' || members === undefined || members.size > fewItems) {
    return readPlaces(host, placesOf(host, search, { find, members }), { filter, most });
  }
  const few = inOrder(host, namespacePrefix, members);
  const read = await readPlaces(host, few, { filter, most: Infinity });
  return rankItems(
    host,
    read.map(({ item }) => item),
    query,
  );
}
