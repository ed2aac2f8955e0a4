import type { ColumnValue, RecordKey } from '@ctx/store/backend';
import { quoteName } from '@ctx/store/sql';
import { allSent } from '../driver/all-sent.ts';
import { divisionByZero, stateOf } from '../driver/postgres-errors.ts';
import type { SqlSession } from '../driver/sql-driver.ts';
import type { TenantKeys } from '../read/by-tenant.ts';
import { isWanted, keysTable, keyValues } from '../read/get-records.ts';
import { keyOfRow } from '../read/read-record.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { recordVersion } from '../schema/names.ts';
import {
  columnLists,
  contentLists,
  givenTable,
  givenValues,
  keyColumnLists,
  type RowList,
  storedOf,
  versionList,
  type WholeRow,
} from './record-rows.ts';

/** A record came or went between two statements: the write has to be planned anew. */
export class RecordsMoved extends Error {
  override readonly name = 'RecordsMoved';
}

/** Where rows are written: one table, one tenant, within a transaction. */
export interface RowsPlace {
  readonly session: SqlSession;
  readonly table: CollectionTable;
  readonly tenant: string;
}

/** Columns to be set of a record that is locked. */
export interface RowPatch {
  readonly key: RecordKey;
  readonly version: number;
  readonly columns: Readonly<Record<string, ColumnValue>>;
}

/** So many records go into one statement, and so many characters of bodies. */
const batchRows = 1000;
const batchCharacters = 8_000_000;

/** Splits a list so that no statement gets too large. */
function* batches<Row>(rows: readonly Row[], sizeOf: (row: Row) => number): Generator<Row[]> {
  let batch: Row[] = [];
  let size = 0;
  for (const row of rows) {
    batch.push(row);
    size += sizeOf(row);
    if (batch.length < batchRows && size < batchCharacters) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Sends all batches before the first is answered. */
export async function sendBatches<Row>(
  rows: readonly Row[],
  sizeOf: (row: Row) => number,
  send: (batch: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  await allSent([...batches(rows, sizeOf)].map(send));
}

const bodySize = ({ put }: WholeRow): number => put.body.length;
export const noSize = (): number => 0;

/** Splits rows so that no statement gets too large. */
export function batchesOf(rows: readonly WholeRow[]): Generator<WholeRow[]> {
  return batches(rows, bodySize);
}

/** Fails where not all are made, and not by the key that is taken: such an error would write the ids into the server's log. */
function insertSql(table: CollectionTable, lists: readonly RowList[]): string {
  const columns = [table.keyColumns[0]?.name ?? ''].map(quoteName);
  columns.push(...lists.map(({ column }) => column));
  const stored = ['$1::text', ...lists.map((_, at) => storedOf(lists, at))];
  const insert = `INSERT INTO ${table.table} (${columns.join(', ')}) SELECT ${stored.join(', ')} FROM ${givenTable(lists)}`;
  const count = `cardinality($2::${lists[0]?.type ?? 'text'}[])`;
  return `WITH made AS (${insert} ON CONFLICT DO NOTHING RETURNING 1) SELECT 1 / (count(*) = ${count})::integer FROM made`;
}

/** @throws {@link RecordsMoved} where a statement found other records than it was told of; then the transaction is undone. */
export async function unmoved(sent: Promise<unknown>): Promise<void> {
  try {
    await sent;
  } catch (error) {
    throw stateOf(error) === divisionByZero ? new RecordsMoved() : error;
  }
}

/** @throws {@link RecordsMoved} where a key is not free. */
async function insertLists(
  { session, table, tenant }: RowsPlace,
  lists: readonly RowList[],
): Promise<void> {
  const values = givenValues(tenant, lists);
  await unmoved(session.lists(insertSql(table, lists), values, { isRepeated: true }));
}

/**
 * Puts records whose keys are free.
 * @throws {@link RecordsMoved} where one is not.
 */
export async function insertRows(place: RowsPlace, rows: readonly WholeRow[]): Promise<void> {
  const { table } = place;
  await sendBatches(rows, bodySize, (batch) => {
    const keys = batch.map(({ key }) => key);
    return insertLists(place, [...keyColumnLists(table, keys), ...contentLists(table, batch)]);
  });
}

/** Sets columns of records that are locked. */
async function updateLists(
  { session, table, tenant }: RowsPlace,
  keys: readonly RecordKey[],
  lists: readonly RowList[],
): Promise<void> {
  const [tenantColumn = '', ...others] = table.keyColumns.map(
    ({ name }) => `${table.table}.${quoteName(name)}`,
  );
  const all = [...keyColumnLists(table, keys), ...lists];
  const set = lists.map(({ column }, at) => `${column} = ${storedOf(all, others.length + at)}`);
  const where = [
    `${tenantColumn} = $1`,
    ...others.map((column, at) => `${column} = given.v${String(at)}`),
  ];
  const sql = `UPDATE ${table.table} SET ${set.join(', ')} FROM ${givenTable(all)} WHERE ${where.join(' AND ')}`;
  await session.query(sql, givenValues(tenant, all));
}

/** Puts records in place of others. */
export async function replaceRows(place: RowsPlace, rows: readonly WholeRow[]): Promise<void> {
  await sendBatches(rows, bodySize, (batch) => {
    const keys = batch.map(({ key }) => key);
    return updateLists(place, keys, contentLists(place.table, batch));
  });
}

/** Sets some columns. Patches of the same columns go together. */
export async function patchRows(place: RowsPlace, patches: readonly RowPatch[]): Promise<void> {
  const { table } = place;
  const sent = groupByColumns(patches).map((group) => {
    const names = new Set(Object.keys(group[0]?.columns ?? {}));
    const columns = table.columns.filter(({ name }) => names.has(name));
    return sendBatches(group, noSize, (batch) => {
      const keys = batch.map(({ key }) => key);
      const versions = versionList(batch.map(({ version }) => version));
      const rows = batch.map((one) => one.columns);
      return updateLists(place, keys, [...columnLists(columns, rows), versions]);
    });
  });
  await allSent(sent);
}

function groupByColumns(patches: readonly RowPatch[]): RowPatch[][] {
  const groups = new Map<string, RowPatch[]>();
  for (const patch of patches) {
    const names = Object.keys(patch.columns).sort().join(' ');
    const group = groups.get(names);
    if (group === undefined) groups.set(names, [patch]);
    else group.push(patch);
  }
  return [...groups.values()];
}

/** Takes records away. */
export async function deleteRows(
  { session, table, tenant }: RowsPlace,
  keys: readonly RecordKey[],
): Promise<void> {
  const sql = `DELETE FROM ${table.table} USING ${keysTable(table)} WHERE ${isWanted(table)}`;
  await sendBatches(keys, noSize, (batch) =>
    session.query(sql, keyValues(table, { tenant, keys: batch })),
  );
}

/**
 * Makes sure that records that are missing stay missing until the transaction ends: whoever inserts one has to wait for it, because
 * a row of that key was begun here and taken back.
 * @throws {@link RecordsMoved} where one is there now.
 */
export async function holdMissing(place: RowsPlace, keys: readonly RecordKey[]): Promise<void> {
  const begun = sendBatches(keys, noSize, (batch) => {
    const versions = versionList(batch.map(() => 0));
    return insertLists(place, [...keyColumnLists(place.table, batch), versions]);
  });
  await allSent([begun, deleteRows(place, keys)]);
}

/**
 * Reads the versions of records, by key as JSON, and locks those that are there, in the order of their keys, so that no two writes
 * wait for each other.
 */
export async function lockVersions(
  { session, table, tenant }: RowsPlace,
  keys: readonly RecordKey[],
): Promise<Map<string, number>> {
  const versions = new Map<string, number>();
  const parts = table.keyColumns.map(({ name }) => `${table.table}.${quoteName(name)}`).join(', ');
  const sql = `SELECT ${parts}, ${table.table}.${recordVersion} FROM ${table.table}
      JOIN ${keysTable(table)} ON ${isWanted(table)} ORDER BY ${parts} FOR UPDATE OF ${quoteName(table.definition.name)}`;
  await sendBatches(keys, noSize, async (batch) => {
    const wanted: TenantKeys = { tenant, keys: batch };
    for (const row of await session.query(sql, keyValues(table, wanted))) {
      versions.set(JSON.stringify(keyOfRow(table, row)), Number(row[recordVersion]));
    }
  });
  return versions;
}
