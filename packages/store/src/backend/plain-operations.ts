import { CtxError } from '@ctx/core';
import { appendPuts } from './append-records.ts';
import type {
  AppendBatch,
  CollectionRange,
  PatchOperation,
  PatchRange,
  PutOperation,
  RecordKey,
  StoreBackend,
  WriteOperation,
  WriteOptions,
} from './store-backend.ts';

type Scan = StoreBackend['scan'];

async function requireEmpty(scan: Scan, range: CollectionRange): Promise<void> {
  for await (const _ of scan({ ...range, limit: 1, part: 'columns' })) {
    const text = `a range of ${range.index} in ${range.collection} is not empty`;
    throw new CtxError('CTX_STORE_CONFLICT', text);
  }
}

async function patchesOf(
  scan: Scan,
  { columns, expectCount, ...range }: PatchRange,
): Promise<PatchOperation[]> {
  const keys: RecordKey[] = [];
  for await (const { key } of scan({ ...range, part: 'columns' })) keys.push(key);
  if (expectCount !== undefined && expectCount !== keys.length) {
    const text = `a range of ${range.index} in ${range.collection} holds ${String(keys.length)} records, expected ${String(expectCount)}`;
    throw new CtxError('CTX_STORE_CONFLICT', text);
  }
  return keys.map((key) => ({ type: 'patch', collection: range.collection, key, columns }));
}

async function putsOf(scan: Scan, batch: AppendBatch): Promise<PutOperation[]> {
  const { collection, place: equal } = batch;
  let newest = 0;
  const last = { index: 'key', equal, descending: true, limit: 1, part: 'columns' } as const;
  for await (const { key } of scan({ collection, ...last })) newest = Number(key.at(-1));
  return appendPuts(batch, newest);
}

/**
 * Turns a whole write into plain operations, for a backend that holds off other writers meanwhile: checks that its empty ranges are
 * empty, and reads which records its ranges patch and which numbers its appends get.
 * @throws `CTX_STORE_CONFLICT` if a range is not empty, or holds another number of records than expected
 */
export async function plainOperations(
  scan: Scan,
  operations: readonly WriteOperation[],
  { emptyRanges = [], patchRanges = [], appends = [] }: WriteOptions,
): Promise<WriteOperation[]> {
  for (const range of emptyRanges) await requireEmpty(scan, range);
  const patches: WriteOperation[] = [];
  for (const range of patchRanges) patches.push(...(await patchesOf(scan, range)));
  const puts: WriteOperation[] = [];
  for (const batch of appends) puts.push(...(await putsOf(scan, batch)));
  return [...patches, ...operations, ...puts];
}
