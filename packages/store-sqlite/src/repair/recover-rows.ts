import type { RecordKey } from '@ctx/store/backend';
import type { SqliteValue } from '../driver/sqlite-driver.ts';
import { decodeSealed, isJson } from '../read/record-body.ts';
import { recordBody, recordVersion, recordWords } from '../schema/names.ts';
import { pagesOf, rowsOf, type TreeRow, treePage } from './btree.ts';
import type { PageFile } from './page-file.ts';
import { type LostTable, schemaOf, treeRows } from './read-schema.ts';

/** A row that came back. */
export interface FoundRow {
  readonly table: LostTable;
  readonly key: RecordKey;
  readonly version: number;
  readonly hasWords: boolean;
  /** By name: the columns. */
  readonly columns: Readonly<Record<string, SqliteValue>>;
  /** As it was stored, with its checksum. */
  readonly body: SqliteValue;
  /** Whether a checksum says that it is as it was written. */
  readonly isSealed: boolean;
}

function isColumn(value: SqliteValue): value is string | number | null {
  return value === null || typeof value === 'string' || typeof value === 'number';
}

/** The columns of a row; `undefined` where one holds what no column holds. */
function foundColumns(
  names: readonly string[],
  byName: ReadonlyMap<string, SqliteValue>,
): Record<string, string | number | null> | undefined {
  const columns: Record<string, string | number | null> = {};
  for (const name of names) {
    const value = byName.get(name) ?? null;
    if (!isColumn(value)) return undefined;
    columns[name] = value;
  }
  return columns;
}

/** The row of a table; `undefined` where the values are none, or damaged. */
function foundRow(table: LostTable, values: TreeRow['values']): FoundRow | undefined {
  const { definition, fields } = table;
  const byName = new Map(values.map((value, at) => [fields[at] ?? '', value]));
  const columns = foundColumns(Object.keys(definition.columns), byName);
  if (columns === undefined) return undefined;
  const key = definition.key.map((part) => byName.get(part));
  const [version, words] = [byName.get(recordVersion), byName.get(recordWords)];
  const body = byName.get(recordBody) ?? null;
  if (!key.every((part) => typeof part === 'string')) return undefined;
  if (typeof version !== 'number' || typeof words !== 'number') return undefined;
  const place = { collection: definition.name, key, version, columns };
  try {
    const { isSealed, body: text } = decodeSealed(place, body);
    if (!isSealed && !isJson(text)) return undefined;
    return { table, key, version, hasWords: words !== 0, columns, body, isSealed };
  } catch {
    return undefined;
  }
}

/** Pages that hold nothing any more, as far as the list of them can be read. Source: https://www.sqlite.org/fileformat2.html#the_freelist */
function freePages(file: PageFile): Set<number> {
  const free = new Set<number>();
  let next = file.page(1)?.readUInt32BE(32) ?? 0;
  for (let page = file.page(next); page !== undefined && !free.has(next); page = file.page(next)) {
    free.add(next);
    const count = Math.min(page.readUInt32BE(4), file.usable / 4 - 2);
    for (let at = 0; at < count; at += 1) free.add(page.readUInt32BE(8 + 4 * at));
    next = page.readUInt32BE(0);
  }
  return free;
}

/** Pages of all trees, so that what is left is of a tree whose way was cut off. */
function reachedPages(file: PageFile): Set<number> {
  const reached = new Set<number>([1]);
  for (const { root } of schemaOf(file)) {
    if (root === 0) continue;
    for (const _ of pagesOf(file, root, reached));
  }
  return reached;
}

/** The one table that a row without a way to it is of: its checksum says so, or no other takes it. */
function tableOfRow(tables: readonly LostTable[], row: TreeRow): FoundRow | undefined {
  const found = tables
    .filter(({ fields }) => fields.length >= row.values.length)
    .map((table) => foundRow(table, row.values))
    .filter((one) => one !== undefined);
  return found.find(({ isSealed }) => isSealed) ?? (found.length === 1 ? found[0] : undefined);
}

/** Rows of pages to which no page leads. */
function* strayRows(file: PageFile, tables: readonly LostTable[]): Generator<FoundRow> {
  const known = reachedPages(file);
  const free = freePages(file);
  for (let number = 2; number <= file.count; number += 1) {
    if (known.has(number) || free.has(number)) continue;
    const page = treePage(file, number);
    if (page === undefined) continue;
    for (const row of rowsOf(file, page)) {
      const found = 'values' in row ? tableOfRow(tables, row) : undefined;
      if (found !== undefined) yield found;
    }
  }
}

/**
 * The rows of a damaged file that can be read and fit their checksums: first those that the trees lead to, then those of pages that
 * lost their way. A record may come twice. Reads the file twice.
 */
export function* recoverRows(
  file: PageFile,
  tables: readonly LostTable[],
): Generator<FoundRow, void, undefined> {
  for (const table of tables) {
    if (table.root === 0) continue;
    for (const { values } of treeRows(file, table.root)) {
      const found = foundRow(table, values);
      if (found !== undefined) yield found;
    }
  }
  yield* strayRows(file, tables);
}

/** The keys of a table that its index still names. */
export function* namedKeys(
  file: PageFile,
  { definition, keyRoot }: LostTable,
): Generator<string[]> {
  if (keyRoot === 0) return;
  for (const { values } of treeRows(file, keyRoot)) {
    const key = values.slice(0, definition.key.length);
    if (key.every((part) => typeof part === 'string')) yield key;
  }
}
