import { CtxError } from '@ctx/core';
import {
  type ColumnValue,
  completeColumns,
  type PutOperation,
  type RecordKey,
  type WriteOperation,
} from '@ctx/store/backend';
import { type Condition, quoteName } from '@ctx/store/sql';
import { type Connection, yieldToLoop } from '../driver/connection.ts';
import type { SqliteRow, SqliteValue } from '../driver/sqlite-driver.ts';
import { encodeSealed } from '../read/record-body.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { recordBody, recordId, recordVersion, recordWords } from '../schema/names.ts';
import { addWords, removeWords, wordsByField } from '../words/write-words.ts';

/** After so many operations or so many characters of bodies others have their turn. */
const stepOperations = 200;
const stepCharacters = 4_000_000;

/** An operation with the table that it is for and its body as the file will hold it. */
export interface PreparedOperation {
  readonly operation: WriteOperation;
  readonly table: CollectionTable;
  readonly body: string | Uint8Array;
}

function conflict(operation: WriteOperation, version: number): CtxError {
  const key = JSON.stringify(operation.key).slice(0, 200);
  const state = version === 0 ? 'it is missing' : `it has version ${version}`;
  return new CtxError(
    'CTX_STORE_CONFLICT',
    `${operation.type} of ${operation.collection} ${key}: ${state}`,
  );
}

function findRow(
  connection: Connection,
  table: CollectionTable,
  key: RecordKey,
): SqliteRow | undefined {
  return connection.statement(table.findRow).get(...key);
}

/** Gives the row's id; undefined where the key is taken. */
function insertRow(
  connection: Connection,
  { insert }: CollectionTable,
  values: readonly SqliteValue[],
): SqliteValue | undefined {
  const { changes, lastInsertRowid } = connection.statement(insert).run(...values);
  return Number(changes) === 0 ? undefined : lastInsertRowid;
}

/** The columns of a put, as {@link completeColumns} makes them complete. */
function columnValues(
  { columnNames }: CollectionTable,
  columns: Readonly<Record<string, ColumnValue>>,
): ColumnValue[] {
  return columnNames.map((name) => {
    const value = Object.hasOwn(columns, name) ? (columns[name] ?? null) : null;
    return value === 0 ? 0 : value;
  });
}

function updateRow(
  connection: Connection,
  table: CollectionTable,
  change: { names: readonly string[]; values: readonly SqliteValue[]; id: SqliteValue },
): void {
  const assignments = [
    ...change.names.map((name) => `${quoteName(name)} = ?`),
    `${recordVersion} = ${recordVersion} + 1`,
  ];
  const sql = `UPDATE ${table.table} SET ${assignments.join(', ')} WHERE ${recordId} = ?`;
  connection.statement(sql).run(...change.values, change.id);
}

/** Replaces a record, its words included. */
function replace(
  connection: Connection,
  { table, body }: PreparedOperation,
  { operation, row }: { operation: PutOperation; row: SqliteRow },
): void {
  const words = wordsByField(table, operation.words);
  const columns = columnValues(table, operation.columns);
  const id = row[recordId] ?? null;
  const names = [...table.columnNames, recordWords, recordBody];
  const hasWords = words === undefined ? 0 : 1;
  updateRow(connection, table, { names, values: [...columns, hasWords, body], id });
  if (row[recordWords] !== 0) removeWords(connection, table, id);
  if (words !== undefined) addWords(connection, table, { id, key: operation.key, byField: words });
}

function patch(
  connection: Connection,
  table: CollectionTable,
  {
    operation,
    row,
  }: { operation: Extract<WriteOperation, { readonly type: 'patch' }>; row: SqliteRow | undefined },
): void {
  if (row === undefined) throw conflict(operation, 0);
  const complete = completeColumns(table.definition, operation.columns);
  const names = table.columnNames.filter((name) => Object.hasOwn(operation.columns, name));
  const values = names.map((name) => complete[name] ?? null);
  updateRow(connection, table, { names, values, id: row[recordId] ?? null });
}

/** Whether a record has no words and may have any version: then there is nothing to look up before it is deleted. */
function isPlainDelete({ operation, table }: PreparedOperation): boolean {
  return (
    operation.type === 'delete' &&
    operation.expectVersion === undefined &&
    table.searchFields.length === 0
  );
}

function remove(connection: Connection, table: CollectionTable, row: SqliteRow | undefined): void {
  if (row === undefined) return;
  const id = row[recordId] ?? null;
  if (row[recordWords] !== 0) removeWords(connection, table, id);
  connection.statement(table.deleteRow).run(id);
}

/** Puts a record without looking for one first. False where there is one. */
function insertNew(
  connection: Connection,
  { table, body }: PreparedOperation,
  operation: PutOperation,
): boolean {
  const words = wordsByField(table, operation.words);
  const columns = columnValues(table, operation.columns);
  const { key } = operation;
  const hasWords = words === undefined ? 0 : 1;
  const id = insertRow(connection, table, [...key, ...columns, 1, hasWords, body]);
  if (id === undefined) return false;
  if (words !== undefined) addWords(connection, table, { id, key, byField: words });
  return true;
}

/** Does an operation to the row that its key has, which has the version expected. */
function applyToRow(
  connection: Connection,
  prepared: PreparedOperation,
  row: SqliteRow | undefined,
): void {
  const { operation, table } = prepared;
  switch (operation.type) {
    case 'put':
      if (row === undefined) insertNew(connection, prepared, operation);
      else replace(connection, prepared, { operation, row });
      return;
    case 'patch':
      patch(connection, table, { operation, row });
      return;
    case 'delete':
      remove(connection, table, row);
      return;
    case 'check':
      return;
  }
}

function apply(connection: Connection, prepared: PreparedOperation): void {
  const { operation, table } = prepared;
  const { type, expectVersion } = operation;
  const isNew = type === 'put' && expectVersion === 0;
  if (isNew && insertNew(connection, prepared, operation)) return;
  if (isPlainDelete(prepared)) {
    connection.statement(table.deleteByKey).run(...operation.key);
    return;
  }
  const row = findRow(connection, table, operation.key);
  const version = Number(row?.[recordVersion] ?? 0);
  if (expectVersion !== undefined && expectVersion !== version) throw conflict(operation, version);
  applyToRow(connection, prepared, row);
}

/** @throws `CTX_STORE_CONFLICT` where the condition, one of `emptyRangeSql`, finds a record. */
export function checkEmpty(connection: Connection, { sql, values }: Condition): void {
  if (connection.statement(sql).get(...values) === undefined) return;
  throw new CtxError('CTX_STORE_CONFLICT', 'a range that must be empty holds a record');
}

/** Compresses the bodies before the file is locked. */
export async function prepareOperations(
  operations: readonly WriteOperation[],
  tableOf: (collection: string) => CollectionTable,
): Promise<PreparedOperation[]> {
  const prepared: PreparedOperation[] = [];
  let characters = 0;
  for (const operation of operations) {
    const table = tableOf(operation.collection);
    const isPut = operation.type === 'put';
    const text = isPut ? operation.body : '';
    prepared.push({ operation, table, body: isPut ? encodeSealed(operation, text) : '' });
    characters += text.length;
    if (characters < stepCharacters) continue;
    characters = 0;
    await yieldToLoop();
  }
  return prepared;
}

/** Does all operations in their order. Within one transaction; what throws leaves the rest undone. */
export async function applyOperations(
  connection: Connection,
  prepared: readonly PreparedOperation[],
): Promise<void> {
  for (const [at, step] of prepared.entries()) {
    apply(connection, step);
    if (at % stepOperations === stepOperations - 1) await yieldToLoop();
  }
}
