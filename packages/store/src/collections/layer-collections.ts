import { compareValueLists } from '../backend/compare-values.ts';
import type { StoredRecord, Tally } from '../backend/store-backend.ts';
import type { ScanPosition } from '../backend/index-order.ts';
import type { CollectionAccess } from '../records/collection-access.ts';

type ComesFirst = (left: StoredRecord, right: StoredRecord) => boolean;

/** Takes from two ordered sources whatever comes first. */
async function* merge(
  left: AsyncIterator<StoredRecord>,
  right: AsyncIterator<StoredRecord>,
  comesFirst: ComesFirst,
): AsyncGenerator<StoredRecord> {
  let a = await left.next();
  let b = await right.next();
  while (a.done !== true && b.done !== true) {
    const isLeft = comesFirst(a.value, b.value);
    yield isLeft ? a.value : b.value;
    if (isLeft) a = await left.next();
    else b = await right.next();
  }
  for (; a.done !== true; a = await left.next()) yield a.value;
  for (; b.done !== true; b = await right.next()) yield b.value;
}

/** Merges, and ends both sources however the reading ends. */
async function* mergeAndClose(
  sources: readonly [AsyncIterable<StoredRecord>, AsyncIterable<StoredRecord>],
  comesFirst: ComesFirst,
): AsyncGenerator<StoredRecord> {
  const left = sources[0][Symbol.asyncIterator]();
  const right = sources[1][Symbol.asyncIterator]();
  try {
    yield* merge(left, right, comesFirst);
  } finally {
    await left.return?.();
    await right.return?.();
  }
}

async function* take(
  records: AsyncIterable<StoredRecord>,
  limit: number,
): AsyncGenerator<StoredRecord> {
  let left = limit;
  if (left <= 0) return;
  for await (const record of records) {
    yield record;
    left -= 1;
    if (left <= 0) return;
  }
}

function addTallies(left: Tally | undefined, right: Tally | undefined): Tally {
  const sums = (left?.sums ?? []).map((sum, index) => sum + (right?.sums[index] ?? 0));
  return { group: [], count: (left?.count ?? 0) + (right?.count ?? 0), sums };
}

/**
 * Reads two collections of the same definition as one, in one order; a key stands in one of them only.
 * Operations (`put`, `patch`, …) are those of `base`; groups are not tallied.
 * Costs as much as both.
 */
export function layerCollections(
  base: CollectionAccess,
  layer: CollectionAccess,
): CollectionAccess {
  const compareIn = (index: string, descending: boolean): ComesFirst => {
    const flat = ({ values, key }: ScanPosition) => [...values, ...key];
    const sign = descending ? -1 : 1;
    return (left, right) =>
      compareValueLists(flat(base.positionOf(left, index)), flat(base.positionOf(right, index))) *
        sign <
      0;
  };
  const getMany: CollectionAccess['getMany'] = async (keys, part) => {
    const [below, above] = await Promise.all([base.getMany(keys, part), layer.getMany(keys, part)]);
    return below.map((record, index) => record ?? above[index]);
  };
  return {
    ...base,
    getMany,
    get: async (key, part) => (await getMany([key], part))[0],
    scan: (query) => {
      const comesFirst = compareIn(query.index, query.descending ?? false);
      const merged = mergeAndClose([base.scan(query), layer.scan(query)], comesFirst);
      return query.limit === undefined ? merged : take(merged, query.limit);
    },
    tally: async (query) => {
      const [[below], [above]] = await Promise.all([base.tally(query), layer.tally(query)]);
      return [addTallies(below, above)];
    },
    search: async (query) => {
      const hits = await Promise.all([base.search(query), layer.search(query)]);
      return hits
        .flat()
        .sort((left, right) => right.score - left.score)
        .slice(0, query.limit);
    },
  };
}
