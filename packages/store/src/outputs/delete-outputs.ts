import { CtxError } from '@ctx/core';
import { decodeValue, outputText } from '@ctx/core/encoding';
import { keyText } from '../backend/index-order.ts';
import type { RecordKey, StoredRecord, WriteOperation } from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import { retryOnConflict } from '../records/retry-on-conflict.ts';
import type { OutputLayer } from './output-layers.ts';
import type { OutputPolicy } from './output-policy.ts';
import { bodyOf, readBody } from './output-record.ts';
import { outputWords } from './output-words.ts';

/** What deletion needs. */
export interface DeletionContext extends OutputLayer {
  readonly policy: OutputPolicy;
}

/** Outputs deleted in one write. */
export const deletionBatch = 200;

/** The outputs that show the result of `owner` and are not leaving with it. */
async function heirsOf(
  collection: CollectionAccess,
  owner: StoredRecord,
  leaving: ReadonlySet<string>,
): Promise<StoredRecord[]> {
  const [sessionId = '', id] = owner.key;
  const heirs: StoredRecord[] = [];
  const equal = [sessionId, owner.columns['fingerprint'] ?? null];
  for await (const record of collection.scan({ index: 'by_fingerprint', equal, part: 'columns' })) {
    if (record.columns['content_of'] === id && !leaving.has(keyText(record.key)))
      heirs.push(record);
  }
  return heirs;
}

/** Gives the result of `owner` to the first heir and points the others at it. */
async function handOver(
  { collection, policy }: DeletionContext,
  owner: StoredRecord,
  heirs: readonly StoredRecord[],
): Promise<WriteOperation[]> {
  const [heir, ...others] = heirs;
  if (heir === undefined) return [];
  const [ownerBody, heirBody] = await collection.getMany([owner.key, heir.key]);
  if (ownerBody === undefined || heirBody === undefined) {
    throw new CtxError(
      'CTX_STORE_CONFLICT',
      'an output that shares a result was deleted meanwhile',
    );
  }
  const { result } = readBody(ownerBody);
  const argsJson = JSON.stringify(readBody(heirBody).args);
  const toolName = String(heir.columns['tool_name']);
  const parts = { toolName, argsJson, resultText: outputText(decodeValue(result)) };
  const search = outputWords(parts, policy.searchedCharacters);
  const put = collection.put({
    key: heir.key,
    columns: {
      ...heir.columns,
      content_of: null,
      content_users: others.length,
      searched_characters: policy.searchedCharacters,
      partly_searched: search.isWhole ? 0 : 1,
    },
    body: bodyOf(argsJson, JSON.stringify(result)),
    words: search.words,
    expectVersion: heir.version,
  });
  const patches = others.map((user) =>
    collection.patch({
      key: user.key,
      columns: { content_of: heir.key[1] ?? null },
      expectVersion: user.version,
    }),
  );
  return [put, ...patches];
}

/** Tells the outputs that stay, and whose result the leaving ones showed, how many show it now. */
async function countDown(
  collection: CollectionAccess,
  records: readonly StoredRecord[],
  leaving: ReadonlySet<string>,
): Promise<WriteOperation[]> {
  const sharers = new Map<string, number>();
  const owners: RecordKey[] = [];
  for (const { key, columns } of records) {
    const ownerId = columns['content_of'];
    if (typeof ownerId !== 'string') continue;
    const owner = [key[0] ?? '', ownerId];
    const name = keyText(owner);
    if (leaving.has(name)) continue;
    if (!sharers.has(name)) owners.push(owner);
    sharers.set(name, (sharers.get(name) ?? 0) + 1);
  }
  if (owners.length === 0) return [];
  const found = await collection.getMany(owners, 'columns');
  return found.flatMap((owner) => {
    if (owner === undefined) return [];
    const { key, version: expectVersion } = owner;
    const left = Number(owner.columns['content_users']) - (sharers.get(keyText(key)) ?? 0);
    return [
      collection.patch({ key, columns: { content_users: Math.max(left, 0) }, expectVersion }),
    ];
  });
}

async function deleteBatch(context: DeletionContext, keys: readonly RecordKey[]): Promise<number> {
  const { backend, collection } = context;
  return retryOnConflict(async () => {
    const found = await collection.getMany(keys, 'columns');
    const byKey = new Map(
      found.flatMap((record) => (record ? [[keyText(record.key), record]] : [])),
    );
    const records = [...byKey.values()];
    const leaving = new Set(byKey.keys());
    const operations = await countDown(collection, records, leaving);
    for (const record of records) {
      if (record.columns['content_users'] !== 0) {
        const heirs = await heirsOf(collection, record, leaving);
        operations.push(...(await handOver(context, record, heirs)));
      }
      operations.push(collection.remove({ key: record.key, expectVersion: record.version }));
    }
    if (operations.length > 0) await backend.write(operations);
    return records.length;
  });
}

/**
 * Deletes outputs truly, in bounded batches; a result that other outputs share moves to one of them first.
 * Every other pointer still resolves, whatever is saved or deleted meanwhile. Returns how many were there.
 * A result that is handed over is written again, and each of its other users patched: hand in the newest first, so that
 * users leave before the output that holds their result.
 */
export async function deleteOutputs(
  context: DeletionContext,
  keys: readonly RecordKey[],
): Promise<number> {
  let deleted = 0;
  for (let start = 0; start < keys.length; start += deletionBatch) {
    deleted += await deleteBatch(context, keys.slice(start, start + deletionBatch));
  }
  return deleted;
}
