import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { CtxError, isCtxError } from '@ctx/core';
import type { ColumnValue } from '@ctx/store/backend';
import { columnValue } from '@ctx/store/sql';
import { type Connection, createConnection } from '../driver/connection.ts';
import { loadDriver } from '../driver/driver.ts';
import type { SqliteRow } from '../driver/sqlite-driver.ts';
import { storeError } from '../driver/store-errors.ts';
import { checkNotLost } from '../driver/store-mark.ts';
import { keyOfRow } from '../read/read-record.ts';
import { isList } from '../read/read-values.ts';
import { decodeSealed, isJson } from '../read/record-body.ts';
import { type CollectionTable, collectionTable } from '../schema/collection-table.ts';
import { recordBody, recordVersion } from '../schema/names.ts';
import { storedDefinitions } from '../schema/open-tables.ts';
import { tallyDifferencesSql, tallyTableOf } from '../schema/tally-table.ts';

/** What a check of a store's file found. */
export interface SqliteFileCheck {
  /** What is wrong with pages, indexes and kept counts, in SQLite's words or ours. */
  readonly damage: readonly string[];
  /** Records that do not fit their checksums, by collection and key. */
  readonly records: readonly string[];
  /** Records of older versions of ctx, which have no checksum: their bodies cannot be told from damaged ones. */
  readonly unsealed: number;
}

/** Most lines that SQLite says. */
const mostLines = 20;
/** Most damaged records that are named. */
const mostNamed = 1000;

/** Reads the newest state also while others write; without a log beside it no file is needed or made. */
function addressOf(path: string): string {
  const address = pathToFileURL(path);
  address.searchParams.set('mode', 'ro');
  const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (logBytes === 0) address.searchParams.set('immutable', '1');
  return address.href;
}

/** Lines that SQLite says about a damaged file; its answer to a good one is `ok`. */
export function pageDamage(connection: Connection): string[] {
  const rows = connection.statement(`PRAGMA integrity_check(${mostLines})`).all();
  return rows.map((row) => String(row['integrity_check'])).filter((line) => line !== 'ok');
}

/** Kept counts that are not those of the records. */
export function tallyDamage(
  connection: Connection,
  tables: Iterable<Pick<CollectionTable, 'definition'>>,
): string[] {
  const wrong: string[] = [];
  for (const { definition } of tables) {
    for (const index of definition.indexes) {
      const tally = tallyTableOf(definition, index);
      if (tally === undefined) continue;
      const [found] = connection.statement(tallyDifferencesSql(definition.name, tally)).all();
      if (found !== undefined) wrong.push(`the kept counts of ${definition.name} are wrong`);
    }
  }
  return wrong;
}

/** The collections of a file as it holds them. */
export function tablesOf(connection: Connection): CollectionTable[] {
  return [...storedDefinitions(connection).values()].map((one) => collectionTable(one));
}

/**
 * Whether a row has a checksum, which fits.
 * @throws `CTX_STORE_CORRUPT`.
 */
function isSealed(table: CollectionTable, row: SqliteRow): boolean {
  const { name } = table.definition;
  const columns: Record<string, ColumnValue> = {};
  for (const column of table.columnNames) columns[column] = columnValue(row[column], name);
  const version = Number(row[recordVersion]);
  const place = { collection: name, key: keyOfRow(table, row), version, columns };
  const { body, isSealed: fits } = decodeSealed(place, row[recordBody]);
  if (fits || isJson(body)) return fits;
  const text = `the record ${name} ${JSON.stringify(place.key)} has a body that is no JSON`;
  throw new CtxError('CTX_STORE_CORRUPT', text);
}

function* rowsOf(
  connection: Connection,
  { selected, table }: CollectionTable,
): Generator<SqliteRow> {
  for (const row of connection.statement(`SELECT ${selected.whole} FROM ${table}`).iterate()) {
    if (!isList(row)) yield row; // Lists come only where they were asked for.
  }
}

function checkTable(connection: Connection, table: CollectionTable, found: RowsFound): void {
  for (const row of rowsOf(connection, table)) {
    try {
      if (!isSealed(table, row)) found.unsealed += 1;
    } catch (error) {
      if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
      if (found.records.length < mostNamed) found.records.push(error.message);
    }
  }
}

interface RowsFound {
  readonly records: string[];
  unsealed: number;
}

function checkAll(connection: Connection): SqliteFileCheck {
  const pages = pageDamage(connection);
  // What broken pages give may be anything.
  if (pages.length > 0) return { damage: pages, records: [], unsealed: 0 };
  const tables = tablesOf(connection);
  const damage = tallyDamage(connection, tables);
  const found: RowsFound = { records: [], unsealed: 0 };
  for (const table of tables) checkTable(connection, table, found);
  return { damage, ...found };
}

/**
 * Checks every page, index, kept count and record of a store's file, and changes nothing.
 * The file must not be open in this process. Reads all of it.
 * @throws `CTX_STORE_CORRUPT` where the file was emptied, or is missing beside its log.
 */
export async function checkSqliteFile(path: string): Promise<SqliteFileCheck> {
  checkNotLost(path);
  const driver = await loadDriver();
  let connection: Connection | undefined;
  try {
    connection = createConnection(driver(addressOf(path)), { path, busyTimeoutMs: 5000 });
    const open = connection;
    return await connection.read(() => checkAll(open));
  } catch (error) {
    const known = storeError(error, path);
    if (known.code !== 'CTX_STORE_CORRUPT') throw known;
    const { cause } = known;
    const damage = [cause instanceof Error ? cause.message : known.message];
    return { damage, records: [], unsealed: 0 };
  } finally {
    await connection?.close().catch(() => undefined);
  }
}
