import { CtxError, isCtxError } from '@ctx/core';
import { DamagedBody } from '../backend/damaged-body.ts';
import type { RecordKey, StoreBackend, StoredRecord } from '../backend/store-backend.ts';

/** Where a check reads. */
export interface CheckPlace {
  readonly backend: StoreBackend;
  /** As keys hold it. */
  readonly tenant: string;
  /** Told how many records were looked at. */
  readonly onRecords: (collection: string, count: number) => void;
  readonly signal?: AbortSignal;
}

/** A record, or one that cannot be read. */
export type ReadRecord =
  | { readonly record: StoredRecord }
  | { readonly broken: StoredRecord; readonly reason: string };

const batchSize = 100;

async function readOne(
  backend: StoreBackend,
  collection: string,
  known: StoredRecord,
): Promise<ReadRecord | undefined> {
  try {
    const [record] = await backend.get(collection, [known.key]);
    return record === undefined ? undefined : { record };
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
    const body = error.cause instanceof DamagedBody ? error.cause.body : known.body;
    return { broken: { ...known, body }, reason: error.message };
  }
}

/** Reads a batch at once; where one of them is damaged, each alone. */
async function readBatch(
  backend: StoreBackend,
  collection: string,
  known: readonly StoredRecord[],
): Promise<ReadRecord[]> {
  try {
    const keys: RecordKey[] = known.map(({ key }) => key);
    const records = await backend.get(collection, keys);
    return records.flatMap((record) => (record === undefined ? [] : [{ record }]));
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
    const read: ReadRecord[] = [];
    for (const one of known) {
      const found = await readOne(backend, collection, one);
      if (found !== undefined) read.push(found);
    }
    return read;
  }
}

/**
 * Every record of a collection in the order of its key, damaged ones too.
 * Holds 100 records in memory.
 * @throws `CTX_ABORTED`, and the codes of the store but for damage of a single record.
 */
export async function* readRecords(
  { backend, tenant, onRecords, signal }: CheckPlace,
  collection: string,
): AsyncGenerator<ReadRecord, void, undefined> {
  const query = { collection, index: 'key', equal: [tenant], part: 'columns' } as const;
  let batch: StoredRecord[] = [];
  const flushed = async (): Promise<ReadRecord[]> => {
    if (signal?.aborted === true) throw new CtxError('CTX_ABORTED', 'the check was stopped');
    const read = await readBatch(backend, collection, batch);
    onRecords(collection, batch.length);
    batch = [];
    return read;
  };
  for await (const record of backend.scan(query)) {
    batch.push(record);
    if (batch.length === batchSize) yield* await flushed();
  }
  if (batch.length > 0) yield* await flushed();
}

/** The columns of records, `undefined` where there is none and where it cannot be read: that one is found in its own place. */
export async function readColumns(
  { backend }: Pick<CheckPlace, 'backend'>,
  collection: string,
  keys: readonly RecordKey[],
): Promise<(StoredRecord | undefined)[]> {
  try {
    return await backend.get(collection, keys, 'columns');
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
    if (keys.length === 1) return [undefined];
    const each = [];
    for (const key of keys) each.push(...(await readColumns({ backend }, collection, [key])));
    return each;
  }
}

/** The JSON of a body; `undefined` where it is none. */
export function bodyOf({ body }: StoredRecord): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(body) };
  } catch {
    return undefined;
  }
}

/** A member of a JSON object. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name]; // It has that member of its own.
}
