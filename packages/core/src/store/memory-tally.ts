import { compareValueLists } from './compare-values.ts';
import { fieldValue } from './index-order.ts';
import type { IndexSlice, MemoryCollection } from './memory-collection.ts';
import { entriesBetween } from './sorted-list.ts';
import type { Tally, TallyQuery } from './store-backend.ts';

interface OpenTally extends Tally {
  count: number;
  readonly sums: number[];
}

/**
 * The count and sums of a slice from the sums that its chunks keep: only the two chunks at its ends are read.
 * `kept` names the sums of the index; undefined where one of those asked for is not kept.
 */
function tallyByChunks(
  slice: IndexSlice,
  kept: readonly string[],
  asked: readonly string[],
): { inner: OpenTally; edges: IndexSlice[] } | undefined {
  const places = asked.map((field) => kept.indexOf(field));
  const { chunks, start, end } = slice;
  if (places.includes(-1) || end.chunk - start.chunk < 2) return undefined;
  const inner: OpenTally = { group: [], count: 0, sums: asked.map(() => 0) };
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

/** Counts and sums a slice of the collection. Cost: one step per entry; without groups, one per 512 where sums are kept. */
export function tallySlice(
  collection: MemoryCollection,
  slice: IndexSlice,
  query: TallyQuery,
): Tally[] {
  const { definition } = collection;
  const groupBy = query.groupBy ?? [];
  const asked = query.sums ?? [];
  const groups = new Map<string, OpenTally>();
  let slices: readonly IndexSlice[] = [slice];
  if (groupBy.length === 0) {
    const index = definition.indexes.find((candidate) => candidate.name === query.index);
    const chunked = tallyByChunks(slice, index?.tally?.sums ?? [], asked);
    groups.set('[]', chunked?.inner ?? { group: [], count: 0, sums: asked.map(() => 0) });
    slices = chunked?.edges ?? slices;
  }
  for (const part of slices) {
    for (const { record } of entriesBetween(part.chunks, part.start, part.end)) {
      const group = groupBy.map((field) => fieldValue(definition, record, field));
      const name = JSON.stringify(group);
      const tally = groups.get(name) ?? { group, count: 0, sums: asked.map(() => 0) };
      groups.set(name, tally);
      tally.count++;
      asked.forEach((field, at) => {
        tally.sums[at] = (tally.sums[at] ?? 0) + Number(fieldValue(definition, record, field));
      });
    }
  }
  return [...groups.values()].sort((left, right) => compareValueLists(left.group, right.group));
}
