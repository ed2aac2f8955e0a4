import type { ScanPosition, ScanQuery, StoredRecord } from '@ctx/core';
import type { CollectionTable } from './collection-table.ts';
import { type Connection, yieldToLoop } from './connection.ts';
import type { SqliteRow, SqliteValueList } from './sqlite-driver.ts';
import { recordOfValues } from './read-record.ts';
import { scanStretches } from './scan-sql.ts';

/** A page ends with so many rows or so many bytes of bodies, whichever comes first. */
const pageRows = 500;
const pageBytes = 1_048_576;

/** Bytes of the body, which is selected last. */
function bodySize(values: SqliteValueList): number {
  const body = values.at(-1);
  return typeof body === 'string' || body instanceof Uint8Array ? body.length : 0;
}

function isList(row: SqliteRow | SqliteValueList): row is SqliteValueList {
  return Array.isArray(row);
}

interface Page {
  readonly rows: readonly SqliteValueList[];
  /** Whether nothing comes behind it. */
  readonly isLast: boolean;
}

/** Reads rows until the page is full. No statement stays open behind it. Cost: the rows read, not those before. */
function readRows(connection: Connection, table: CollectionTable, query: ScanQuery): Page {
  const limit = Math.min(pageRows, query.limit ?? pageRows);
  const rows: SqliteValueList[] = [];
  let bytes = 0;
  for (const { sql, values } of scanStretches(table, query)) {
    const left = limit - rows.length;
    if (left <= 0) break;
    const statement = connection.statement(sql);
    statement.setReturnArrays?.(true);
    for (const row of statement.iterate(...values, left)) {
      const list = isList(row) ? row : Object.values(row);
      rows.push(list);
      if (query.part !== 'columns') bytes += bodySize(list);
      if (bytes >= pageBytes) return { rows, isLast: false };
    }
  }
  return { rows, isLast: rows.length < limit };
}

function positionOf(
  table: CollectionTable,
  query: ScanQuery,
  { key, columns }: Pick<StoredRecord, 'key' | 'columns'>,
): ScanPosition {
  const { key: keyNames } = table.definition;
  const values = table.index(query.index).positionFields.map((field) => {
    const part = keyNames.indexOf(field);
    return (part >= 0 ? key[part] : columns[field]) ?? null;
  });
  return { values, key };
}

/**
 * Reads page after page, each from where the last one ended. Between pages nothing is held: others may write.
 * A record that a write moves forward meanwhile is not given again; its row is remembered for that.
 */
export async function* readPages(
  connection: Connection,
  table: CollectionTable,
  query: ScanQuery,
): AsyncGenerator<StoredRecord> {
  const given = new Set<unknown>();
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  let after = query.after;
  while (left > 0) {
    const limit = Math.min(left, pageRows);
    const page: ScanQuery = { ...query, limit, ...(after === undefined ? {} : { after }) };
    const { rows, isLast } = await connection.run(() => readRows(connection, table, page));
    for (const values of rows) {
      if (given.has(values[0])) continue;
      given.add(values[0]);
      left--;
      yield recordOfValues(table, values, query.part ?? 'whole');
    }
    const last = rows.at(-1);
    if (last === undefined || isLast || left <= 0) return;
    after = positionOf(table, query, recordOfValues(table, last, 'columns'));
    await yieldToLoop();
  }
}
