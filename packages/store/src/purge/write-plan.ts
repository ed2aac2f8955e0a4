import { isCtxError } from '@ctx/core';
import type { WriteOperation } from '../backend/store-backend.ts';
import { batchesOf, claimMs, type WorkPlace } from '../work/work-place.ts';
import { planPurge } from './plan-purge.ts';
import { type PurgeRecord, purgesOf, readPurge } from './purge-record.ts';
import { batchOf, type PurgeStep } from './purge-step.ts';
import { sequenceText } from '../records/sequence-text.ts';

/** What one batch may weigh. */
export const batchWeight = 500;
/** A checkpoint goes with the parts of its manifest, and maybe contents; one that stays, and a part of it, is written as a whole. */
const heavyWeight = 25;
const heavy: ReadonlySet<PurgeStep['type']> = new Set(['checkpoint', 'owner', 'part']);

const weightOf = ({ type }: PurgeStep): number => (heavy.has(type) ? heavyWeight : 1);

/** The plan while it is written: each write says that the worker is still there. */
interface Writing {
  readonly write: (operations: readonly WriteOperation[]) => Promise<void>;
  readonly end: (planned: { records: number; batches: number }) => Promise<void>;
}

function writingOf(place: WorkPlace, { id, version: first }: PurgeRecord): Writing {
  const { backend, clock, worker } = place;
  const purges = purgesOf(place);
  let version = first;
  const put = async (
    columns: Readonly<Record<string, string | number | null>>,
    operations: readonly WriteOperation[],
  ): Promise<void> => {
    const patch = purges.patch({ key: [id], columns, expectVersion: version });
    await backend.write([...operations, patch], { durability: 'power' });
    version += 1;
  };
  return {
    write: (operations) => put({ worker, claimed_until: clock() + claimMs }, operations),
    end: ({ records, batches }) => {
      return put({ stage: 'working', worker: null, claimed_until: null, records, batches }, []);
    },
  };
}

/** Takes away what another worker had written of its plan: nothing of it was done. */
async function clearPlan(place: WorkPlace, id: string, { write }: Writing): Promise<void> {
  const batches = batchesOf(place);
  let found: WriteOperation[] = [];
  for await (const { key } of batches.scan({ index: 'key', equal: [id], part: 'columns' })) {
    found.push(batches.remove({ key }));
    if (found.length < batchWeight) continue;
    await write(found);
    found = [];
  }
  await write(found);
}

async function writeBatches(
  place: WorkPlace,
  { id, scope }: PurgeRecord,
  { write, end }: Writing,
): Promise<void> {
  if (scope === undefined) return;
  const batches = batchesOf(place);
  const { steps } = await planPurge(place.backend, { tenant: place.tenant, scope });
  let waiting: PurgeStep[] = [];
  let weight = 0;
  let records = 0;
  let sequence = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const columns = { records: waiting.length, claimed_until: 0 };
    const key = [id, sequenceText(sequence)];
    const body = JSON.stringify(batchOf(waiting));
    await write([batches.put({ key, columns, body, expectVersion: 0 })]);
    records += waiting.length;
    sequence += 1;
    waiting = [];
    weight = 0;
  };
  for await (const step of steps) {
    waiting.push(step);
    weight += weightOf(step);
    if (weight >= batchWeight) await flush();
  }
  await flush();
  await end({ records, batches: sequence });
}

/**
 * Looks for what a purge destroys and writes it down in batches, unless another process does so now. Returns the purge as it is then;
 * `undefined` where it is gone.
 * Of several workers one plans; where it dies another begins anew. Costs as much as the plan, and a write for each batch.
 */
export async function writePlan(
  place: WorkPlace,
  purge: PurgeRecord,
): Promise<PurgeRecord | undefined> {
  if (purge.stage !== 'planning' || purge.scope === undefined) return purge;
  if (purge.claimedUntil > place.clock()) return purge;
  const writing = writingOf(place, purge);
  try {
    await writing.write([]);
    await clearPlan(place, purge.id, writing);
    await writeBatches(place, purge, writing);
  } catch (error) {
    // Another worker has taken it over: what it writes counts.
    if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
  }
  return readPurge(place, purge.id);
}
