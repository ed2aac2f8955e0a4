import { positionOf, type RecordScan, type ScanQuery, type StoredRecord } from '@ctx/store/backend';
import { type Connection, yieldToLoop } from '../driver/connection.ts';
import type { SqliteRow, SqliteValueList } from '../driver/sqlite-driver.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { type ReadPart, recordOfValues } from './read-record.ts';
import { isList } from './read-values.ts';
import { columnsRead, fixedValues, scanStretches } from './scan-sql.ts';

/** A page ends with so many rows or so many bytes of bodies, whichever comes first. */
const pageRows = 500;
const pageBytes = 1_048_576;

/** So few rows are read at once, whatever their size: who asks for them holds them all. */
const fewRows = 32;

/** Bytes of the body, which is selected last. */
function bodySize(values: SqliteValueList): number {
  const body = values.at(-1);
  return typeof body === 'string' || body instanceof Uint8Array ? body.length : 0;
}

interface Page {
  readonly rows: readonly SqliteValueList[];
  /** Whether nothing comes after it. */
  readonly isLast: boolean;
}

/** All rows at once take half the time that one after the other do, but bodies may be too much to hold. */
function isReadAtOnce({ part }: ScanQuery, limit: number): boolean {
  return part === 'columns' || limit <= fewRows;
}

/** Reads rows until the page is full. No statement stays open after it. Reads the rows of the page, not those before. */
function readRows(connection: Connection, table: CollectionTable, query: ScanQuery): Page {
  const limit = Math.min(pageRows, query.limit ?? pageRows);
  const rows: SqliteValueList[] = [];
  let bytes = 0;
  const isSmall = isReadAtOnce(query, limit);
  for (const { sql, values } of scanStretches(table, query)) {
    const left = limit - rows.length;
    if (left <= 0) break;
    const statement = connection.statement(sql);
    statement.setReturnArrays?.(true);
    const found: Iterable<SqliteRow | SqliteValueList> = isSmall
      ? statement.all(...values, left)
      : statement.iterate(...values, left);
    for (const row of found) {
      const list = isList(row) ? row : Object.values(row);
      rows.push(list);
      if (!isSmall) bytes += bodySize(list);
      if (bytes >= pageBytes) return { rows, isLast: false };
    }
  }
  return { rows, isLast: rows.length < limit };
}

/** What is scanned. */
export interface PagedScan {
  readonly connection: Connection;
  readonly table: CollectionTable;
  readonly query: ScanQuery;
}

/** The pages of a scan, and how their rows become records. */
interface PageReader {
  /** The new rows of the next page, which begins where the last one ended; undefined after the last. */
  next(): Promise<readonly SqliteValueList[] | undefined>;
  recordOf(values: SqliteValueList): StoredRecord;
}

function pageReader({ connection, table, query }: PagedScan): PageReader {
  const read: ReadPart = {
    part: query.part ?? 'whole',
    columnNames: columnsRead(table, query),
    fixed: fixedValues(table, query),
  };
  const given = new Set<unknown>();
  const isNew = ([id]: SqliteValueList): boolean => {
    const before = given.size;
    return given.add(id).size > before;
  };
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  let { after } = query;
  let isLast = false;
  let isFirst = true;
  const next = async (): Promise<readonly SqliteValueList[] | undefined> => {
    if (isLast || left <= 0) return undefined;
    if (!isFirst) await yieldToLoop();
    isFirst = false;
    const limit = Math.min(left, pageRows);
    const wanted: ScanQuery = { ...query, limit, ...(after === undefined ? {} : { after }) };
    const page = await connection.read(() => readRows(connection, table, wanted));
    const last = page.rows.at(-1);
    isLast = page.isLast || last === undefined;
    const rows = page.rows.filter(isNew);
    left -= rows.length;
    if (last !== undefined && !isLast && left > 0)
      after = positionOf(
        table.definition,
        query.index,
        recordOfValues(table, last, { ...read, part: 'columns' }),
      );
    return rows;
  };
  return { next, recordOf: (values) => recordOfValues(table, values, read) };
}

/** Reads all pages. Contract and cost as {@link readPages}, but for one turn of the job queue a page; holds the records of one page. */
async function readAllPages<T>(
  begin: () => PagedScan,
  map: (record: StoredRecord) => T,
): Promise<T[]> {
  const reader = pageReader(begin());
  const found: T[] = [];
  for (;;) {
    const rows = await reader.next();
    if (rows === undefined) return found;
    for (const values of rows) found.push(map(reader.recordOf(values)));
    begin();
  }
}

const ended = { done: true, value: undefined } as const;

/**
 * Reads page after page. Between pages nothing is held: others may write. A record that a write moves forward meanwhile is not given
 * again; its row is remembered for that. `begin` is asked at the first step, and before each page that follows.
 * Costs one turn of the job queue for each record of a page.
 */
function readPages(begin: () => PagedScan): AsyncIterator<StoredRecord> {
  let rows: readonly SqliteValueList[] = [];
  let at = 0;
  let reader: PageReader | undefined;
  let loading: Promise<void> | undefined;
  let isEnded = false;
  const load = async (): Promise<void> => {
    const begun = begin();
    reader ??= pageReader(begun);
    const found = await reader.next();
    at = 0;
    rows = found ?? [];
    isEnded ||= found === undefined;
  };
  const take = (): StoredRecord | undefined => {
    const values = rows[at];
    if (reader === undefined || values === undefined) return undefined;
    at += 1;
    return reader.recordOf(values);
  };
  const step = async (): Promise<IteratorResult<StoredRecord>> => {
    try {
      for (;;) {
        const record = isEnded || loading !== undefined ? undefined : take();
        if (record !== undefined) return { done: false, value: record };
        if (isEnded) return ended;
        loading ??= load().finally(() => {
          loading = undefined;
        });
        await loading;
      }
    } catch (error) {
      isEnded = true;
      throw error;
    }
  };
  return {
    next: step,
    return: () => {
      isEnded = true;
      return Promise.resolve(ended);
    },
  };
}

/** The records of a scan, step by step or all at once. `begin` as for both. */
export function pagedScan(begin: () => PagedScan): RecordScan {
  return {
    [Symbol.asyncIterator]: () => readPages(begin),
    all: (map) => readAllPages(begin, map),
  };
}
