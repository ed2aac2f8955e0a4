import { CtxError } from '@ctx/core';
import type { CollectionAccess } from '@ctx/store';
import type { StoredRecord } from '@ctx/store/backend';
import type { SaverHost } from './saver-host.ts';

/** Records that are written or removed at once. */
const batchSize = 200;

async function firstOf(
  collection: CollectionAccess,
  threadId: string,
): Promise<StoredRecord | undefined> {
  const first = { index: 'key', equal: [threadId], limit: 1, part: 'columns' } as const;
  for await (const record of collection.scan(first)) return record;
  return undefined;
}

async function clearCollection(
  { store }: SaverHost,
  collection: CollectionAccess,
  threadId: string,
): Promise<void> {
  const batch = { index: 'key', equal: [threadId], limit: batchSize, part: 'columns' } as const;
  for (;;) {
    const keys: StoredRecord['key'][] = [];
    for await (const { key } of collection.scan(batch)) keys.push(key);
    if (keys.length === 0) return;
    await store.records.write(keys.map((key) => collection.remove({ key })));
  }
}

/**
 * Removes all of a thread. Its checkpoints go first, so that none is there without its parts; one that comes in meanwhile, of which parts
 * may have gone with the rest, goes, too.
 */
export async function deleteThread(host: SaverHost, threadId: string): Promise<void> {
  do {
    for (const collection of [host.checkpoints, host.writes, host.parts]) {
      await clearCollection(host, collection, threadId);
    }
  } while ((await firstOf(host.checkpoints, threadId)) !== undefined);
}

async function copyCollection(
  { store }: SaverHost,
  collection: CollectionAccess,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<number> {
  let copied = 0;
  let batch: StoredRecord[] = [];
  const write = async (): Promise<void> => {
    const puts = batch.map(({ key, columns, body }) =>
      collection.put({ key: [to, ...key.slice(1)], columns, body, expectVersion: 0 }),
    );
    if (puts.length > 0) await store.records.write(puts);
    copied += puts.length;
    batch = [];
  };
  for await (const record of collection.scan({ index: 'key', equal: [from] })) {
    batch.push(record);
    if (batch.length >= batchSize) await write();
  }
  await write();
  return copied;
}

/**
 * Copies a thread with all its checkpoints, and gives their number. The checkpoints go last, so that none is there without its parts.
 * @throws `CTX_NOT_FOUND` where there is no such thread, `CTX_INVALID_INPUT` where the other one is there already.
 */
export async function copyThread(host: SaverHost, from: string, to: string): Promise<number> {
  if ((await firstOf(host.checkpoints, from)) === undefined) {
    throw new CtxError('CTX_NOT_FOUND', `there is no thread ${from}`);
  }
  if ((await firstOf(host.checkpoints, to)) !== undefined) {
    throw new CtxError('CTX_INVALID_INPUT', `the thread ${to} is there already`);
  }
  // What a copy left that was cut off.
  await deleteThread(host, to);
  await copyCollection(host, host.parts, { from, to });
  await copyCollection(host, host.writes, { from, to });
  return copyCollection(host, host.checkpoints, { from, to });
}

/** Each thread with the time of its newest checkpoint, ms since the epoch. */
async function threadTimes({ checkpoints }: SaverHost): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for await (const { key, columns } of checkpoints.scan({ index: 'key', part: 'columns' })) {
    const [threadId = ''] = key;
    times.set(threadId, Math.max(times.get(threadId) ?? 0, Number(columns['created_at'])));
  }
  return times;
}

/** Removes the threads that got no checkpoint for so long, and names them. Reads the columns of all checkpoints. */
export async function expireThreads(
  host: SaverHost,
  { olderThanMs }: { readonly olderThanMs: number },
): Promise<readonly string[]> {
  const until = host.store.clock() - olderThanMs;
  const times = [...(await threadTimes(host))];
  const expired = times.flatMap(([threadId, at]) => (at < until ? [threadId] : []));
  for (const threadId of expired) await deleteThread(host, threadId);
  return expired;
}

/** Removes all threads. */
export async function clearThreads(host: SaverHost): Promise<void> {
  for (const threadId of (await threadTimes(host)).keys()) await deleteThread(host, threadId);
}
