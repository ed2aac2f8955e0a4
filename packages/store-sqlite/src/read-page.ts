import type { ScanPosition, ScanQuery, StoredRecord } from '@ctx/core';
import type { CollectionTable } from './collection-table.ts';
import { type Connection, yieldToLoop } from './connection.ts';
import type { SqliteRow } from './sqlite-driver.ts';
import { recordBody, recordId } from './names.ts';
import { columnsOfRow, keyOfRow, recordOfRow } from './read-record.ts';
import { scanStretches } from './scan-sql.ts';

/** A page ends with so many rows or so many bytes of bodies, whichever comes first. */
const pageRows = 500;
const pageBytes = 1_048_576;

function bodySize(row: SqliteRow): number {
  const body = row[recordBody];
  return typeof body === 'string' || body instanceof Uint8Array ? body.length : 0;
}

interface Page {
  readonly rows: readonly SqliteRow[];
  /** Whether nothing comes behind it. */
  readonly isLast: boolean;
}

/** Reads rows until the page is full. No statement stays open behind it. Cost: the rows read, not those before. */
function readRows(connection: Connection, table: CollectionTable, query: ScanQuery): Page {
  const limit = Math.min(pageRows, query.limit ?? pageRows);
  const rows: SqliteRow[] = [];
  let bytes = 0;
  for (const { sql, values } of scanStretches(table, query)) {
    const left = limit - rows.length;
    if (left <= 0) break;
    for (const row of connection.statement(sql).iterate(...values, left)) {
      rows.push(row);
      bytes += bodySize(row);
      if (bytes >= pageBytes) return { rows, isLast: false };
    }
  }
  return { rows, isLast: rows.length < limit };
}

function positionOfRow(table: CollectionTable, query: ScanQuery, row: SqliteRow): ScanPosition {
  const key = keyOfRow(table, row);
  const columns = columnsOfRow(table, row);
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
    for (const row of rows) {
      if (given.has(row[recordId])) continue;
      given.add(row[recordId]);
      left--;
      yield recordOfRow(table, row, query.part ?? 'whole');
    }
    const last = rows.at(-1);
    if (last === undefined || isLast) return;
    after = positionOfRow(table, query, last);
    await yieldToLoop();
  }
}
