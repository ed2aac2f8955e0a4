import { CtxError, isCtxError } from '@ctx/core';
import { retryOnConflict } from '@ctx/store';
import type { StoredRecord } from '@ctx/store/backend';
import type {
  GetShape,
  ListNamespacesShape,
  OperationShape,
  PutShape,
  SearchShape,
} from './host-types.ts';
import {
  graphItemOf,
  type ItemsHost,
  indexOf,
  isExpired,
  keyOf,
  putOperation,
  readGraphItem,
  refreshItems,
  searchedTexts,
} from './item-records.ts';
import { namespacesUnder, pickNamespaces, prefixOf } from './namespaces.ts';
import { searchGraphItems } from './search-items.ts';

/** Records that are removed at once. */
const batchSize = 200;

function isPut(operation: OperationShape): operation is PutShape {
  return 'value' in operation;
}

function isSearch(operation: OperationShape): operation is SearchShape {
  return 'namespacePrefix' in operation;
}

function isGet(operation: OperationShape): operation is GetShape {
  return 'namespace' in operation && 'key' in operation;
}

async function getItem(host: ItemsHost, operation: GetShape) {
  const record = await host.items.get(keyOf(operation));
  if (record === undefined || isExpired(record, host.store.clock())) return null;
  await refreshItems(host, [record]);
  return graphItemOf(readGraphItem(record));
}

async function removeAll(host: ItemsHost, records: AsyncIterable<StoredRecord>): Promise<number> {
  const keys: StoredRecord['key'][] = [];
  for await (const { key } of records) keys.push(key);
  for (let at = 0; at < keys.length; at += batchSize) {
    const batch = keys.slice(at, at + batchSize);
    await host.store.records.write(batch.map((key) => host.items.remove({ key })));
  }
  return keys.length;
}

/** Removes records that were not changed since they were read, and returns how many. */
async function removeUnchanged(
  { items, store }: Pick<ItemsHost, 'items' | 'store'>,
  records: readonly StoredRecord[],
): Promise<number> {
  const removals = records.map(({ key, version }) => items.remove({ key, expectVersion: version }));
  try {
    await store.records.write(removals);
    return records.length;
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
    if (records.length === 1) return 0;
  }
  // One of them was put anew or is gone: the others leave one by one.
  let removed = 0;
  for (const record of records) removed += await removeUnchanged({ items, store }, [record]);
  return removed;
}

/** Removes expired items and returns their number. Keeps an item that was put again meanwhile. Reads only expired items. */
export async function sweepItems(host: ItemsHost): Promise<number> {
  const range = { from: 0, to: host.store.clock() };
  const over = host.items.scan({ index: 'by_expiry', range, part: 'columns' });
  const records: StoredRecord[] = [];
  for await (const record of over) records.push(record);
  let removed = 0;
  for (let at = 0; at < records.length; at += batchSize) {
    removed += await removeUnchanged(host, records.slice(at, at + batchSize));
  }
  return removed;
}

/** Removes all items under a namespace, and says how many. */
export async function clearItems(host: ItemsHost, prefix: readonly string[]): Promise<number> {
  const under = namespacesUnder(prefix);
  return removeAll(host, host.items.scan({ index: 'key', ...under, part: 'columns' }));
}

async function listNamespaces(
  host: ItemsHost,
  operation: ListNamespacesShape,
): Promise<string[][]> {
  await sweepItems(host);
  const under = namespacesUnder(prefixOf(operation.matchConditions));
  const tallies = await host.items.tally({ index: 'key', ...under, groupBy: ['namespace'] });
  return pickNamespaces(
    tallies.map(({ group }) => String(group[0])),
    operation,
  );
}

async function vectorsOf(host: ItemsHost, put: PutShape): Promise<number[][] | undefined> {
  if (host.embeddings === undefined || put.value === null) return undefined;
  const texts = searchedTexts(host, { value: { ...put.value }, ...indexOf(put) });
  return texts.length === 0 ? undefined : host.embeddings.embedDocuments(texts);
}

/** All or nothing; of several puts of one item the last counts. */
async function putItems(host: ItemsHost, puts: readonly PutShape[]): Promise<void> {
  const last = new Map(puts.map((put) => [JSON.stringify(keyOf(put)), put]));
  const wanted = [...last.values()];
  const vectors = await Promise.all(wanted.map((put) => vectorsOf(host, put)));
  await retryOnConflict(async () => {
    const known = await host.items.getMany(wanted.map(keyOf), 'columns');
    const operations = wanted.map((put, index) =>
      putOperation(host, { put, before: known[index], vectors: vectors[index] }),
    );
    if (operations.length > 0) await host.store.records.write(operations);
  });
}

function checkPut({ key, value }: PutShape): void {
  if (typeof key !== 'string') throw new CtxError('CTX_INVALID_INPUT', 'a key must be text');
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return;
  throw new CtxError('CTX_INVALID_INPUT', 'the value of an item must be an object, or null');
}

/**
 * Runs operations of LangGraph. What is read is what was there before the puts of the same batch; these are written together
 * or not at all.
 * @throws `CTX_INVALID_INPUT` before anything is written, the codes of the store.
 */
export async function runOperations(
  host: ItemsHost,
  operations: readonly OperationShape[],
): Promise<unknown[]> {
  const puts = operations.filter(isPut);
  for (const put of puts) {
    checkPut(put);
    keyOf(put);
  }
  const results: unknown[] = [];
  for (const operation of operations) {
    if (isPut(operation)) results.push(undefined);
    else if (isSearch(operation)) results.push(await searchGraphItems(host, operation));
    else if (isGet(operation)) results.push(await getItem(host, operation));
    else results.push(await listNamespaces(host, operation));
  }
  await putItems(host, puts);
  return results;
}
