import { CtxError } from '@ctx/core';
import {
  type ColumnValue,
  completeColumns,
  type PutOperation,
  type RecordKey,
  type WriteOperation,
} from '@ctx/store/backend';
import type { CollectionTable } from '../schema/collection-table.ts';

/** What becomes of one record, all operations on it taken together. */
export type RecordChange =
  | { readonly type: 'insert'; readonly key: RecordKey; readonly put: CompletePut }
  | {
      readonly type: 'replace';
      readonly key: RecordKey;
      readonly version: number;
      readonly put: CompletePut;
    }
  | {
      readonly type: 'patch';
      readonly key: RecordKey;
      readonly version: number;
      readonly columns: Readonly<Record<string, ColumnValue>>;
    }
  | { readonly type: 'delete'; readonly key: RecordKey }
  /** It is there, and has to stay as it is. */
  | { readonly type: 'keep'; readonly key: RecordKey }
  /** It is missing, and has to stay so. */
  | { readonly type: 'keep-missing'; readonly key: RecordKey };

/** A whole record: all columns, version, body and words. */
export interface CompletePut {
  readonly columns: Readonly<Record<string, ColumnValue>>;
  readonly version: number;
  readonly body: string;
  readonly words: PutOperation['words'];
}

/** The operations on one record, in their order. */
export interface RecordOperations {
  readonly table: CollectionTable;
  readonly key: RecordKey;
  readonly operations: readonly WriteOperation[];
}

/** How a record stands while operation after operation is done. */
interface Standing {
  readonly version: number;
  /** The whole record, where an operation of this write gave it. */
  readonly put?: Omit<CompletePut, 'version'>;
  /** Columns changed of a record that was there before. */
  readonly patched?: Readonly<Record<string, ColumnValue>>;
}

function conflict({ type, collection, key }: WriteOperation, version: number): CtxError {
  const state = version === 0 ? 'it is missing' : `it has version ${String(version)}`;
  const name = JSON.stringify(key).slice(0, 200);
  return new CtxError('CTX_STORE_CONFLICT', `${type} of ${collection} ${name}: ${state}`);
}

/** The columns given, as they are stored. */
function givenColumns(
  { definition }: CollectionTable,
  columns: Readonly<Record<string, ColumnValue>>,
): Record<string, ColumnValue> {
  const complete = completeColumns(definition, columns);
  const names = Object.keys(columns).filter((name) => Object.hasOwn(complete, name));
  return Object.fromEntries(names.map((name) => [name, complete[name] ?? null]));
}

function step(table: CollectionTable, before: Standing, operation: WriteOperation): Standing {
  const { version } = before;
  const { expectVersion } = operation;
  if (expectVersion !== undefined && expectVersion !== version) throw conflict(operation, version);
  switch (operation.type) {
    case 'check':
      return before;
    case 'delete':
      return { version: 0 };
    case 'put': {
      const columns = completeColumns(table.definition, operation.columns);
      const { body, words } = operation;
      return { version: version + 1, put: { columns, body, words } };
    }
    case 'patch': {
      if (version === 0) throw conflict(operation, 0);
      const columns = givenColumns(table, operation.columns);
      const { put, patched } = before;
      if (put === undefined) return { version: version + 1, patched: { ...patched, ...columns } };
      return { version: version + 1, put: { ...put, columns: { ...put.columns, ...columns } } };
    }
  }
}

function changeOf(key: RecordKey, before: number, after: Standing): RecordChange {
  const { version, put, patched } = after;
  if (version === 0) return { type: before === 0 ? 'keep-missing' : 'delete', key };
  if (put !== undefined) {
    const whole = { ...put, version };
    return before === 0
      ? { type: 'insert', key, put: whole }
      : { type: 'replace', key, version, put: whole };
  }
  if (patched !== undefined) return { type: 'patch', key, version, columns: patched };
  return { type: 'keep', key };
}

/** Puts the operations of a write together by record, in the order of their first. */
export function operationsByRecord(
  operations: readonly WriteOperation[],
  tableOf: (collection: string) => CollectionTable,
): RecordOperations[] {
  const byRecord = new Map<
    string,
    { table: CollectionTable; key: RecordKey; operations: WriteOperation[] }
  >();
  for (const operation of operations) {
    const { collection, key } = operation;
    const name = JSON.stringify([collection, ...key]);
    const found = byRecord.get(name);
    if (found !== undefined) found.operations.push(operation);
    else byRecord.set(name, { table: tableOf(collection), key, operations: [operation] });
  }
  return [...byRecord.values()];
}

/**
 * Decides what becomes of a record that has a version (0: is missing) when the operations are done to it one after the other.
 * Pure.
 * @throws `CTX_STORE_CONFLICT` where an expected version does not hold, or a patch finds nothing.
 */
export function planRecord(
  { table, key, operations }: RecordOperations,
  version: number,
): RecordChange {
  const start: Standing = { version };
  const after = operations.reduce((standing, operation) => step(table, standing, operation), start);
  return changeOf(key, version, after);
}
