import { CtxError } from '@ctx/core';
import { appendPuts } from '../append-records.ts';
import { completeColumns } from '../check/check-value.ts';
import { keyText } from '../index-order.ts';
import { entriesBackwards, entriesBetween } from '../indexes/sorted-list.ts';
import type {
  AppendBatch,
  CollectionRange,
  PatchOperation,
  PatchRange,
  PutOperation,
  WriteOperation,
} from '../store-backend.ts';
import type { MemoryCollection, MemoryRecord } from './memory-collection.ts';

/** What a write has done so far, seen by its later operations alone. */
type Staged = Map<MemoryCollection, Map<string, MemoryRecord | undefined>>;

function conflict(operation: WriteOperation): CtxError {
  const key = JSON.stringify(operation.key);
  return new CtxError(
    'CTX_STORE_CONFLICT',
    `${operation.type} of ${operation.collection} ${key}: the record has another version`,
  );
}

function putRecord(
  collection: MemoryCollection,
  operation: PutOperation,
  before: MemoryRecord | undefined,
): MemoryRecord {
  return {
    key: [...operation.key],
    version: (before?.version ?? 0) + 1,
    columns: completeColumns(collection.definition, operation.columns),
    body: operation.body,
    words: { ...operation.words },
  };
}

function patchRecord(
  collection: MemoryCollection,
  operation: PatchOperation,
  before: MemoryRecord,
): MemoryRecord {
  const columns = completeColumns(collection.definition, operation.columns, before.columns);
  return { ...before, version: before.version + 1, columns };
}

function stage(
  collection: MemoryCollection,
  operation: WriteOperation,
  changes: Map<string, MemoryRecord | undefined>,
): void {
  const key = keyText(operation.key);
  const before = changes.has(key) ? changes.get(key) : collection.records.get(key);
  const { expectVersion } = operation;
  if (expectVersion !== undefined && expectVersion !== (before?.version ?? 0)) {
    throw conflict(operation);
  }
  if (operation.type === 'put') changes.set(key, putRecord(collection, operation, before));
  else if (operation.type === 'delete') changes.set(key, undefined);
  else if (operation.type === 'patch') {
    if (before === undefined) throw conflict(operation);
    changes.set(key, patchRecord(collection, operation, before));
  }
}

function checkEmpty(collection: MemoryCollection, range: CollectionRange): void {
  const { chunks, start, end } = collection.slice(range);
  if (entriesBetween(chunks, start, end).next().done === true) return;
  const text = `a range of ${range.index} in ${range.collection} is not empty`;
  throw new CtxError('CTX_STORE_CONFLICT', text);
}

/**
 * The records in a range, as operations that patch them.
 * @throws `CTX_STORE_CONFLICT` where they are more or fewer than expected.
 */
function patchesOf(
  collection: MemoryCollection,
  { collection: name, columns, expectCount, ...range }: PatchRange,
): PatchOperation[] {
  const { chunks, start, end } = collection.slice(range);
  const patches: PatchOperation[] = [];
  for (const { record } of entriesBetween(chunks, start, end))
    patches.push({ type: 'patch', collection: name, key: record.key, columns });
  if (expectCount === undefined || expectCount === patches.length) return patches;
  const text = `a range of ${range.index} in ${name} holds ${String(patches.length)} records`;
  throw new CtxError('CTX_STORE_CONFLICT', text);
}

/** The newest number of a place; 0 where it is empty. */
function newestOf(collection: MemoryCollection, place: readonly string[]): number {
  const { chunks, start, end } = collection.slice({ index: 'key', equal: place });
  const last = entriesBackwards(chunks, start, end).next();
  return last.done === true ? 0 : Number(last.value.record.key.at(-1));
}

/** What a write does beside its operations. */
export interface MemoryRanges {
  readonly emptyRanges: readonly CollectionRange[];
  readonly patchRanges: readonly PatchRange[];
  readonly appends: readonly AppendBatch[];
}

/**
 * Does all of the operations, which must have been checked, or none.
 * @throws `CTX_STORE_CONFLICT` before anything is changed.
 */
export function writeToMemory(
  collectionOf: (name: string) => MemoryCollection,
  operations: readonly WriteOperation[],
  { emptyRanges, patchRanges, appends }: MemoryRanges,
): void {
  for (const range of emptyRanges) checkEmpty(collectionOf(range.collection), range);
  const staged: Staged = new Map();
  const patches = patchRanges.flatMap((range) => patchesOf(collectionOf(range.collection), range));
  const puts = appends.flatMap((batch) =>
    appendPuts(batch, newestOf(collectionOf(batch.collection), batch.place)),
  );
  for (const operation of [...patches, ...operations, ...puts]) {
    const collection = collectionOf(operation.collection);
    const changes = staged.get(collection) ?? new Map<string, MemoryRecord | undefined>();
    staged.set(collection, changes);
    stage(collection, operation, changes);
  }
  for (const [collection, changes] of staged) {
    for (const [key, record] of changes) collection.replace(key, record);
  }
}
