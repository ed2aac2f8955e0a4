import { compareKeys, compareValueLists } from '../compare-values.ts';
import { keyText, positionOf } from '../index-order.ts';
import { collectScan, mapScan } from '../indexes/map-scan.ts';
import type {
  ColumnValue,
  RecordScan,
  ScanQuery,
  SearchHit,
  SearchQuery,
  StoreBackend,
  StoredRecord,
  Tally,
  TallyQuery,
} from '../store-backend.ts';
import type { HeldCollection, HeldCollections } from './held-collections.ts';

type Reads = Pick<StoreBackend, 'get' | 'scan' | 'tally' | 'search'>;

/** Two scans of one index as one. `compare` orders as the index does. */
async function* joinedScan(
  stored: AsyncIterable<StoredRecord>,
  written: readonly StoredRecord[],
  compare: (left: StoredRecord, right: StoredRecord) => number,
): AsyncGenerator<StoredRecord> {
  let next = 0;
  for await (const record of stored) {
    let other = written[next];
    while (other !== undefined && compare(other, record) <= 0) {
      yield other;
      next += 1;
      other = written[next];
    }
    yield record;
  }
  yield* written.slice(next);
}

/** A scan of the store without the records of these keys. */
async function* scanWithout(
  base: StoreBackend,
  query: ScanQuery,
  hidden: ReadonlySet<string>,
): AsyncGenerator<StoredRecord> {
  const { limit } = query;
  const wide = limit === undefined ? query : { ...query, limit: limit + hidden.size };
  for await (const record of base.scan(wide)) {
    if (!hidden.has(keyText(record.key))) yield record;
  }
}

/** Records of the store but for those that were written, and those as they will be, in the order of the index. */
async function* mergedScan(
  base: StoreBackend,
  { definition, touched, readAfter }: HeldCollection,
  query: ScanQuery,
): AsyncGenerator<StoredRecord> {
  const { index, descending = false, limit = Number.POSITIVE_INFINITY } = query;
  const orderOf = (record: StoredRecord): ColumnValue[] => {
    const { values, key } = positionOf(definition, index, record);
    return [...values, ...key];
  };
  const sign = descending ? -1 : 1;
  const hidden = new Set(touched);
  const written = await collectScan(readAfter.scan(query));
  const joined = joinedScan(
    scanWithout(base, query, hidden),
    written,
    (left, right) => sign * compareValueLists(orderOf(left), orderOf(right)),
  );
  let given = 0;
  if (limit === 0) return;
  for await (const record of joined) {
    yield record;
    given += 1;
    if (given >= limit) return;
  }
}

/** Adds the tallies of what will be to those of the store, and takes away those of what was. */
function joinedTallies(
  query: TallyQuery,
  parts: readonly (readonly [sign: number, tallies: readonly Tally[]])[],
): Tally[] {
  const groups = new Map<
    string,
    { group: readonly ColumnValue[]; count: number; sums: number[] }
  >();
  for (const [sign, tallies] of parts) {
    for (const { group, count, sums } of tallies) {
      const name = JSON.stringify(group);
      const known = groups.get(name) ?? { group, count: 0, sums: sums.map(() => 0) };
      known.count += sign * count;
      known.sums = known.sums.map((sum, at) => sum + sign * (sums[at] ?? 0));
      groups.set(name, known);
    }
  }
  const isGrouped = (query.groupBy ?? []).length > 0;
  return [...groups.values()]
    .filter(({ count }) => !isGrouped || count > 0)
    .sort((left, right) => compareValueLists(left.group, right.group));
}

async function mergedTally(
  base: StoreBackend,
  { readBefore, readAfter }: HeldCollection,
  query: TallyQuery,
): Promise<Tally[]> {
  const stored = await base.tally(query);
  return joinedTallies(query, [
    [1, stored],
    [-1, await readBefore.tally(query)],
    [1, await readAfter.tally(query)],
  ]);
}

/** Scores of what was written are of a search among what was written: they rank it roughly among the rest. */
async function mergedSearch(
  base: StoreBackend,
  { reworded, readAfter }: HeldCollection,
  query: SearchQuery,
): Promise<SearchHit[]> {
  const hidden = new Set(reworded);
  const stored = await base.search({ ...query, limit: query.limit + hidden.size });
  const written = await readAfter.search(query);
  // The records that came with the hits may be those before what is held.
  const known = stored.filter(({ key }) => !hidden.has(keyText(key)));
  return [...known.map(({ key, score }) => ({ key, score })), ...written]
    .sort((left, right) => right.score - left.score || compareKeys(left.key, right.key))
    .slice(0, query.limit);
}

/** Reads the store as it will be once the held writes are done. A collection that they left alone is read as it is. */
export function heldReads(base: StoreBackend, collections: HeldCollections): Reads {
  return {
    get: async (name, keys, part) => {
      const held = collections.find(name);
      const stored = await base.get(name, keys, part);
      if (held === undefined) return stored;
      const written = await held.readAfter.get(name, keys, part);
      return keys.map((key, at) => (held.touched.has(keyText(key)) ? written[at] : stored[at]));
    },
    scan: (query) => {
      const open = (): RecordScan => {
        const held = collections.find(query.collection);
        return held === undefined ? base.scan(query) : mergedScan(base, held, query);
      };
      return mapScan(open, { map: (record) => record });
    },
    tally: (query) => {
      const held = collections.find(query.collection);
      return held === undefined ? base.tally(query) : mergedTally(base, held, query);
    },
    search: (query) => {
      const held = collections.find(query.collection);
      return held === undefined ? base.search(query) : mergedSearch(base, held, query);
    },
  };
}
