/** A run of neighbours. Never changed in place: a writer makes a new one, so that readers keep theirs. */
export interface Chunk<Entry> {
  readonly entries: readonly Entry[];
  /** What the entries' measures add up to. */
  readonly sums: readonly number[];
}

/** A list that stays sorted while it grows. */
export interface SortedList<Entry> {
  insert(entry: Entry): void;
  /** Puts in many, in any order. Sorts them; a chunk that several go into is copied once. */
  insertAll(entries: readonly Entry[]): void;
  /** Puts the entry in the place of the one that compares equal; nothing where there is none. */
  replace(entry: Entry): void;
  /** Removes the entry that compares equal; nothing where there is none. */
  remove(entry: Entry): void;
  /** The list as it is now; later changes do not touch it. Costs nothing; the next write copies the list of chunks. */
  snapshot(): readonly Chunk<Entry>[];
}

/** A place between entries: before `chunks[chunk].entries[offset]`. */
export interface Place {
  readonly chunk: number;
  readonly offset: number;
}

const mostEntries = 512;
const fewEntries = 64;

/**
 * The first index from 0 below `length` where `isBefore` no longer holds. It must hold for a first part only.
 * Makes a binary search; one look is enough where it holds for all, since most of what is written is the newest.
 */
function firstNot(length: number, isBefore: (at: number) => boolean): number {
  if (length === 0 || isBefore(length - 1)) return length;
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of the first entry for which `isBefore` does not hold. Makes a binary search. */
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

/** How entries compare, and the numbers that every chunk keeps the sums of. */
export interface EntryRules<Entry> {
  readonly compare: (left: Entry, right: Entry) => number;
  readonly measure: (entry: Entry) => readonly number[];
}

/** Which chunks to put in the place of which. */
interface ChunkEdit<Entry> {
  readonly at: number;
  readonly count: number;
  readonly fresh: readonly Chunk<Entry>[];
}

function chunkOf<Entry>(entries: readonly Entry[], rules: EntryRules<Entry>): Chunk<Entry> {
  const sums: number[] = [];
  for (const entry of entries) {
    rules.measure(entry).forEach((amount, at) => {
      sums[at] = (sums[at] ?? 0) + amount;
    });
  }
  return { entries, sums };
}

function planInsert<Entry>(
  chunks: readonly Chunk<Entry>[],
  entry: Entry,
  rules: EntryRules<Entry>,
): ChunkEdit<Entry> {
  const place = placeOf(chunks, (other) => rules.compare(other, entry) < 0);
  // Behind the last chunk means at its end.
  const at = Math.min(place.chunk, Math.max(0, chunks.length - 1));
  const chunk = chunks[at] ?? { entries: [], sums: [] };
  const offset = at === place.chunk ? place.offset : chunk.entries.length;
  const entries = chunk.entries.toSpliced(offset, 0, entry);
  if (entries.length <= mostEntries) {
    const sums = rules.measure(entry).map((amount, field) => (chunk.sums[field] ?? 0) + amount);
    return { at, count: 1, fresh: [{ entries, sums }] };
  }
  // A list that only grows at its end leaves nearly full chunks after.
  const cut = at === chunks.length - 1 ? mostEntries - fewEntries : mostEntries / 2;
  const halves = [entries.slice(0, cut), entries.slice(cut)];
  return { at, count: 1, fresh: halves.map((half) => chunkOf(half, rules)) };
}

/** Puts sorted entries into the chunk that all of them belong to. Makes as many comparisons as both have entries. */
function planRun<Entry>(
  chunks: readonly Chunk<Entry>[],
  { at, run }: { readonly at: number; readonly run: readonly Entry[] },
  rules: EntryRules<Entry>,
): ChunkEdit<Entry> {
  // Two sorted runs: to sort them is to merge them.
  const all = (chunks[at]?.entries ?? []).concat(run).sort(rules.compare);
  const size = Math.ceil(all.length / Math.ceil(all.length / mostEntries));
  const fresh: Chunk<Entry>[] = [];
  for (let from = 0; from < all.length; from += size) {
    fresh.push(chunkOf(all.slice(from, from + size), rules));
  }
  return { at, count: 1, fresh };
}

/** The edit that puts in the first of sorted entries, and those after it that belong to the same chunk. */
function planNext<Entry>(
  chunks: readonly Chunk<Entry>[],
  sorted: readonly Entry[],
  rules: EntryRules<Entry>,
): { readonly edit: ChunkEdit<Entry>; readonly taken: number } {
  const [first] = sorted;
  const isBefore = (one: Entry | undefined, other: Entry | undefined): boolean =>
    one !== undefined && other !== undefined && rules.compare(one, other) < 0;
  const end = chunks.length - 1;
  const at = Math.min(placeOf(chunks, (other) => isBefore(other, first)).chunk, Math.max(0, end));
  const last = chunks[at]?.entries.at(-1);
  const taken =
    at >= end ? sorted.length : firstNot(sorted.length, (next) => isBefore(sorted[next], last));
  return { edit: planRun(chunks, { at, run: sorted.slice(0, taken) }, rules), taken };
}

/** Where the entry is that has the place of this one. */
interface FoundPlace<Entry> {
  readonly at: number;
  readonly chunk: Chunk<Entry>;
  readonly offset: number;
  readonly found: Entry;
}

function foundPlace<Entry>(
  chunks: readonly Chunk<Entry>[],
  entry: Entry,
  rules: EntryRules<Entry>,
): FoundPlace<Entry> | undefined {
  const { chunk: at, offset } = placeOf(chunks, (other) => rules.compare(other, entry) < 0);
  const chunk = chunks[at];
  const found = chunk?.entries[offset];
  if (chunk === undefined || found === undefined) return undefined;
  if (rules.compare(found, entry) !== 0) return undefined;
  return { at, chunk, offset, found };
}

function planRemoval<Entry>(
  chunks: readonly Chunk<Entry>[],
  entry: Entry,
  rules: EntryRules<Entry>,
): ChunkEdit<Entry> | undefined {
  const place = foundPlace(chunks, entry, rules);
  if (place === undefined) return undefined;
  const { at, chunk, offset, found } = place;
  const entries = chunk.entries.toSpliced(offset, 1);
  if (entries.length < fewEntries) return planMerge(chunks, { at, entries }, rules);
  const sums = rules.measure(found).map((amount, field) => (chunk.sums[field] ?? 0) - amount);
  return { at, count: 1, fresh: [{ entries, sums }] };
}

function planMerge<Entry>(
  chunks: readonly Chunk<Entry>[],
  { at, entries }: { readonly at: number; readonly entries: readonly Entry[] },
  rules: EntryRules<Entry>,
): ChunkEdit<Entry> {
  const next = chunks[at + 1]?.entries ?? [];
  const mayMerge = next.length > 0 && next.length < mostEntries / 2;
  const merged = mayMerge ? [...entries, ...next] : entries;
  const fresh = merged.length === 0 ? [] : [chunkOf(merged, rules)];
  return { at, count: mayMerge ? 2 : 1, fresh };
}

function planReplacement<Entry>(
  chunks: readonly Chunk<Entry>[],
  entry: Entry,
  rules: EntryRules<Entry>,
): ChunkEdit<Entry> | undefined {
  const place = foundPlace(chunks, entry, rules);
  if (place === undefined) return undefined;
  const { at, chunk, offset, found } = place;
  const before = rules.measure(found);
  const sums = rules
    .measure(entry)
    .map((amount, field) => (chunk.sums[field] ?? 0) - (before[field] ?? 0) + amount);
  return { at, count: 1, fresh: [{ entries: chunk.entries.with(offset, entry), sums }] };
}

/**
 * Makes an empty list.
 * Each change copies one chunk of at most 512 entries.
 */
export function createSortedList<Entry>(rules: EntryRules<Entry>): SortedList<Entry> {
  let chunks: Chunk<Entry>[] = [];
  let isShared = false;
  const apply = ({ at, count, fresh }: ChunkEdit<Entry>): void => {
    if (isShared) chunks = [...chunks];
    isShared = false;
    const [only] = fresh;
    // Splicing a long list costs more than setting one place of it.
    if (only !== undefined && fresh.length === 1 && count === 1) chunks[at] = only;
    else chunks.splice(at, count, ...fresh);
  };
  return {
    insert(entry) {
      apply(planInsert(chunks, entry, rules));
    },
    insertAll(entries) {
      let sorted = entries.toSorted(rules.compare);
      while (sorted.length > 1) {
        const { edit, taken } = planNext(chunks, sorted, rules);
        apply(edit);
        sorted = sorted.slice(taken);
      }
      for (const entry of sorted) apply(planInsert(chunks, entry, rules));
    },
    replace(entry) {
      const edit = planReplacement(chunks, entry, rules);
      if (edit !== undefined) apply(edit);
    },
    remove(entry) {
      const edit = planRemoval(chunks, entry, rules);
      if (edit !== undefined) apply(edit);
    },
    snapshot() {
      isShared = true;
      return chunks;
    },
  };
}
