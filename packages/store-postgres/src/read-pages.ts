import { positionOf, type ScanQuery, type StoredRecord } from '@ctx/core';
import type { CollectionTable } from './collection-table.ts';
import { recordOfRow } from './read-record.ts';
import { scanStatements } from './scan-sql.ts';
import type { SqlSession } from './sql-driver.ts';

/** A page of columns has so many rows. */
const columnRows = 1000;

/**
 * The first page of whole records, so that one statement gives what a list of an app shows at once; the next ones are as long as keeps
 * them at about {@link pageCharacters}.
 */
const firstRows = 256;
const pageCharacters = 1_000_000;
const mostRows = 500;

interface Page {
  readonly records: readonly StoredRecord[];
  /** Whether nothing comes behind it. */
  readonly isLast: boolean;
}

async function readPage(
  session: SqlSession,
  table: CollectionTable,
  { query, limit }: { readonly query: ScanQuery; readonly limit: number },
): Promise<Page> {
  const records: StoredRecord[] = [];
  for (const { sql, values } of scanStatements(table, query, limit)) {
    const rows = await session.query(sql, values);
    for (const row of rows) records.push(recordOfRow(table, row, query.part ?? 'whole'));
    if (records.length >= limit) break;
  }
  return { records: records.slice(0, limit), isLast: records.length < limit };
}

/** How long the next page is, by the bodies of the last one. */
function rowsBy(records: readonly StoredRecord[], part: ScanQuery['part']): number {
  if (part === 'columns') return columnRows;
  if (records.length === 0) return firstRows;
  const characters = records.reduce((sum, { body }) => sum + body.length, 0);
  const fitting = Math.floor((pageCharacters * records.length) / Math.max(1, characters));
  return Math.max(1, Math.min(mostRows, fitting));
}

/** Which records were given already, where an index can move one ahead. */
interface Given {
  readonly isNew: (record: StoredRecord) => boolean;
}

function rememberGiven({ index }: ScanQuery): Given {
  if (index === 'key') return { isNew: () => true };
  const names = new Set<string>();
  return {
    isNew: ({ key }) => {
      const before = names.size;
      names.add(JSON.stringify(key));
      return names.size > before;
    },
  };
}

/** A query that goes on behind a record. */
function queryBehind(
  table: CollectionTable,
  query: ScanQuery,
  last: StoredRecord | undefined,
): ScanQuery {
  if (last === undefined) return query;
  return { ...query, after: positionOf(table.definition, query.index, last) };
}

/**
 * Reads page after page, each from where the last one ended. Between pages nothing is held, neither a connection nor a snapshot:
 * others may write. A record that a write moves forward meanwhile is not given again; its key is remembered for that.
 */
export async function* readPages(
  session: SqlSession,
  table: CollectionTable,
  query: ScanQuery,
): AsyncGenerator<StoredRecord> {
  const given = rememberGiven(query);
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  let rows = rowsBy([], query.part);
  let last: StoredRecord | undefined;
  while (left > 0) {
    const page = { query: queryBehind(table, query, last), limit: Math.min(left, rows) };
    const { records, isLast } = await readPage(session, table, page);
    const fresh = records.filter(given.isNew);
    left -= fresh.length;
    yield* fresh;
    if (isLast) return;
    last = records.at(-1);
    rows = rowsBy(records, query.part);
  }
}
