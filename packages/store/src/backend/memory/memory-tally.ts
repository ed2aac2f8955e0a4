import { compareValueLists } from '../compare-values.ts';
import { fieldValue } from '../index-order.ts';
import { entriesBetween } from '../indexes/sorted-list.ts';
import type { ColumnValue, StoredRecord, Tally, TallyQuery } from '../store-backend.ts';
import type { IndexSlice, MemoryCollection } from './memory-collection.ts';

interface OpenTally extends Tally {
  count: number;
  readonly sums: number[];
}

/**
 * The count and sums of a slice from the sums that its chunks keep: only the two chunks at its ends are read.
 * `kept` names the sums of the index; undefined where one of those asked for is not kept, or the slice is short.
 */
function tallyByChunks(
  slice: IndexSlice,
  kept: readonly string[],
  asked: readonly string[],
): { inner: OpenTally; edges: IndexSlice[] } | undefined {
  const places = asked.map((field) => kept.indexOf(field));
  const { chunks, start, end } = slice;
  if (places.includes(-1) || end.chunk - start.chunk < 2) return undefined;
  const inner = emptyTally([], asked);
  for (const chunk of chunks.slice(start.chunk + 1, end.chunk)) {
    inner.count += chunk.entries.length;
    places.forEach((place, at) => {
      inner.sums[at] = (inner.sums[at] ?? 0) + (chunk.sums[place] ?? 0);
    });
  }
  const first = { chunks, start, end: { chunk: start.chunk + 1, offset: 0 } };
  const last = { chunks, start: { chunk: end.chunk, offset: 0 }, end };
  return { inner, edges: [first, last] };
}

function emptyTally(group: readonly ColumnValue[], sums: readonly string[]): OpenTally {
  return { group, count: 0, sums: sums.map(() => 0) };
}

function sumsKept({ definition }: MemoryCollection, index: string): readonly string[] {
  return definition.indexes.find(({ name }) => name === index)?.tally?.sums ?? [];
}

function tallyWhole(collection: MemoryCollection, slice: IndexSlice, query: TallyQuery): Tally {
  const { sums: asked = [] } = query;
  const chunked = tallyByChunks(slice, sumsKept(collection, query.index), asked);
  const tally = chunked?.inner ?? emptyTally([], asked);
  for (const part of chunked?.edges ?? [slice]) {
    for (const { record } of entriesBetween(part.chunks, part.start, part.end)) {
      addRecord(tally, collection, { record, asked });
    }
  }
  return tally;
}

function addRecord(
  tally: OpenTally,
  { definition }: MemoryCollection,
  { record, asked }: { readonly record: StoredRecord; readonly asked: readonly string[] },
): void {
  tally.count++;
  asked.forEach((field, at) => {
    tally.sums[at] = (tally.sums[at] ?? 0) + Number(fieldValue(definition, record, field));
  });
}

/** Counts and sums a slice of the collection. Takes one step per entry, or without groups one per chunk where sums are kept. */
export function tallySlice(
  collection: MemoryCollection,
  slice: IndexSlice,
  query: TallyQuery,
): Tally[] {
  const { groupBy = [], sums: asked = [] } = query;
  if (groupBy.length === 0) return [tallyWhole(collection, slice, query)];
  const groups = new Map<string, OpenTally>();
  for (const { record } of entriesBetween(slice.chunks, slice.start, slice.end)) {
    const group = groupBy.map((field) => fieldValue(collection.definition, record, field));
    const name = JSON.stringify(group);
    const tally = groups.get(name) ?? emptyTally(group, asked);
    groups.set(name, tally);
    addRecord(tally, collection, { record, asked });
  }
  return [...groups.values()].sort((left, right) => compareValueLists(left.group, right.group));
}
