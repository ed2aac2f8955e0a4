import { CtxError, isCtxError } from '@ctx/core';
import { decodeText } from '@ctx/core/encoding';
import type { RecordKey, WriteOperation } from '../backend/store-backend.ts';
import {
  checkpointOf,
  checkpointPut,
  checkpointSummaryOf,
} from '../checkpoints/checkpoint-record.ts';
import { deleteCheckpoints } from '../checkpoints/delete-checkpoints.ts';
import { nameRemovals, takeNames } from '../checkpoints/manifest/take-names.ts';
import {
  checkpointHeadsCollection,
  checkpointPartsCollection,
  checkpointsCollection,
  itemContentsCollection,
} from '../collections/checkpoint-collections.ts';
import { agentFactBodySchema } from '../facts/agent-fact.ts';
import { wordsOfFact } from '../facts/agent-fact-record.ts';
import type { FactDetail } from '../facts/fact-detail.ts';
import { accessCollection } from '../records/collection-access.ts';
import { maxConflictTries } from '../records/retry-on-conflict.ts';
import type { ClaimedBatch } from '../work/claim-batch.ts';
import type { WorkPlace } from '../work/work-place.ts';
import { bodyOf } from './plan-parts.ts';
import { type PurgeBatch, purgeBatchSchema } from './purge-step.ts';

/** Keys by what stands in their second part, such as the agent. */
function byAgent(keys: readonly RecordKey[]): Map<string, RecordKey[]> {
  const groups = new Map<string, RecordKey[]>();
  for (const key of keys) {
    const agent = key[1] ?? '';
    const group = groups.get(agent);
    if (group === undefined) groups.set(agent, [key]);
    else group.push(key);
  }
  return groups;
}

/** A checkpoint of the agent that is being made meanwhile begins again: it would name items that are gone. */
async function headOperation({ backend, tenant, clock }: WorkPlace, agent: string) {
  const heads = accessCollection(backend, checkpointHeadsCollection, tenant);
  const key = [decodeText(agent)];
  const columns = { changed_at: clock() };
  const head = await heads.get(key, 'columns');
  return head === undefined
    ? heads.check({ key, expectVersion: 0 })
    : heads.patch({ key, columns, expectVersion: head.version });
}

/** What checkpoints keep of items. The keys come in their order, as they were found. */
async function contentRemovals(
  { backend }: WorkPlace,
  keys: readonly RecordKey[],
): Promise<WriteOperation[]> {
  const collection = itemContentsCollection.name;
  const removals: WriteOperation[] = [];
  for (const [agent, group] of byAgent(keys)) {
    const [tenant = ''] = group[0] ?? [];
    const ids = group.map((key) => key[2] ?? '');
    const going = new Set(ids);
    const range = { from: ids[0] ?? '', to: ids.at(-1) ?? '' };
    const query = { collection, index: 'key', equal: [tenant, agent], range } as const;
    for await (const { key } of backend.scan({ ...query, part: 'columns' })) {
      if (going.has(key[2] ?? '')) removals.push({ type: 'delete', collection, key });
    }
  }
  return removals;
}

/** What checkpoints read and write. */
function placesOf({ backend, tenant }: WorkPlace) {
  const bound = (definition: Parameters<typeof accessCollection>[1]) =>
    accessCollection(backend, definition, tenant);
  return {
    host: { backend },
    checkpoints: bound(checkpointsCollection),
    parts: bound(checkpointPartsCollection),
    contents: bound(itemContentsCollection),
  };
}

/**
 * Deletes items, agent by agent, with what checkpoints keep of them, and takes their names out of checkpoints that were made since the
 * plan. From the first write on no checkpoint can name them anew, and no restore can bring them back.
 */
async function deleteItems(place: WorkPlace, { items, newest }: PurgeBatch): Promise<void> {
  const planned = new Map(newest);
  for (const [agent, group] of byAgent(items)) {
    const removals = group.map((key): WriteOperation => {
      return { type: 'delete', collection: 'items', key };
    });
    await againOnConflict(async () => {
      // The head first: whoever keeps a content meanwhile changes it.
      const head = await headOperation(place, agent);
      const contents = await contentRemovals(place, group);
      await place.backend.write([...removals, ...contents, head]);
    });
    await takeNames(placesOf(place), {
      agentId: decodeText(agent),
      ids: new Set(group.map((key) => decodeText(key[2] ?? ''))),
      from: (planned.get(agent) ?? -1) + 1,
    });
  }
}

async function removeCheckpoints(place: WorkPlace, keys: readonly RecordKey[]): Promise<void> {
  const places = placesOf(place);
  for (const [agent, group] of byAgent(keys)) {
    const names = group.map((key) => key.slice(1).map(decodeText));
    const records = await places.checkpoints.getMany(names, 'columns');
    const leaving = records.flatMap((record) => (record ? [checkpointSummaryOf(record)] : []));
    await deleteCheckpoints(places, decodeText(agent), leaving);
  }
}

/** The words and the address may be those of a session that goes. */
function withoutSource(detail: FactDetail): FactDetail {
  const { quote: _quote, address: _address, sequence: _sequence, ...rest } = detail;
  return rest;
}

/** Facts without the origins that go; one that has none left goes, too. */
async function factOperations(
  { backend }: WorkPlace,
  facts: PurgeBatch['facts'],
): Promise<WriteOperation[]> {
  const collection = 'facts';
  const keys = facts.map(([key]) => key);
  const records = keys.length === 0 ? [] : await backend.get(collection, keys);
  return records.flatMap((record, at): WriteOperation[] => {
    const going = new Set(facts[at]?.[1]);
    const body = record && agentFactBodySchema.safeParse(bodyOf(record)).data;
    if (record === undefined || body === undefined) return [];
    const { key, columns, version: expectVersion } = record;
    const origins = body.origins.filter(({ sessionId }) => !going.has(sessionId));
    if (origins.length === 0) return [{ type: 'delete', collection, key, expectVersion }];
    const detail = body.detail && withoutSource(body.detail);
    const next = { ...body, origins, ...(detail === undefined ? {} : { detail }) };
    const kept = { collection, key, columns, body: JSON.stringify(next) };
    return [{ type: 'put', ...kept, words: wordsOfFact(record), expectVersion }];
  });
}

/** Events of the live log without names. One that the log has let go meanwhile stays gone. */
async function eventOperations(
  { backend }: WorkPlace,
  keys: readonly RecordKey[],
): Promise<WriteOperation[]> {
  const collection = 'live_events';
  const records = keys.length === 0 ? [] : await backend.get(collection, keys, 'columns');
  return records.flatMap((record): WriteOperation[] => {
    if (record === undefined) return [];
    const { key, version: expectVersion } = record;
    const columns = { ...record.columns, session_id: null, agent_id: null };
    return [{ type: 'put', collection, key, columns, body: '{}', expectVersion }];
  });
}

/** Parts of manifests without the names of what goes. One whose checkpoint was deleted meanwhile stays gone. */
async function partOperations(
  place: WorkPlace,
  parts: PurgeBatch['parts'],
): Promise<WriteOperation[]> {
  if (parts.length === 0) return [];
  const places = placesOf(place);
  const records = await places.parts.getMany(parts.map(([key]) => key.slice(1).map(decodeText)));
  const names = records.flatMap((part, at) => {
    return part === undefined ? [] : [{ part, ids: new Set(parts[at]?.[1]) }];
  });
  return nameRemovals(places, names);
}

/** Checkpoints whose sessions belong to no agent any more. One that was deleted meanwhile stays gone. */
async function ownerOperations(
  place: WorkPlace,
  keys: PurgeBatch['owners'],
): Promise<WriteOperation[]> {
  if (keys.length === 0) return [];
  const { checkpoints } = placesOf(place);
  const records = await checkpoints.getMany(keys.map((key) => key.slice(1).map(decodeText)));
  return records.flatMap((record) => {
    if (record === undefined) return [];
    const { session, ...checkpoint } = checkpointOf(record);
    if (session === undefined) return [];
    const { agentId: _agent, ...rest } = session;
    const put = checkpointPut(checkpoints, { ...checkpoint, session: rest });
    return [{ ...put, expectVersion: record.version }];
  });
}

/** Retries if another writer changed what it had read, while `mayGoOn`. */
async function againOnConflict(
  run: () => Promise<void>,
  mayGoOn: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      await run();
      return true;
    } catch (error) {
      if (!isCtxError(error, 'CTX_STORE_CONFLICT') || tries >= maxConflictTries) throw error;
      if (!(await mayGoOn())) return false;
    }
  }
}

function batchIn({ body }: ClaimedBatch): PurgeBatch {
  const batch = purgeBatchSchema.safeParse(JSON.parse(body)).data;
  if (batch !== undefined) return batch;
  throw new CtxError('CTX_STORE_CORRUPT', 'a batch of a purge cannot be read');
}

/**
 * Destroys what a batch names. False where another worker has taken it over meanwhile.
 * The last write takes the batch away with it, outlives a power cut, and is refused where the batch is another worker's;
 * what comes before it may be done twice.
 */
export async function applyBatch(place: WorkPlace, claimed: ClaimedBatch): Promise<boolean> {
  const batch = batchIn(claimed);
  await deleteItems(place, batch);
  await removeCheckpoints(place, batch.checkpoints);
  const removals = batch.records.flatMap(([collection, keys]) =>
    keys.map((key): WriteOperation => ({ type: 'delete', collection, key })),
  );
  return againOnConflict(async () => {
    const operations = [
      ...removals,
      ...(await factOperations(place, batch.facts)),
      ...(await eventOperations(place, batch.liveEvents)),
      // Parts give their checkpoint another version.
      ...(await ownerOperations(place, batch.owners)),
      ...(await partOperations(place, batch.parts)),
      claimed.removal,
    ];
    await place.backend.write(operations, { durability: 'power' });
  }, claimed.isMine);
}
