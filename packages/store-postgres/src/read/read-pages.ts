import { positionOf, type RecordScan, type ScanQuery, type StoredRecord } from '@ctx/store/backend';
import type { SqlSession } from '../driver/sql-driver.ts';
import type { CollectionTable, RecordSelection } from '../schema/collection-table.ts';
import { recordOfList } from './read-record.ts';
import { scanStatements } from './scan-sql.ts';

/** A page of columns has so many rows. */
const columnRows = 1000;

/**
 * The first page of whole records, so that one statement gives what a list of an app shows at once; the next ones are as long as keeps
 * them at about {@link pageCharacters}.
 */
const firstRows = 256;
const pageCharacters = 1_000_000;
const mostRows = 500;

/** Lets every record through once, where an index can move one ahead between two statements. */
type OnlyNew = (records: StoredRecord[]) => StoredRecord[];

const nameOf = ({ key }: StoredRecord): string => JSON.stringify(key);

/** Costs nothing for the first records; later ones are reached through them. */
function onlyNew({ index }: ScanQuery): OnlyNew {
  if (index === 'key') return (records) => records;
  const names = new Set<string>();
  let first: readonly StoredRecord[] | undefined;
  return (records) => {
    if (first === undefined) {
      first = records;
      return records;
    }
    for (const record of first) names.add(nameOf(record));
    first = [];
    return records.filter((record) => {
      const before = names.size;
      names.add(nameOf(record));
      return names.size > before;
    });
  };
}

/** What a scan reads, and how. */
interface Reading {
  readonly session: SqlSession;
  readonly table: CollectionTable;
  readonly selection: RecordSelection;
  readonly isNew: OnlyNew;
}

interface Page {
  readonly records: readonly StoredRecord[];
  /** The last one read, given before or not. */
  readonly last: StoredRecord | undefined;
  /** Whether nothing comes after it. */
  readonly isLast: boolean;
}

async function readPage(
  { session, table, selection, isNew }: Reading,
  query: ScanQuery,
  limit: number,
): Promise<Page> {
  const fresh: StoredRecord[] = [];
  let last: StoredRecord | undefined;
  let left = limit;
  for (const { sql, values } of scanStatements(table, query, { selected: selection.sql, limit })) {
    const rows = await session.lists(sql, values, { isRepeated: true });
    const records = rows.slice(0, left).map((row) => recordOfList(table, selection, row));
    left -= records.length;
    last = records.at(-1) ?? last;
    fresh.push(...isNew(records));
    if (left === 0) break;
  }
  return { records: fresh, last, isLast: left > 0 };
}

/** How long the next page is, by the bodies of the last one. */
function rowsBy(records: readonly StoredRecord[], part: ScanQuery['part']): number {
  if (part === 'columns') return columnRows;
  if (records.length === 0) return firstRows;
  const characters = records.reduce((sum, { body }) => sum + body.length, 0);
  const fitting = Math.floor((pageCharacters * records.length) / Math.max(1, characters));
  return Math.max(1, Math.min(mostRows, fitting));
}

/** A query that goes on after a record. */
function queryBehind(
  table: CollectionTable,
  query: ScanQuery,
  last: StoredRecord | undefined,
): ScanQuery {
  if (last === undefined) return query;
  return { ...query, after: positionOf(table.definition, query.index, last) };
}

/** What is read of each record: beside the columns that are asked for, those that say where it stands. */
function selectionOf(
  table: CollectionTable,
  { part = 'whole', columns, index }: ScanQuery,
): RecordSelection {
  if (columns === undefined) return table.selection(part);
  return table.selection(part, [...columns, ...table.index(index).fields]);
}

/**
 * Reads page after page, each from where the last one ended. Between pages nothing is held, neither a connection nor a snapshot:
 * others may write. A record that a write moves forward meanwhile is not given again; its key is remembered for that.
 */
export async function* readPages(
  session: SqlSession,
  table: CollectionTable,
  query: ScanQuery,
): AsyncGenerator<readonly StoredRecord[]> {
  const selection = selectionOf(table, query);
  const reading = { session, table, selection, isNew: onlyNew(query) };
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  let rows = rowsBy([], query.part);
  let behind: StoredRecord | undefined;
  while (left > 0) {
    const page = await readPage(reading, queryBehind(table, query, behind), Math.min(left, rows));
    left -= page.records.length;
    yield page.records;
    if (page.isLast) return;
    behind = page.last;
    rows = rowsBy(page.records, query.part);
  }
}

/** The records of pages, step by step or all at once. `check` is asked after each step, and throws where there may be no other. */
export function pagedScan(
  pages: () => AsyncGenerator<readonly StoredRecord[]>,
  check: () => unknown,
): RecordScan {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const records of pages()) {
        for (const record of records) {
          yield record;
          check();
        }
      }
    },
    async all(map) {
      const found = [];
      for await (const records of pages()) {
        for (const record of records) found.push(map(record));
      }
      return found;
    },
  };
}
