import type { Clock, IdSource } from '@ctx/core';
import type { StoreBackend, StoredRecord } from '../backend/store-backend.ts';
import { purgesCollection, workBatchesCollection } from '../collections/work-collections.ts';
import { accessCollection, type CollectionAccess } from '../records/collection-access.ts';
import { workNote } from '../work/open-works.ts';
import { bodyOf } from './plan-parts.ts';
import { type PurgeScope, purgeScopeSchema } from './purge-scope.ts';
import { countsOf, purgeBatchSchema } from './purge-step.ts';

/**
 * How far a purge is: what it destroys is looked for and written down; it is destroyed, batch by batch; nothing of it is left.
 * While it is planned nothing is destroyed, so that a plan that was cut off is made anew.
 */
export type PurgeStage = 'planning' | 'working' | 'ended';

/** A purge as it is kept. */
export interface PurgeRecord {
  readonly id: string;
  readonly version: number;
  readonly stage: PurgeStage;
  /** `undefined` where it ended: names go with what they name. */
  readonly scope: PurgeScope | undefined;
  /** ms since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** What was planned; 0 until then. */
  readonly records: number;
  readonly batches: number;
  /** Until when the worker that plans has said that it is there, ms since the epoch. */
  readonly claimedUntil: number;
}

/** Where purges of a tenant are kept. */
export interface PurgeKeeping {
  readonly backend: StoreBackend;
  readonly tenant: string;
}

/** The same, with the time. */
export interface TimedKeeping extends PurgeKeeping {
  readonly clock: Clock;
}

/** The purges of a tenant, as records. Costs nothing. */
export function purgesOf({ backend, tenant }: PurgeKeeping): CollectionAccess {
  return accessCollection(backend, purgesCollection, tenant);
}

function purgeOf(record: StoredRecord): PurgeRecord {
  const { key, columns, version } = record;
  const { stage, ended_at: endedAt } = columns;
  return {
    id: key[0] ?? '',
    version,
    stage: stage === 'working' || stage === 'ended' ? stage : 'planning',
    scope: purgeScopeSchema.safeParse(bodyOf(record)).data,
    startedAt: Number(columns['started_at']),
    endedAt: endedAt === undefined || endedAt === null ? undefined : Number(endedAt),
    records: Number(columns['records'] ?? 0),
    batches: Number(columns['batches'] ?? 0),
    claimedUntil: Number(columns['claimed_until'] ?? 0),
  };
}

/** The purges of a tenant: those that go on, and those that ended lately. Reads a few records. */
export async function listPurges(place: PurgeKeeping): Promise<PurgeRecord[]> {
  const found: PurgeRecord[] = [];
  for await (const record of purgesOf(place).scan({ index: 'key' })) found.push(purgeOf(record));
  return found.toSorted((one, other) => one.startedAt - other.startedAt);
}

/** One of them. */
export async function readPurge(place: PurgeKeeping, id: string): Promise<PurgeRecord | undefined> {
  const record = await purgesOf(place).get([id]);
  return record && purgeOf(record);
}

/**
 * Begins a purge: from here on any process ends it, also where this one dies. It outlives a power cut. Gives its id.
 */
export async function beginPurge(
  place: TimedKeeping & { readonly ids: IdSource },
  scope: PurgeScope,
): Promise<string> {
  const { backend, tenant, clock, ids } = place;
  const workId = ids();
  const columns = { started_at: clock(), stage: 'planning' };
  const body = JSON.stringify(scope);
  const put = purgesOf(place).put({ key: [workId], columns, body, expectVersion: 0 });
  // In one write: who finds the note finds the purge.
  const note = workNote(backend, { tenant, workId, kind: 'purge' }, clock());
  await backend.write([put, note], { durability: 'power' });
  return workId;
}

/** What is left of a purge. */
export interface PurgeProgress {
  readonly records: number;
  readonly batches: number;
  /** Workers that are at it now. */
  readonly workers: number;
}

/** Counts the batches that are left. */
export async function purgeProgress(place: TimedKeeping, id: string): Promise<PurgeProgress> {
  const batches = accessCollection(place.backend, workBatchesCollection, place.tenant);
  const left = { index: 'by_claim', equal: [id] } as const;
  const [all] = await batches.tally({ ...left, sums: ['records'] });
  const range = { from: place.clock(), fromExclusive: true };
  const groups = await batches.tally({ ...left, range, groupBy: ['worker'] });
  return { records: all?.sums[0] ?? 0, batches: all?.count ?? 0, workers: groups.length };
}

/** What is left of a purge that is planned, by name as {@link countedAs} names it. Reads its batches, one by one. */
export async function purgeCounts(
  place: PurgeKeeping,
  id: string,
): Promise<Record<string, number>> {
  const batches = accessCollection(place.backend, workBatchesCollection, place.tenant);
  const counts: Record<string, number> = {};
  for await (const record of batches.scan({ index: 'key', equal: [id] })) {
    const batch = purgeBatchSchema.safeParse(bodyOf(record)).data;
    for (const [name, many] of Object.entries(batch === undefined ? {} : countsOf(batch))) {
      counts[name] = (counts[name] ?? 0) + many;
    }
  }
  return counts;
}
