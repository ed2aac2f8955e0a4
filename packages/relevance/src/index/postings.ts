/**
 * For each term a growing list of 32-bit numbers, in the order they were added.
 * All lists share pages of one size, so that a million small lists cost no million arrays.
 */
export interface Postings {
  append(term: number, value: number): void;
  count(term: number): number;
  /** Copies the list of a term to the start of `target` and gives its length. `target` must have room for `count(term)`. */
  read(term: number, target: Uint32Array): number;
  /** The list of a term where it lies, without a copy. Good until the next `append`. */
  runs(term: number): readonly PostingRun[];
  /** Bytes held. */
  sizeBytes(): number;
}

/** Part of a list: the values of `cells` from `from` up to, not including, `to`. Never empty. */
export interface PostingRun {
  readonly cells: Uint32Array;
  readonly from: number;
  readonly to: number;
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

/** Numbers by address, in pages of one size. */
interface Cells {
  /** The first of so many new cells next to each other. */
  allocate(cells: number): number;
  write(address: number, value: number): void;
  /** The page of an address; the cell is `address % pageCells`. */
  page(address: number): Uint32Array;
  sizeBytes(): number;
}

function createCells(): Cells {
  const pages: Uint32Array[] = [];
  let free = 0;

  function allocate(cells: number): number {
    const left = pages.length * pageCells - free;
    if (left < cells) {
      free = pages.length * pageCells;
      pages.push(new Uint32Array(pageCells));
    }
    const start = free;
    free += cells;
    return start;
  }

  function page(address: number): Uint32Array {
    return pages[Math.floor(address / pageCells)] ?? noCells;
  }

  return {
    allocate,
    write: (address, value) => {
      page(address)[address % pageCells] = value;
    },
    page,
    sizeBytes: () => pages.length * pageCells * 4,
  };
}

const noCells = new Uint32Array(0);

/** An empty set of lists. */
export function createPostings(): Postings {
  const cells = createCells();
  const terms = emptyColumns();

  function startSlice(term: number, size: number): number {
    const start = cells.allocate(size);
    terms.cursor[term] = start;
    terms.end[term] = start + size - 1;
    return start;
  }

  function append(term: number, value: number): void {
    if (term >= terms.counts.length) growColumns(terms, term);
    const count = terms.counts[term] ?? 0;
    if (count === 0) {
      terms.head[term] = startSlice(term, firstSlice);
    } else if (terms.cursor[term] === terms.end[term]) {
      const link = terms.end[term] ?? 0;
      cells.write(link, startSlice(term, sliceAfter(count)));
    }
    const cursor = terms.cursor[term] ?? 0;
    cells.write(cursor, value);
    terms.cursor[term] = cursor + 1;
    terms.counts[term] = count + 1;
  }

  function read(term: number, target: Uint32Array): number {
    let done = 0;
    for (const run of runsOf(cells, terms, term)) {
      target.set(run.cells.subarray(run.from, run.to), done);
      done += run.to - run.from;
    }
    return done;
  }

  return {
    append,
    count: (term) => terms.counts[term] ?? 0,
    read,
    runs: (term) => runsOf(cells, terms, term),
    sizeBytes: () => cells.sizeBytes() + terms.counts.length * 16,
  };
}

function runsOf(cells: Cells, terms: TermColumns, term: number): PostingRun[] {
  const found: PostingRun[] = [];
  let left = terms.counts[term] ?? 0;
  let address = terms.head[term] ?? 0;
  let slice = firstSlice;
  while (left > 0) {
    const page = cells.page(address);
    const from = address % pageCells;
    const held = Math.min(slice - 1, left);
    found.push({ cells: page, from, to: from + held });
    address = page[from + slice - 1] ?? 0;
    left -= held;
    slice = Math.min(slice * 2, largestSlice);
  }
  return found;
}

function emptyColumns(): TermColumns {
  const length = 1_024;
  return {
    head: new Uint32Array(length),
    cursor: new Uint32Array(length),
    end: new Uint32Array(length),
    counts: new Uint32Array(length),
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
