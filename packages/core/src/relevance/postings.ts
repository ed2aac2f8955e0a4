/**
 * For each term a growing list of 32-bit numbers, in the order they were added.
 * All lists share pages of one size, so that a million small lists cost no million arrays.
 */
export interface Postings {
  append(term: number, value: number): void;
  count(term: number): number;
  /** Copies the list of a term to the start of `target` and gives its length. `target` must have room for `count(term)`. */
  read(term: number, target: Uint32Array): number;
  /** Bytes held. */
  sizeBytes(): number;
}

const pageCells = 65_536;
/** Cells of a list's first slice; each next one doubles, up to the largest. The last cell of a slice is the address of the next. */
const firstSlice = 4;
const largestSlice = 1_024;

interface TermColumns {
  head: Uint32Array;
  cursor: Uint32Array;
  end: Uint32Array;
  counts: Uint32Array;
}

/** An empty set of lists. */
export function createPostings(): Postings {
  const pages: Uint32Array[] = [];
  const terms: TermColumns = {
    head: new Uint32Array(1_024),
    cursor: new Uint32Array(1_024),
    end: new Uint32Array(1_024),
    counts: new Uint32Array(1_024),
  };
  let free = 0;

  function allocate(cells: number): number {
    const left = pageCells - (free % pageCells);
    if (free === pages.length * pageCells || left < cells) {
      free = pages.length * pageCells;
      pages.push(new Uint32Array(pageCells));
    }
    const start = free;
    free += cells;
    return start;
  }

  function write(address: number, value: number): void {
    const page = pages[Math.floor(address / pageCells)];
    if (page !== undefined) page[address % pageCells] = value;
  }

  function startSlice(term: number, cells: number): number {
    const start = allocate(cells);
    terms.cursor[term] = start;
    terms.end[term] = start + cells - 1;
    return start;
  }

  function append(term: number, value: number): void {
    if (term >= terms.counts.length) growColumns(terms, term);
    const count = terms.counts[term] ?? 0;
    if (count === 0) {
      terms.head[term] = startSlice(term, firstSlice);
    } else if (terms.cursor[term] === terms.end[term]) {
      const link = terms.end[term] ?? 0;
      write(link, startSlice(term, sliceAfter(count)));
    }
    const cursor = terms.cursor[term] ?? 0;
    write(cursor, value);
    terms.cursor[term] = cursor + 1;
    terms.counts[term] = count + 1;
  }

  function read(term: number, target: Uint32Array): number {
    const count = terms.counts[term] ?? 0;
    let address = terms.head[term] ?? 0;
    let slice = firstSlice;
    let done = 0;
    while (done < count) {
      const page = pages[Math.floor(address / pageCells)];
      const offset = address % pageCells;
      const stop = Math.min(done + slice - 1, count);
      for (let cell = offset; done < stop; cell++, done++) target[done] = page?.[cell] ?? 0;
      address = page?.[offset + slice - 1] ?? 0;
      slice = Math.min(slice * 2, largestSlice);
    }
    return count;
  }

  return {
    append,
    count: (term) => terms.counts[term] ?? 0,
    read,
    sizeBytes: () => pages.length * pageCells * 4 + terms.counts.length * 16,
  };
}

/** Cells of the slice that follows when `count` values fill all slices so far. */
function sliceAfter(count: number): number {
  let slice = firstSlice;
  let held = 0;
  while (slice < largestSlice && held + slice - 1 <= count) {
    held += slice - 1;
    slice *= 2;
  }
  return slice;
}

function growColumns(columns: TermColumns, term: number): void {
  let length = columns.counts.length;
  while (length <= term) length *= 2;
  columns.head = grown(columns.head, length);
  columns.cursor = grown(columns.cursor, length);
  columns.end = grown(columns.end, length);
  columns.counts = grown(columns.counts, length);
}

function grown(old: Uint32Array, length: number): Uint32Array {
  const larger = new Uint32Array(length);
  larger.set(old);
  return larger;
}
