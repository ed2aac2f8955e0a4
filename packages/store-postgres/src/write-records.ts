import { CtxError, type RecordKey } from '@ctx/core';
import type { CollectionTable } from './collection-table.ts';
import { isWanted, keyLists, keysTable } from './get-records.ts';
import { quoteName, recordVersion } from './names.ts';
import { planRecord, type RecordChange, type RecordOperations } from './plan-write.ts';
import { keyOfRow } from './read-record.ts';
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
import type { SqlSession } from './sql-driver.ts';

/** A record came or went between two statements: the write has to be planned anew. */
export class RecordsMoved extends Error {
  override readonly name = 'RecordsMoved';
}

/** So many records go into one statement, and so many characters of bodies. */
const batchRows = 1000;
const batchCharacters = 8_000_000;

type ChangeOf<Type extends RecordChange['type']> = Extract<RecordChange, { readonly type: Type }>;

/** The records of a write in one table. */
interface TableChanges {
  readonly table: CollectionTable;
  readonly changes: readonly RecordChange[];
}

function isOf<Type extends RecordChange['type']>(type: Type) {
  return (change: RecordChange): change is ChangeOf<Type> => change.type === type;
}

/** Splits rows so that no statement gets too large. */
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

const bodySize = ({ put }: WholeRow): number => put.body.length;

/** Puts records whose keys are free. Throws: {@link RecordsMoved} where one is not. */
async function insertRows(
  session: SqlSession,
  table: CollectionTable,
  rows: readonly WholeRow[],
): Promise<void> {
  for (const batch of batches(rows, bodySize)) {
    const keys = batch.map(({ key }) => key);
    const lists = [...keyColumnLists(table, keys), ...contentLists(table, batch)];
    const columns = lists.map(({ column }) => column).join(', ');
    const stored = lists.map((_, at) => storedOf(lists, at)).join(', ');
    const sql = `INSERT INTO ${table.table} (${columns}) SELECT ${stored} FROM ${givenTable(lists)}
      ON CONFLICT DO NOTHING RETURNING 1 AS made`;
    const made = await session.query(sql, givenValues(lists));
    if (made.length !== batch.length) throw new RecordsMoved();
  }
}

/** Sets columns of records that are locked. `keys` comes first among the lists. */
async function updateRows(
  session: SqlSession,
  table: CollectionTable,
  { keys, lists }: { readonly keys: readonly RowList[]; readonly lists: readonly RowList[] },
): Promise<void> {
  const all = [...keys, ...lists];
  const assignments = lists.map(
    ({ column }, at) => `${column} = ${storedOf(all, keys.length + at)}`,
  );
  const where = keys.map(({ column }, at) => `${table.table}.${column} = given.v${String(at)}`);
  const sql = `UPDATE ${table.table} SET ${assignments.join(', ')} FROM ${givenTable(all)} WHERE ${where.join(' AND ')}`;
  await session.query(sql, givenValues(all));
}

async function replaceRows(
  session: SqlSession,
  table: CollectionTable,
  rows: readonly WholeRow[],
): Promise<void> {
  for (const batch of batches(rows, bodySize)) {
    const keys = keyColumnLists(
      table,
      batch.map(({ key }) => key),
    );
    await updateRows(session, table, { keys, lists: contentLists(table, batch) });
  }
}

/** Patches of the same columns go together. */
async function patchRows(
  session: SqlSession,
  table: CollectionTable,
  patches: readonly ChangeOf<'patch'>[],
): Promise<void> {
  for (const group of groupByColumns(patches).values()) {
    const names = new Set(Object.keys(group[0]?.columns ?? {}));
    const columns = table.columns.filter(({ name }) => names.has(name));
    for (const batch of batches(group, () => 0)) {
      const keys = keyColumnLists(
        table,
        batch.map(({ key }) => key),
      );
      const lists = [
        ...columnLists(
          columns,
          batch.map((one) => one.columns),
        ),
        versionList(batch.map(({ version }) => version)),
      ];
      await updateRows(session, table, { keys, lists });
    }
  }
}

function groupByColumns(patches: readonly ChangeOf<'patch'>[]): Map<string, ChangeOf<'patch'>[]> {
  const groups = new Map<string, ChangeOf<'patch'>[]>();
  for (const patch of patches) {
    const names = Object.keys(patch.columns).sort().join(' ');
    const group = groups.get(names);
    if (group === undefined) groups.set(names, [patch]);
    else group.push(patch);
  }
  return groups;
}

async function deleteRows(
  session: SqlSession,
  table: CollectionTable,
  keys: readonly RecordKey[],
): Promise<void> {
  for (const batch of batches(keys, () => 0)) {
    const sql = `DELETE FROM ${table.table} USING ${keysTable(table)} WHERE ${isWanted(table)}`;
    await session.query(sql, keyLists(table, batch));
  }
}

/**
 * Makes sure that records that are missing stay missing until the transaction ends: whoever inserts one has to wait for it, because
 * a row of that key was begun here and taken back. Throws: {@link RecordsMoved} where one is there now.
 */
async function holdMissing(
  session: SqlSession,
  table: CollectionTable,
  keys: readonly RecordKey[],
): Promise<void> {
  for (const batch of batches(keys, () => 0)) {
    const lists = [...keyColumnLists(table, batch), versionList(batch.map(() => 0))];
    const columns = lists.map(({ column }) => column).join(', ');
    const stored = lists.map((_, at) => storedOf(lists, at)).join(', ');
    const sql = `INSERT INTO ${table.table} (${columns}) SELECT ${stored} FROM ${givenTable(lists)}
      ON CONFLICT DO NOTHING RETURNING 1 AS made`;
    const made = await session.query(sql, givenValues(lists));
    if (made.length !== batch.length) throw new RecordsMoved();
  }
  await deleteRows(session, table, keys);
}

/** Reads the versions of records and locks those that are there, in the order of their keys, so that no two writes wait for each other. */
async function lockVersions(
  session: SqlSession,
  table: CollectionTable,
  keys: readonly RecordKey[],
): Promise<Map<string, number>> {
  const versions = new Map<string, number>();
  const parts = table.keyColumns.map(({ name }) => `${table.table}.${quoteName(name)}`).join(', ');
  for (const batch of batches(keys, () => 0)) {
    const sql = `SELECT ${parts}, ${table.table}.${recordVersion} FROM ${table.table}
      JOIN ${keysTable(table)} ON ${isWanted(table)} ORDER BY ${parts} FOR UPDATE OF ${quoteName(table.definition.name)}`;
    for (const row of await session.query(sql, keyLists(table, batch))) {
      versions.set(JSON.stringify(keyOfRow(table, row)), Number(row[recordVersion]));
    }
  }
  return versions;
}

function byTable(records: readonly RecordOperations[]): Map<CollectionTable, RecordOperations[]> {
  const groups = new Map<CollectionTable, RecordOperations[]>();
  for (const record of records) {
    const group = groups.get(record.table);
    if (group === undefined) groups.set(record.table, [record]);
    else group.push(record);
  }
  return new Map([...groups].sort(([left], [right]) => (left.table < right.table ? -1 : 1)));
}

async function applyChanges(session: SqlSession, { table, changes }: TableChanges): Promise<void> {
  const deleted = changes.filter(isOf('delete'));
  if (deleted.length > 0)
    await deleteRows(
      session,
      table,
      deleted.map(({ key }) => key),
    );
  await replaceRows(session, table, changes.filter(isOf('replace')));
  await patchRows(session, table, changes.filter(isOf('patch')));
  await insertRows(session, table, changes.filter(isOf('insert')));
  const missing = changes.filter(isOf('keep-missing'));
  if (missing.length > 0)
    await holdMissing(
      session,
      table,
      missing.map(({ key }) => key),
    );
}

/** Whether the record is to be made: then nothing is there to be locked. */
function isNew({ operations }: RecordOperations): boolean {
  const [operation, ...others] = operations;
  return others.length === 0 && operation?.type === 'put' && operation.expectVersion === 0;
}

const keysOf = (records: readonly RecordOperations[]): RecordKey[] => records.map(({ key }) => key);

/**
 * Does a write inside of a transaction: locks, plans, then changes. The first try takes records that must be new for new without a
 * look at them.
 * Throws: `CTX_STORE_CONFLICT`, before anything is changed; {@link RecordsMoved} where it has to be done anew.
 */
export async function writeRecords(
  session: SqlSession,
  records: readonly RecordOperations[],
  tries: number,
): Promise<void> {
  const planned: TableChanges[] = [];
  for (const [table, group] of byTable(records)) {
    const looked = tries === 1 ? group.filter((record) => !isNew(record)) : group;
    const versions = await lockVersions(session, table, keysOf(looked));
    const changes = group.map((record) =>
      planRecord(record, versions.get(JSON.stringify(record.key)) ?? 0),
    );
    planned.push({ table, changes });
  }
  for (const changes of planned) await applyChanges(session, changes);
}

/** Throws what a write that nobody could make room for throws. */
export function tooMuchMoved(): CtxError {
  return new CtxError('CTX_STORE_BUSY', 'records came and went too fast to be written');
}
