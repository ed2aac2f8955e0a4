/** Number of words in each field. */
export interface FieldLengths {
  readonly body: number;
  readonly args: number;
  readonly title: number;
}

/** What is known of a document besides its words. */
export interface DocumentRow extends FieldLengths {
  readonly id: string;
  readonly isFileRead: boolean;
  /** `accessNone`, `accessRead` or `accessEdit`. */
  readonly access: number;
  /** Number of its file, -1 where it has none. */
  readonly file: number;
  /** NaN where there is none. */
  readonly sequence: number;
  /** NaN where there is none. */
  readonly turn: number;
}

/** Columns over all documents by ordinal. Removed ones stay until the index is rebuilt. */
export interface DocumentColumns {
  ids: string[];
  isAlive: Uint8Array;
  isFileRead: Uint8Array;
  /** 0 none, 1 read, 2 edit. */
  access: Uint8Array;
  body: Uint32Array;
  args: Uint32Array;
  title: Uint32Array;
  file: Int32Array;
  /** NaN where there is none. */
  sequence: Float64Array;
  turn: Float64Array;
}

export interface Newest {
  readonly sequence: number;
  readonly turn: number;
}

export interface DocumentTable {
  readonly columns: DocumentColumns;
  add(row: DocumentRow): number;
  /** Whether there was such a document. */
  remove(id: string): boolean;
  has(id: string): boolean;
  /** Documents alive. */
  size(): number;
  /** Ordinals given out. */
  length(): number;
  /** Words over all documents alive. */
  totals(): FieldLengths;
  /** The highest sequence and turn alive, -1 where there is none. */
  newest(): Newest;
  /** Whether every document ever added has a sequence no lower than the one before, and a turn as well, or none has a turn. */
  isRising(): boolean;
  /** The oldest document by ordinal. */
  first(): string | undefined;
  sizeBytes(): number;
}

export const accessNone = 0;
export const accessRead = 1;
export const accessEdit = 2;

/** An empty table. */
export function createDocumentTable(): DocumentTable {
  const columns = emptyColumns(64);
  const ordinals = new Map<string, number>();
  const totals = { body: 0, args: 0, title: 0 };
  /** Absent after a removal, until the next call asks. */
  let newest: Newest | undefined = none;
  let isRising = true;

  function count(row: FieldLengths, sign: 1 | -1): void {
    totals.body += sign * row.body;
    totals.args += sign * row.args;
    totals.title += sign * row.title;
  }

  function add(row: DocumentRow): number {
    const ordinal = columns.ids.length;
    if (ordinal >= columns.isAlive.length) growColumns(columns);
    writeRow(columns, ordinal, row);
    ordinals.set(row.id, ordinal);
    isRising &&= ordinal === 0 ? !Number.isNaN(row.sequence) : follows(columns, ordinal);
    count(row, 1);
    if (newest !== undefined) newest = later(newest, row);
    return ordinal;
  }

  function remove(id: string): boolean {
    const ordinal = ordinals.get(id);
    if (ordinal === undefined) return false;
    ordinals.delete(id);
    columns.isAlive[ordinal] = 0;
    newest = undefined;
    count(rowAt(columns, ordinal), -1);
    return true;
  }

  return {
    columns,
    add,
    remove,
    has: (id) => ordinals.has(id),
    size: () => ordinals.size,
    length: () => columns.ids.length,
    totals: () => ({ ...totals }),
    newest: () => (newest ??= newestOf(columns)),
    isRising: () => isRising,
    first: () => ordinals.keys().next().value,
    sizeBytes: () => columns.isAlive.length * 35,
  };
}

const none: Newest = { sequence: -1, turn: -1 };

/** A missing one is NaN, which is never greater. */
function later(newest: Newest, row: Newest): Newest {
  return {
    sequence: row.sequence > newest.sequence ? row.sequence : newest.sequence,
    turn: row.turn > newest.turn ? row.turn : newest.turn,
  };
}

/** Whether a document is no older than the one before it, by sequence and by turn. */
function follows({ sequence, turn }: DocumentColumns, ordinal: number): boolean {
  const turnNow = turn[ordinal] ?? Number.NaN;
  const turnBefore = turn[ordinal - 1] ?? Number.NaN;
  const isTurnRising = Number.isNaN(turnBefore) ? Number.isNaN(turnNow) : turnNow >= turnBefore;
  return isTurnRising && (sequence[ordinal] ?? Number.NaN) >= (sequence[ordinal - 1] ?? Number.NaN);
}

function newestOf(columns: DocumentColumns): Newest {
  let newest = none;
  for (let ordinal = 0; ordinal < columns.ids.length; ordinal++) {
    if (columns.isAlive[ordinal] === 1) newest = later(newest, rowAt(columns, ordinal));
  }
  return newest;
}

function writeRow(columns: DocumentColumns, ordinal: number, row: DocumentRow): void {
  columns.ids.push(row.id);
  columns.isAlive[ordinal] = 1;
  columns.isFileRead[ordinal] = row.isFileRead ? 1 : 0;
  columns.access[ordinal] = row.access;
  columns.body[ordinal] = row.body;
  columns.args[ordinal] = row.args;
  columns.title[ordinal] = row.title;
  columns.file[ordinal] = row.file;
  columns.sequence[ordinal] = row.sequence;
  columns.turn[ordinal] = row.turn;
}

/** The row of one document, removed or not. */
export function rowAt(columns: DocumentColumns, ordinal: number): DocumentRow {
  return {
    id: columns.ids[ordinal] ?? '',
    isFileRead: columns.isFileRead[ordinal] === 1,
    access: columns.access[ordinal] ?? accessNone,
    body: columns.body[ordinal] ?? 0,
    args: columns.args[ordinal] ?? 0,
    title: columns.title[ordinal] ?? 0,
    file: columns.file[ordinal] ?? -1,
    sequence: columns.sequence[ordinal] ?? Number.NaN,
    turn: columns.turn[ordinal] ?? Number.NaN,
  };
}

function emptyColumns(length: number): DocumentColumns {
  return {
    ids: [],
    isAlive: new Uint8Array(length),
    isFileRead: new Uint8Array(length),
    access: new Uint8Array(length),
    body: new Uint32Array(length),
    args: new Uint32Array(length),
    title: new Uint32Array(length),
    file: new Int32Array(length),
    sequence: new Float64Array(length),
    turn: new Float64Array(length),
  };
}

function growColumns(columns: DocumentColumns): void {
  const larger = emptyColumns(columns.isAlive.length * 2);
  larger.isAlive.set(columns.isAlive);
  larger.isFileRead.set(columns.isFileRead);
  larger.access.set(columns.access);
  larger.body.set(columns.body);
  larger.args.set(columns.args);
  larger.title.set(columns.title);
  larger.file.set(columns.file);
  larger.sequence.set(columns.sequence);
  larger.turn.set(columns.turn);
  Object.assign(columns, larger, { ids: columns.ids });
}
