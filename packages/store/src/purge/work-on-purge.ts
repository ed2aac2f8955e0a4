import { isCtxError } from '@ctx/core';
import type { WriteOperation } from '../backend/store-backend.ts';
import {
  apiKeysCollection,
  registryTenant,
  storeCollections,
  tenantsCollection,
} from '../collections/collections.ts';
import { accessCollection } from '../records/collection-access.ts';
import { claimBatch, hasBatches } from '../work/claim-batch.ts';
import { workEnd } from '../work/open-works.ts';
import type { WorkPlace } from '../work/work-place.ts';
import { applyBatch } from './apply-batch.ts';
import { apiKeysOf } from './plan-purge.ts';
import { listPurges, type PurgeRecord, purgesOf, readPurge } from './purge-record.ts';
import { writePlan } from './write-plan.ts';

/** How long it is told that a purge ended, ms. */
const rememberMs = 30 * 86_400_000;

/** How a worker works. */
export interface PurgeWorkOptions {
  /** Asked between batches: the rest is left to others, or to later. Default: never. */
  readonly shouldStop?: () => boolean;
  /** Called after each batch of this worker. */
  readonly onBatch?: (done: PurgeShare) => void;
}

/** What one worker did of a purge. */
export interface PurgeShare {
  readonly records: number;
  readonly batches: number;
}

/** What became of a purge, as far as this worker knows. */
export interface PurgeWork extends PurgeShare {
  /**
   * `ended`: nothing of it is left. `taken`: what is left is claimed by others; look again. `stopped`: this worker was told to stop.
   */
  readonly state: 'ended' | 'taken' | 'stopped';
}

/** The keys of a tenant and its name, which stand in the registry. */
async function registryRemovals({ backend, tenant }: WorkPlace): Promise<WriteOperation[]> {
  const collection = apiKeysCollection.name;
  const tenants = accessCollection(backend, tenantsCollection, registryTenant);
  const keys = await apiKeysOf(backend, tenant);
  const removals = keys.map((key): WriteOperation => ({ type: 'delete', collection, key }));
  return [...removals, tenants.remove({ key: [tenant] })];
}

/** What is told of purges that ended long ago, or, with a whole tenant, at any time. */
async function oldRemovals(place: WorkPlace, isAll: boolean): Promise<WriteOperation[]> {
  const before = isAll ? Number.POSITIVE_INFINITY : place.clock() - rememberMs;
  const purges = purgesOf(place);
  return (await listPurges(place))
    .filter(({ stage, endedAt = 0 }) => stage === 'ended' && endedAt < before)
    .map(({ id }) => purges.remove({ key: [id] }));
}

/** Says that a purge ended, without any name; of a whole tenant not even that is left. */
async function endPurge(place: WorkPlace, purge: PurgeRecord): Promise<void> {
  const { backend, tenant, clock } = place;
  const { id, version: expectVersion, scope, startedAt, records, batches } = purge;
  const isAll = scope !== undefined && 'all' in scope;
  const purges = purgesOf(place);
  const columns = { started_at: startedAt, stage: 'ended', ended_at: clock(), records, batches };
  const last = isAll
    ? purges.remove({ key: [id], expectVersion })
    : purges.put({ key: [id], columns, body: '{}', expectVersion });
  const operations = [
    ...(isAll ? await registryRemovals(place) : []),
    ...(await oldRemovals(place, isAll)),
    ...[last, workEnd(backend, { tenant, workId: id })],
  ];
  try {
    await backend.write(operations, { durability: 'power' });
  } catch (error) {
    // Another worker ended it.
    if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
  }
}

/** Has the store take the words of all that was destroyed out of its full text. Deletes records that nothing has as their key. */
async function eraseWords({ backend, tenant }: WorkPlace): Promise<void> {
  const searched = storeCollections.filter(({ search }) => search.length > 0);
  const operations = searched.map(({ name, key }): WriteOperation => {
    const nothing = key.map((_, at) => (at === 0 ? tenant : ''));
    return { type: 'delete', collection: name, key: nothing, erases: true };
  });
  await backend.write(operations, { durability: 'power' });
}

/** Destroys batch after batch. `none`: none is left, not even of others. */
async function workOnBatches(
  place: WorkPlace,
  purgeId: string,
  { shouldStop = () => false, onBatch = () => undefined }: PurgeWorkOptions,
): Promise<PurgeShare & { readonly state: 'none' | 'taken' | 'stopped' }> {
  let records = 0;
  let batches = 0;
  for (;;) {
    const claimed = await claimBatch(place, purgeId);
    if (claimed === 'taken' || claimed === 'none') return { state: claimed, records, batches };
    if (await applyBatch(place, claimed)) {
      records += claimed.records;
      batches += 1;
      onBatch({ records, batches });
    }
    if (shouldStop() && (await hasBatches(place, purgeId)))
      return { state: 'stopped', records, batches };
  }
}

/**
 * Works on a purge as long as a part of it is not claimed by another process: plans it where that was not done, then destroys it
 * batch by batch, and ends it. Any number of processes may do so at once.
 * Each batch is done once; that of a worker that died is done by another after `claimMs`. A purge that is gone has ended.
 */
export async function workOnPurge(
  place: WorkPlace,
  purgeId: string,
  options: PurgeWorkOptions = {},
): Promise<PurgeWork> {
  const found = await readPurge(place, purgeId);
  const purge = found && (await writePlan(place, found));
  const nothing: PurgeShare = { records: 0, batches: 0 };
  if (purge?.stage === 'planning') return { state: 'taken', ...nothing };
  if (purge?.stage !== 'working') return { state: 'ended', ...nothing };
  const { state, ...mine } = await workOnBatches(place, purgeId, options);
  if (state !== 'none') return { state, ...mine };
  // Before the end, so that it is done again where a worker dies meanwhile.
  await eraseWords(place);
  await endPurge(place, purge);
  return { state: 'ended', ...mine };
}
