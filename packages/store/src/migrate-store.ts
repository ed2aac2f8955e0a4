import { CtxError, isCtxError } from '@ctx/core';
import { guardBackend } from './backend/guard-backend.ts';
import type {
  CollectionDefinition,
  StoreBackend,
  StoredRecord,
  WriteOperation,
} from './backend/store-backend.ts';
import { registryTenant, storeCollections, tenantsCollection } from './collections/collections.ts';
import { wordsOfRecord } from './collections/record-words.ts';
import { readAround } from './records/read-around.ts';

/** How a migration runs. */
export interface MigrateOptions {
  /** Compare every record of both stores afterwards, both ways. Default false. */
  readonly verify?: boolean;
  /** Called after each batch. */
  readonly onProgress?: (progress: MigrationProgress) => void;
  readonly signal?: AbortSignal;
}

export interface MigrationProgress {
  readonly tenant: string;
  readonly collection: string;
  /** Records copied so far, in all. */
  readonly copied: number;
  /** What the source is read for: first to be copied, then, with `verify`, to be compared. */
  readonly step: 'copying' | 'comparing';
  /** Records of the source that this step has read, those that stand in the target already included. */
  readonly records: number;
  /** Records of the source. */
  readonly all: number;
}

/** What a migration did. */
export interface MigrationReceipt {
  readonly tenants: number;
  readonly copied: number;
  /** Records that stood in the target already, equal. A migration that was cut off goes on this way. */
  readonly unchanged: number;
  /** Records compared, if asked for. */
  readonly verified?: number;
  /** What the source says of each record that it could not give, and that the target lacks or keeps as it was; at most 100. */
  readonly unreadable: readonly string[];
  /** Records that differ or stand on one side only; empty means identical. At most 100 are named. */
  readonly differences: readonly string[];
}

const batchSize = 200;
const maxDifferences = 100;

/** Whether two records say the same; versions may differ. */
function isSame(left: StoredRecord, right: StoredRecord | undefined): boolean {
  if (left.body !== right?.body) return false;
  return Object.entries(left.columns).every(([name, value]) => right.columns[name] === value);
}

function isThere(_: StoredRecord, there: StoredRecord | undefined): boolean {
  return there !== undefined;
}

async function tenantsOf(backend: StoreBackend): Promise<string[]> {
  const tenants: string[] = [registryTenant];
  const all = {
    ...{ collection: tenantsCollection.name, index: 'key', equal: [registryTenant] },
    part: 'columns',
  } as const;
  for await (const record of backend.scan(all)) tenants.push(record.key[1] ?? '');
  return tenants;
}

interface Copying {
  readonly from: StoreBackend;
  readonly to: StoreBackend;
  readonly definition: CollectionDefinition;
  readonly tenant: string;
}

/**
 * A record with its search words: without them where they are those of another record that cannot be read, which is named itself.
 * What cannot be read itself is left out, so that it never takes the place of a good copy in the target.
 */
async function readWithWords({ from, definition }: Copying, record: StoredRecord) {
  try {
    return { words: await wordsOfRecord(from, definition.name, record) };
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
    const isOfAnother = typeof record.columns['content_of'] === 'string' && holdsJson(record.body);
    return isOfAnother ? { words: undefined } : { unreadable: error.message };
  }
}

function holdsJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** Copies the records that the target lacks or has otherwise. Returns how many were copied and how many stood there. */
async function copyBatch(
  copying: Copying,
  batch: readonly StoredRecord[],
  onUnreadable: (reason: string) => void,
): Promise<{ copied: number; unchanged: number }> {
  const { to, definition } = copying;
  const present = await to.get(
    definition.name,
    batch.map((record) => record.key),
  );
  const operations: WriteOperation[] = [];
  let unchanged = 0;
  for (const [index, record] of batch.entries()) {
    if (isSame(record, present[index])) {
      unchanged += 1;
      continue;
    }
    const { words, unreadable } = await readWithWords(copying, record);
    if (unreadable !== undefined) {
      onUnreadable(unreadable);
      continue;
    }
    operations.push({
      type: 'put',
      collection: definition.name,
      key: record.key,
      columns: record.columns,
      body: record.body,
      ...(words === undefined ? {} : { words }),
    });
  }
  if (operations.length > 0) await to.write(operations);
  return { copied: operations.length, unchanged };
}

/** Records of the source in batches; `onUnreadable` is told of each that is left out. */
async function* batchesOf(
  backend: StoreBackend,
  copying: Copying,
  onUnreadable: (reason: string) => void,
): AsyncGenerator<StoredRecord[]> {
  let batch: StoredRecord[] = [];
  let bytes = 0;
  const query = { index: 'key', equal: [copying.tenant] };
  for await (const read of readAround(backend, copying.definition, query)) {
    if ('unreadable' in read) {
      onUnreadable(read.unreadable);
      continue;
    }
    const { record } = read;
    batch.push(record);
    bytes += record.body.length;
    if (batch.length < batchSize && bytes < 8_000_000) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Returns what tells `onProgress` of each batch. Counts the source first, if there is a listener. */
async function batchTeller(
  from: StoreBackend,
  tenants: readonly string[],
  { onProgress }: MigrateOptions,
): Promise<(copying: Copying, batch: readonly StoredRecord[], copied?: number) => void> {
  if (onProgress === undefined) return () => undefined;
  let all = 0;
  for (const tenant of tenants) {
    for (const { name: collection } of storeCollections) {
      const [found] = await from.tally({ collection, index: 'key', equal: [tenant] });
      all += found?.count ?? 0;
    }
  }
  const read = { copying: 0, comparing: 0 };
  let last = 0;
  return ({ tenant, definition }, { length }, copied) => {
    const step = copied === undefined ? 'comparing' : 'copying';
    read[step] += length;
    last = copied ?? last;
    const records = Math.min(read[step], all);
    onProgress({ tenant, collection: definition.name, copied: last, step, records, all });
  };
}

interface Comparing {
  readonly isRight: (record: StoredRecord, there: StoredRecord | undefined) => boolean;
  readonly onBatch?: (copying: Copying, batch: readonly StoredRecord[]) => void;
}

/** Looks each record of `from` up in `to`, and names those that are not there as they should be. */
async function compare(
  copying: Copying,
  { isRight, onBatch }: Comparing,
  differences: string[],
): Promise<number> {
  let compared = 0;
  // What the source cannot give was named by the copying; what the target cannot, where it is looked up.
  for await (const batch of batchesOf(copying.from, copying, () => undefined)) {
    const present = await copying.to.get(
      copying.definition.name,
      batch.map((record) => record.key),
    );
    for (const [index, record] of batch.entries()) {
      compared += 1;
      if (isRight(record, present[index])) continue;
      if (differences.length < maxDifferences) {
        differences.push(`${copying.definition.name}: ${record.key.join(' / ')}`);
      }
    }
    onBatch?.(copying, batch);
  }
  return compared;
}

/**
 * Copies all tenants and collections of one backend into another; search words are made again, versions begin at 1.
 * The source is only read; what of it cannot be read is named, and the rest copied. Run again after an interruption it copies what is
 * missing and doubles nothing.
 * Holds one batch (8 MB) in memory.
 * @throws `CTX_ABORTED` and the codes of either store.
 */
export async function migrateStore(
  fromBackend: StoreBackend,
  toBackend: StoreBackend,
  options: MigrateOptions = {},
): Promise<MigrationReceipt> {
  const from = guardBackend(fromBackend);
  const to = guardBackend(toBackend);
  await from.open(storeCollections);
  await to.open(storeCollections);
  const tenants = await tenantsOf(from);
  const copyings = tenants.flatMap((tenant) =>
    storeCollections.map((definition): Copying => ({ from, to, definition, tenant })),
  );
  const tell = await batchTeller(from, tenants, options);
  let copied = 0;
  let unchanged = 0;
  const unreadable: string[] = [];
  const onUnreadable = (reason: string): void => {
    if (unreadable.length < maxDifferences) unreadable.push(reason);
  };
  for (const copying of copyings) {
    for await (const batch of batchesOf(from, copying, onUnreadable)) {
      if (options.signal?.aborted === true) {
        throw new CtxError('CTX_ABORTED', `the migration stopped after ${String(copied)} records`);
      }
      const done = await copyBatch(copying, batch, onUnreadable);
      copied += done.copied;
      unchanged += done.unchanged;
      tell(copying, batch, copied);
    }
  }
  const receipt = { tenants: tenants.length - 1, copied, unchanged, unreadable };
  if (options.verify !== true) return { ...receipt, differences: [] };
  const differences: string[] = [];
  let verified = 0;
  for (const copying of copyings) {
    verified += await compare(copying, { isRight: isSame, onBatch: tell }, differences);
    await compare({ ...copying, from: to, to: from }, { isRight: isThere }, differences);
  }
  return { ...receipt, verified, differences };
}
