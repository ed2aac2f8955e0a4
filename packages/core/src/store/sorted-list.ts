/** A run of neighbours. Never changed in place: a writer makes a new one, so that readers keep theirs. */
export interface Chunk<Entry> {
  readonly entries: readonly Entry[];
  /** What the entries' measures add up to. */
  readonly sums: readonly number[];
}

/** A list that stays sorted while it grows. */
export interface SortedList<Entry> {
  insert(entry: Entry): void;
  /** Removes the entry that compares equal; nothing where there is none. */
  remove(entry: Entry): void;
  /** The list as it is now; later changes do not touch it. Cost: none, the next write copies the list of chunks. */
  snapshot(): readonly Chunk<Entry>[];
}

/** A place between entries: before `chunks[chunk].entries[offset]`. */
export interface Place {
  readonly chunk: number;
  readonly offset: number;
}

const mostEntries = 512;
const fewEntries = 64;

/** The first index from 0 below `length` where `isBefore` no longer holds. It must hold for a first part only. */
function firstNot(length: number, isBefore: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of the first entry for which `isBefore` does not hold. Cost: a binary search. */
export function placeOf<Entry>(
  chunks: readonly Chunk<Entry>[],
  isBefore: (entry: Entry) => boolean,
): Place {
  const holds = (entries: readonly Entry[], at: number): boolean => {
    const entry = entries.at(at);
    return entry !== undefined && isBefore(entry);
  };
  const chunk = firstNot(chunks.length, (at) => holds(chunks[at]?.entries ?? [], -1));
  const entries = chunks[chunk]?.entries ?? [];
  return { chunk, offset: firstNot(entries.length, (at) => holds(entries, at)) };
}

/** The entries from `start` up to `end`, lazily. */
export function* entriesBetween<Entry>(
  chunks: readonly Chunk<Entry>[],
  start: Place,
  end: Place,
): Generator<Entry> {
  for (let at = start.chunk; at <= end.chunk && at < chunks.length; at++) {
    const entries = chunks[at]?.entries ?? [];
    const from = at === start.chunk ? start.offset : 0;
    const to = at === end.chunk ? end.offset : entries.length;
    for (let offset = from; offset < to; offset++) {
      const entry = entries[offset];
      if (entry !== undefined) yield entry;
    }
  }
}

/** The entries from `end` back to `start`, lazily. */
export function* entriesBackwards<Entry>(
  chunks: readonly Chunk<Entry>[],
  start: Place,
  end: Place,
): Generator<Entry> {
  for (let at = Math.min(end.chunk, chunks.length - 1); at >= start.chunk; at--) {
    const entries = chunks[at]?.entries ?? [];
    const from = at === start.chunk ? start.offset : 0;
    const to = at === end.chunk ? end.offset : entries.length;
    for (let offset = to - 1; offset >= from; offset--) {
      const entry = entries[offset];
      if (entry !== undefined) yield entry;
    }
  }
}

/**
 * Makes an empty list in the order of `compare`. `measure` gives numbers that every chunk keeps the sums of.
 * Cost: an insert or removal copies one chunk of at most 512 entries.
 */
export function createSortedList<Entry>(
  compare: (left: Entry, right: Entry) => number,
  measure: (entry: Entry) => readonly number[],
): SortedList<Entry> {
  let chunks: Chunk<Entry>[] = [];
  let isShared = false;

  const chunkOf = (entries: readonly Entry[]): Chunk<Entry> => {
    const sums: number[] = [];
    for (const entry of entries) {
      measure(entry).forEach((amount, at) => {
        sums[at] = (sums[at] ?? 0) + amount;
      });
    }
    return { entries, sums };
  };
  const changed = (
    entries: readonly Entry[],
    before: Chunk<Entry>,
    by: Entry,
    sign: 1 | -1,
  ): Chunk<Entry> => ({
    entries,
    sums: measure(by).map((amount, at) => (before.sums[at] ?? 0) + sign * amount),
  });
  const replace = (at: number, count: number, ...fresh: readonly Chunk<Entry>[]): void => {
    if (isShared) chunks = [...chunks];
    isShared = false;
    if (count === 1 && fresh[0] !== undefined && fresh.length === 1) chunks[at] = fresh[0];
    else chunks.splice(at, count, ...fresh);
  };
  const split = (at: number, entries: readonly Entry[]): void => {
    // A list that only grows at its end leaves full chunks behind.
    const isLast = at === chunks.length - 1;
    const cut = isLast ? mostEntries - fewEntries : mostEntries / 2;
    replace(at, 1, chunkOf(entries.slice(0, cut)), chunkOf(entries.slice(cut)));
  };

  return {
    insert(entry) {
      const place = placeOf(chunks, (other) => compare(other, entry) < 0);
      const at = Math.min(place.chunk, Math.max(0, chunks.length - 1));
      const chunk = chunks[at] ?? { entries: [], sums: [] };
      const offset = at === place.chunk ? place.offset : chunk.entries.length;
      const entries = chunk.entries.toSpliced(offset, 0, entry);
      if (entries.length > mostEntries) split(at, entries);
      else replace(at, 1, changed(entries, chunk, entry, 1));
    },
    remove(entry) {
      const { chunk: at, offset } = placeOf(chunks, (other) => compare(other, entry) < 0);
      const chunk = chunks[at];
      const found = chunk?.entries[offset];
      if (chunk === undefined || found === undefined || compare(found, entry) !== 0) return;
      const entries = chunk.entries.toSpliced(offset, 1);
      const next = chunks[at + 1]?.entries ?? [];
      if (entries.length < fewEntries && next.length > 0 && next.length < mostEntries / 2) {
        replace(at, 2, chunkOf([...entries, ...next]));
      } else if (entries.length === 0) replace(at, 1);
      else replace(at, 1, changed(entries, chunk, found, -1));
    },
    snapshot() {
      isShared = true;
      return chunks;
    },
  };
}
