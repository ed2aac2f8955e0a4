import {
  type ColumnValue,
  completeColumns,
  CtxError,
  type PatchOperation,
  type PutOperation,
  type RecordKey,
  type WriteOperation,
} from '@ctx/core';
import type { CollectionTable } from './collection-table.ts';
import { type Connection, yieldToLoop } from './connection.ts';
import type { SqliteRow, SqliteValue } from './sqlite-driver.ts';
import { quoteName, recordBody, recordId, recordVersion, recordWords } from './names.ts';
import { encodeBody } from './record-body.ts';
import { addWords, removeWords, waitForWords, wordsByField } from './write-words.ts';

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
  const sql = `SELECT ${recordId}, ${recordVersion}, ${recordWords} FROM ${table.table} WHERE ${table.whereKey}`;
  return connection.statement(sql).get(...key);
}

function insertRow(
  connection: Connection,
  table: CollectionTable,
  values: readonly SqliteValue[],
): SqliteValue {
  const { key } = table.definition;
  const names = [
    ...[...key, ...table.columnNames].map(quoteName),
    recordVersion,
    recordWords,
    recordBody,
  ];
  const places = names.map(() => '?').join(', ');
  const sql = `INSERT INTO ${table.table} (${names.join(', ')}) VALUES (${places}) RETURNING ${recordId}`;
  const id = connection.statement(sql).get(...values)?.[recordId];
  if (id === undefined) throw new CtxError('CTX_STORE_IO', 'SQLite gave no row id');
  return id;
}

function columnValues(
  table: CollectionTable,
  columns: Readonly<Record<string, ColumnValue>>,
): ColumnValue[] {
  return table.columnNames.map((name) => columns[name] ?? null);
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

function put(
  connection: Connection,
  { table, body }: PreparedOperation,
  { operation, row }: { operation: PutOperation; row: SqliteRow | undefined },
): void {
  const byField = wordsByField(table, operation.words);
  const isLater = operation.wordsLater === true;
  const hasWords = isLater || byField !== undefined ? 1 : 0;
  const columns = columnValues(table, completeColumns(table.definition, operation.columns));
  const { key } = operation;
  if (row === undefined) {
    const id = insertRow(connection, table, [...key, ...columns, 1, hasWords, body]);
    if (isLater) waitForWords(connection, table, id);
    else if (byField !== undefined) addWords(connection, table, { id, key, byField });
    return;
  }
  const id = row[recordId] ?? null;
  const names = [...table.columnNames, recordWords, recordBody];
  updateRow(connection, table, { names, values: [...columns, hasWords, body], id });
  if (row[recordWords] !== 0) removeWords(connection, table, id);
  if (isLater) waitForWords(connection, table, id);
  else if (byField !== undefined) addWords(connection, table, { id, key, byField });
}

function patch(
  connection: Connection,
  table: CollectionTable,
  { operation, row }: { operation: PatchOperation; row: SqliteRow | undefined },
): void {
  if (row === undefined) throw conflict(operation, 0);
  const complete = completeColumns(table.definition, operation.columns);
  const names = table.columnNames.filter((name) => Object.hasOwn(operation.columns, name));
  const values = names.map((name) => complete[name] ?? null);
  updateRow(connection, table, { names, values, id: row[recordId] ?? null });
}

function remove(connection: Connection, table: CollectionTable, row: SqliteRow | undefined): void {
  if (row === undefined) return;
  const id = row[recordId] ?? null;
  if (row[recordWords] !== 0) removeWords(connection, table, id);
  connection.statement(`DELETE FROM ${table.table} WHERE ${recordId} = ?`).run(id);
}

function apply(connection: Connection, prepared: PreparedOperation): void {
  const { operation, table } = prepared;
  const row = findRow(connection, table, operation.key);
  const version = Number(row?.[recordVersion] ?? 0);
  if (operation.expectVersion !== undefined && operation.expectVersion !== version) {
    throw conflict(operation, version);
  }
  switch (operation.type) {
    case 'put':
      put(connection, prepared, { operation, row });
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

/** Compresses the bodies before the file is locked. */
export async function prepareOperations(
  operations: readonly WriteOperation[],
  tableOf: (collection: string) => CollectionTable,
): Promise<PreparedOperation[]> {
  const prepared: PreparedOperation[] = [];
  let characters = 0;
  for (const operation of operations) {
    const text = operation.type === 'put' ? operation.body : '';
    const body = encodeBody(text);
    prepared.push({ operation, table: tableOf(operation.collection), body });
    characters += text.length;
    if (characters < stepCharacters) continue;
    characters = 0;
    await yieldToLoop();
  }
  return prepared;
}

/** Does all operations in their order. Contract: within one transaction; what throws leaves the rest undone. */
export async function applyOperations(
  connection: Connection,
  prepared: readonly PreparedOperation[],
): Promise<void> {
  for (const [at, step] of prepared.entries()) {
    apply(connection, step);
    if (at % stepOperations === stepOperations - 1) await yieldToLoop();
  }
}

/** How many of the operations add words that wait to be taken in. */
export function countWords(prepared: readonly PreparedOperation[]): number {
  return prepared.filter(
    ({ operation }) =>
      operation.type === 'put' && (operation.wordsLater === true || operation.words !== undefined),
  ).length;
}
