import type { SqliteValue } from '../driver/sqlite-driver.ts';
import type { PageFile } from './page-file.ts';
import { decodeRecord, readVarint } from './record-format.ts';

/** Kinds of pages by their first byte. Source: https://www.sqlite.org/fileformat2.html#b_tree_pages */
const kinds: ReadonlyMap<number, Kind> = new Map([
  [2, { isLeaf: false, isTable: false }],
  [5, { isLeaf: false, isTable: true }],
  [10, { isLeaf: true, isTable: false }],
  [13, { isLeaf: true, isTable: true }],
]);

interface Kind {
  readonly isLeaf: boolean;
  readonly isTable: boolean;
}

/** A page of a tree. */
export interface TreePage extends Kind {
  readonly number: number;
  readonly bytes: Buffer;
  /** Where its cells begin. */
  readonly cells: readonly number[];
  readonly children: readonly number[];
}

/** A row of a table, or an entry of an index, in which there is no id. */
export interface TreeRow {
  readonly id: number;
  readonly values: readonly SqliteValue[];
}

/** A cell that cannot be read. */
export interface BrokenCell {
  readonly broken: string;
}

/** Reads a page as one of a tree; `undefined` where it is none. What points outside of the page is left out. */
export function treePage(file: PageFile, number: number): TreePage | undefined {
  const bytes = file.page(number);
  const start = number === 1 ? 100 : 0;
  const kind = kinds.get(bytes?.[start] ?? 0);
  if (bytes === undefined || kind === undefined) return undefined;
  const count = bytes.readUInt16BE(start + 3);
  const pointers = start + (kind.isLeaf ? 8 : 12);
  if (pointers + 2 * count > file.usable) return undefined;
  const cells = Array.from({ length: count }, (_, at) => bytes.readUInt16BE(pointers + 2 * at));
  const inside = cells.filter((at) => at >= pointers && at + 4 <= file.usable);
  const children = kind.isLeaf
    ? []
    : [...inside.map((at) => bytes.readUInt32BE(at)), bytes.readUInt32BE(start + 8)];
  return { ...kind, number, bytes, cells, children };
}

/** How many bytes of a payload stand in the page itself. */
function localBytes({ usable }: PageFile, { isTable }: Kind, size: number): number {
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size <= most) return size;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (usable - 4));
  return fitting <= most ? fitting : least;
}

/**
 * The payload of a cell, with what stands in other pages.
 * @throws `RangeError` where it is cut off.
 */
function payloadAt(file: PageFile, page: TreePage, place: { at: number; size: number }): Buffer {
  const { at, size } = place;
  const local = localBytes(file, page, size);
  // No row is larger than the file.
  if (size > file.count * file.pageSize || at + local > file.usable) {
    throw new RangeError('a row does not fit its page');
  }
  const parts = [page.bytes.subarray(at, at + local)];
  let left = size - local;
  let next = left > 0 ? page.bytes.readUInt32BE(at + local) : 0;
  while (left > 0) {
    const bytes = file.page(next);
    if (bytes === undefined) throw new RangeError('a part of a row is missing');
    const taken = Math.min(left, file.usable - 4);
    parts.push(bytes.subarray(4, 4 + taken));
    left -= taken;
    next = bytes.readUInt32BE(0);
  }
  return parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
}

function rowAt(file: PageFile, page: TreePage, cell: number): TreeRow {
  const size = readVarint(page.bytes, page.isLeaf ? cell : cell + 4);
  const id = page.isTable ? readVarint(page.bytes, size.end) : { value: 0, end: size.end };
  const payload = payloadAt(file, page, { at: id.end, size: size.value });
  return { id: id.value, values: decodeRecord(payload) };
}

/** The rows of a page: all cells of one of an index, those of a leaf of a table. */
export function* rowsOf(file: PageFile, page: TreePage): Generator<TreeRow | BrokenCell> {
  if (page.isTable && !page.isLeaf) return;
  for (const cell of page.cells) {
    try {
      yield rowAt(file, page, cell);
    } catch (error) {
      // Bytes that are none of a row send the reader anywhere: outside of the page, most often.
      if (!(error instanceof RangeError)) throw error;
      yield { broken: error.message };
    }
  }
}

/** The pages of a tree that can be reached from its root, each once. `seen` holds the pages of other trees, too. */
export function* pagesOf(
  file: PageFile,
  root: number,
  seen: Set<number>,
): Generator<TreePage | BrokenCell> {
  const waiting = [root];
  let isTable: boolean | undefined;
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (seen.has(number)) continue;
    const page = treePage(file, number);
    isTable ??= page?.isTable;
    if (page === undefined || page.isTable !== isTable) {
      yield { broken: `page ${String(number)} cannot be read` };
      continue;
    }
    seen.add(number);
    yield page;
    waiting.push(...[...page.children].reverse());
  }
}
