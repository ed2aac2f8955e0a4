import { CtxError } from '@ctx/core';
import {
  type CollectionDefinition,
  type ColumnValue,
  completeColumns,
  keyText,
  type PutOperation,
  type RecordKey,
  type WriteOperation,
} from '@ctx/store/backend';
import type { RecordWords } from '../files/record-file.ts';
import type { RecordIndex } from '../index/record-index.ts';
import { corruptRecord } from '../recover/quarantine.ts';

/** What a record shall be after a write. */
export interface PlannedPut {
  readonly change: 'put';
  readonly collection: string;
  readonly key: RecordKey;
  readonly version: number;
  readonly columns: Readonly<Record<string, ColumnValue>>;
  /** Undefined: body and words stay what they are in the file. */
  readonly content: { readonly body: string; readonly words: RecordWords } | undefined;
}

export interface PlannedDelete {
  readonly change: 'delete';
  readonly collection: string;
  readonly key: RecordKey;
}

export type PlannedStep = PlannedPut | PlannedDelete;

/** A record as the operations so far leave it. */
interface Stand {
  readonly collection: string;
  readonly key: RecordKey;
  readonly version: number;
  readonly columns: Readonly<Record<string, ColumnValue>>;
  readonly content: PlannedPut['content'];
}

function conflict(operation: WriteOperation): CtxError {
  const { type, collection, key } = operation;
  const text = `${type} of ${collection} ${JSON.stringify(key)}: the record has another version`;
  return new CtxError('CTX_STORE_CONFLICT', text);
}

/** Throws `CTX_STORE_CORRUPT` if a record is to be new whose file was set aside: it is there, and cannot be read. */
function checkUnused(operation: WriteOperation, index: RecordIndex): void {
  if (operation.type !== 'put' || operation.expectVersion !== 0) return;
  const movedTo = index.quarantined(operation.collection, operation.key);
  if (movedTo !== undefined) throw corruptRecord(operation.collection, operation.key, movedTo);
}

function putOn(definition: CollectionDefinition, operation: PutOperation, before: Stand): Stand {
  return {
    ...before,
    version: before.version + 1,
    columns: completeColumns(definition, operation.columns),
    content: { body: operation.body, words: { ...operation.words } },
  };
}

function patchOn(
  definition: CollectionDefinition,
  operation: Extract<WriteOperation, { readonly type: 'patch' }>,
  before: Stand,
): Stand {
  if (before.version === 0) throw conflict(operation);
  const columns = completeColumns(definition, operation.columns, before.columns);
  return { ...before, version: before.version + 1, columns };
}

function standAfter(
  definition: CollectionDefinition,
  operation: WriteOperation,
  before: Stand,
): Stand {
  const { expectVersion } = operation;
  if (expectVersion !== undefined && expectVersion !== before.version) throw conflict(operation);
  switch (operation.type) {
    case 'put':
      return putOn(definition, operation, before);
    case 'patch':
      return patchOn(definition, operation, before);
    case 'delete':
      return { ...before, version: 0, columns: {}, content: undefined };
    case 'check':
      return before;
  }
}

function stepOf(stand: Stand): PlannedStep {
  const { collection, key, version, columns, content } = stand;
  if (version === 0) return { change: 'delete', collection, key };
  return { change: 'put', collection, key, version, columns, content };
}

/** The definition of a collection that the store was opened with: calls have been checked. */
export function definitionIn(
  definitions: ReadonlyMap<string, CollectionDefinition>,
  collection: string,
): CollectionDefinition {
  const found = definitions.get(collection);
  if (found !== undefined) return found;
  throw new CtxError('CTX_INVALID_INPUT', 'the store has no collection of that name');
}

/**
 * Decides what a write, whose operations have been checked, does to each record: one step for each that changes.
 * @throws `CTX_STORE_CONFLICT` where an expected version does not hold; `CTX_STORE_CORRUPT` where a record that was set aside shall be new.
 */
export function planWrite(
  definitions: ReadonlyMap<string, CollectionDefinition>,
  operations: readonly WriteOperation[],
  index: RecordIndex,
): PlannedStep[] {
  const before = new Map<string, Stand>();
  const after = new Map<string, Stand>();
  for (const operation of operations) {
    const { collection } = operation;
    const key = [...operation.key];
    const name = `${collection}\u0000${keyText(key)}`;
    const entry = index.entry(collection, key);
    const { version = 0, columns = {} } = entry ?? {};
    checkUnused(operation, index);
    const present: Stand = { collection, key, version, columns, content: undefined };
    before.set(name, present);
    const stand = after.get(name) ?? present;
    after.set(name, standAfter(definitionIn(definitions, collection), operation, stand));
  }
  return [...after]
    .filter(([name, stand]) => isChange(before.get(name), stand, index))
    .map(([, stand]) => stepOf(stand));
}

function isChange(before: Stand | undefined, after: Stand, index: RecordIndex): boolean {
  if (before === after) return false;
  const wasThere = before?.version !== 0;
  return (
    after.version > 0 || wasThere || index.quarantined(after.collection, after.key) !== undefined
  );
}
