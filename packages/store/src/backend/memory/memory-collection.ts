import { completeColumns } from '../check/check-value.ts';
import { compareValueLists, compareValues } from '../compare-values.ts';
import { keyIndex, keyText } from '../index-order.ts';
import { createInvertedIndex, type InvertedIndex } from '../indexes/inverted-index.ts';
import { createLateIndex, type IndexEntry } from '../indexes/lazy-index.ts';
import { type Chunk, type Place, placeOf } from '../indexes/sorted-list.ts';
import type {
  CollectionDefinition,
  ColumnValue,
  IndexDefinition,
  ScanQuery,
  StoredRecord,
} from '../store-backend.ts';
import type { FieldRange } from '../index-order.ts';

/** A record as memory keeps it. Never changed in place. */
export interface MemoryRecord extends StoredRecord {
  /** An object of its own for each put: a patch keeps it. */
  readonly words: Readonly<Record<string, string>>;
}

/** A record's stand in one index. */
type MemoryEntry = IndexEntry<MemoryRecord>;

/** The part of an index that a query reads, as it was when asked. */
export interface IndexSlice {
  readonly chunks: readonly Chunk<MemoryEntry>[];
  readonly start: Place;
  readonly end: Place;
}

/** The records of one collection with their indexes. */
export interface MemoryCollection {
  readonly definition: CollectionDefinition;
  readonly records: ReadonlyMap<string, MemoryRecord>;
  /** Puts `next` in the place of what has its key; undefined removes. */
  replace(key: string, next: MemoryRecord | undefined): void;
  slice(query: Pick<ScanQuery, 'index' | 'equal' | 'range' | 'after' | 'descending'>): IndexSlice;
  /** The full text of one tenant: each has its own, so that no tenant's words weigh in another's ranks. */
  textOf(tenant: string): InvertedIndex | undefined;
}

/** Whether the value lies before the bound, or on it where the bound itself is out. */
function isShort(value: ColumnValue, bound: string | number, isExclusive?: boolean): boolean {
  const difference = compareValues(value, bound);
  return difference < 0 || (difference === 0 && isExclusive === true);
}

function isBeyond(value: ColumnValue, bound: string | number, isExclusive?: boolean): boolean {
  const difference = compareValues(value, bound);
  return difference > 0 || (difference === 0 && isExclusive === true);
}

/** -1 before the range, 0 inside, 1 after it. */
function sideOfRange(value: ColumnValue, range: FieldRange): number {
  const { from, to } = range;
  if (value === null) return from === undefined && to === undefined ? 0 : -1;
  if (from !== undefined && isShort(value, from, range.fromExclusive)) return -1;
  return to !== undefined && isBeyond(value, to, range.toExclusive) ? 1 : 0;
}

type SliceQuery = Pick<ScanQuery, 'index' | 'equal' | 'range' | 'after' | 'descending'>;

/** As `compareValueLists` of what of the order is as long as `equal`. */
function compareStart(order: readonly ColumnValue[], equal: readonly ColumnValue[]): number {
  for (let at = 0; at < equal.length; at++) {
    const difference = compareValues(order[at] ?? null, equal[at] ?? null);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Tells for an entry whether it lies before (-1), in (0) or after (1) what the query reads. Rises along the index. */
function sideOf(query: SliceQuery): (entry: MemoryEntry) => number {
  const { equal, range, after, descending } = query;
  const behind = after === undefined ? undefined : [...after.values, ...after.key];
  const sideOfAfter = (order: readonly ColumnValue[]): number => {
    if (behind === undefined) return 0;
    const difference = compareValueLists(order, behind);
    if (descending === true) return difference >= 0 ? 1 : 0;
    return difference <= 0 ? -1 : 0;
  };
  return ({ order }) => {
    const difference = compareStart(order, equal);
    if (difference !== 0) return difference;
    const side = range === undefined ? 0 : sideOfRange(order[equal.length] ?? null, range);
    return side === 0 ? sideOfAfter(order) : side;
  };
}

/** The words of a collection: one index for each tenant. */
interface CollectionText {
  readonly texts: Map<string, InvertedIndex>;
  /** Puts the words of `next` in the place of those of `old`. A patch keeps the words and costs nothing. */
  replace(old: MemoryRecord | undefined, next: MemoryRecord | undefined): void;
}

function createText(definition: CollectionDefinition): CollectionText {
  const texts = new Map<string, InvertedIndex>();
  const openText = (tenant: string): InvertedIndex => {
    const text = texts.get(tenant) ?? createInvertedIndex(definition.search);
    texts.set(tenant, text);
    return text;
  };
  return {
    texts,
    replace(old, next) {
      if (old !== undefined && old.words === next?.words) return;
      if (old !== undefined) openText(old.key[0] ?? '').remove(old.key);
      if (next !== undefined) openText(next.key[0] ?? '').add(next.key, next.words);
    },
  };
}

/** Makes an empty collection, or one with the records of an older definition. */
export function createMemoryCollection(
  definition: CollectionDefinition,
  before: Iterable<MemoryRecord> = [],
): MemoryCollection {
  const records = new Map<string, MemoryRecord>();
  const byKey: IndexDefinition = { name: keyIndex, fields: definition.key };
  const indexes = new Map(
    [byKey, ...definition.indexes].map((index) => [
      index.name,
      createLateIndex({ definition, index, records }),
    ]),
  );
  const text = createText(definition);

  const collection: MemoryCollection = {
    definition,
    records,
    replace(key, next) {
      const old = records.get(key);
      if (next === undefined) records.delete(key);
      else records.set(key, next);
      for (const index of indexes.values()) index.note(key, old);
      if (definition.search.length > 0) text.replace(old, next);
    },
    slice(query) {
      const chunks = indexes.get(query.index)?.snapshot() ?? [];
      const side = sideOf(query);
      const start = placeOf(chunks, (entry) => side(entry) < 0);
      const first = chunks[start.chunk]?.entries[start.offset];
      // Many ask whether there is anything.
      const isEmpty = first === undefined || side(first) > 0;
      return { chunks, start, end: isEmpty ? start : placeOf(chunks, (entry) => side(entry) <= 0) };
    },
    textOf: (tenant) => text.texts.get(tenant),
  };
  for (const record of before) {
    const columns = completeColumns(definition, record.columns);
    collection.replace(keyText(record.key), { ...record, columns });
  }
  return collection;
}
