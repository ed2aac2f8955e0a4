import { CtxError, isCtxError } from '@ctx/core';
import {
  type ContextStore,
  type OpenWork,
  type RetentionPolicy,
  type WorkPlace,
  works,
} from '@ctx/store';
import type { PutOperation, RecordKey } from '@ctx/store/backend';
import * as z from 'zod';
import { type Lease, takeLease } from './lease.ts';

/** Outputs that one batch deletes. */
const batchOutputs = 200;
/** Outputs whose keys are held at once, at most. */
const planOutputs = 5000;
const silenceMs = 60_000;
/** How often who planned looks whether the others are done, ms. */
const lookMs = 50;
const numberDigits = 15;

/** The name of the work: a tenant has one. */
export const retentionWork = 'retention';

/** Where outputs are retained. */
export interface RetainPlace extends WorkPlace {
  readonly outputs: Pick<ContextStore['outputs'], 'planRetention' | 'delete'>;
}

/** What is retained, and how often. */
export interface RetainWork extends RetainPlace {
  readonly policy: RetentionPolicy;
  /** No process plans if one did so within this time, ms. */
  readonly everyMs: number;
}

/** What a worker did, and whether there is more that others are at. */
export interface RetainShare {
  readonly deleted: number;
  readonly batches: number;
  readonly state: 'ended' | 'taken';
}

/** Outputs that leave, and which plan of this call that is. */
interface Planned {
  readonly leaving: readonly RecordKey[];
  readonly number: number;
}

/** A batch that this worker alone may do now. */
type Claimed = Exclude<Awaited<ReturnType<typeof works.claim>>, string>;

const workOf = ({ tenant }: WorkPlace): OpenWork => ({
  ...{ tenant, workId: retentionWork, kind: 'retention' },
});

const batchSchema: z.ZodType<readonly (readonly string[])[]> = z.array(z.array(z.string()));

function namesIn({ body }: Claimed): { readonly sessionId: string; readonly id: string }[] {
  const keys = batchSchema.safeParse(JSON.parse(body)).data;
  if (keys === undefined) {
    throw new CtxError('CTX_STORE_CORRUPT', 'a batch of retention cannot be read');
  }
  return keys.map(([sessionId = '', id = '']) => ({ sessionId, id }));
}

/** Takes a batch away that was done; another worker may have done it as well. */
async function settle({ backend }: WorkPlace, { removal }: Claimed): Promise<void> {
  try {
    await backend.write([removal]);
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
  }
}

/**
 * Takes the note away, unless another plan came meanwhile: its note may have the version that was read here, but then there are batches.
 */
async function endRetention(place: RetainPlace): Promise<void> {
  const { backend } = place;
  const expectVersion = await works.noteVersion(backend, workOf(place));
  if (expectVersion === 0 || (await works.hasBatches(place, retentionWork))) return;
  const left = works.batchesOf(place).emptyRange({ index: 'key', equal: [retentionWork] });
  try {
    await backend.write([{ ...works.end(backend, workOf(place)), expectVersion }], {
      emptyRanges: [left],
    });
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
  }
}

/**
 * Does the batches that wait and that no process has claimed. Any number of processes may do so at once.
 * A batch is done by one of them; where one died another does it after `claimMs`.
 */
export async function helpRetention(
  place: RetainPlace,
  shouldStop: () => boolean = () => false,
): Promise<RetainShare> {
  let deleted = 0;
  let batches = 0;
  while (!shouldStop()) {
    const claimed = await works.claim(place, retentionWork);
    if (claimed === 'taken') break;
    if (claimed === 'none') {
      await endRetention(place);
      return { deleted, batches, state: 'ended' };
    }
    deleted += await place.outputs.delete(namesIn(claimed));
    batches += 1;
    await settle(place, claimed);
  }
  return { deleted, batches, state: 'taken' };
}

/** Writes the batches of a plan, newest output first, and lets other processes find them. */
async function share(place: RetainPlace, plan: Planned): Promise<void> {
  const { backend, clock } = place;
  const batches = works.batchesOf(place);
  const newestFirst = plan.leaving.toReversed();
  const puts: PutOperation[] = [];
  for (let from = 0; from < newestFirst.length; from += batchOutputs) {
    const names = newestFirst.slice(from, from + batchOutputs);
    const columns = { records: names.length, claimed_until: 0 };
    // Never the name of an earlier batch: whoever was silent must not take this one for its own.
    const numbers = [clock(), plan.number, puts.length];
    const name = numbers.map((number) => String(number).padStart(numberDigits, '0')).join('-');
    const body = JSON.stringify(names);
    puts.push(batches.put({ key: [retentionWork, name], columns, body, expectVersion: 0 }));
  }
  await backend.write([...puts, works.note(backend, workOf(place), clock())]);
}

/** Helps until nothing is left, also of what others claimed, or another process plans by now. */
async function finish(
  place: RetainPlace,
  lease: Lease,
): Promise<{ readonly deleted: number; readonly isMine: boolean }> {
  let deleted = 0;
  for (;;) {
    const done = await helpRetention(place);
    deleted += done.deleted;
    if (!(await lease.renew())) return { deleted, isMine: false };
    if (done.state === 'ended') return { deleted, isMine: true };
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
}

/**
 * Lets the outputs of a tenant go that are beyond the limits. Any process may call it; there is no leader.
 * One process at a time plans, whichever comes first; the batches of the plan are done by all that look for work, each by one
 * of them. Where one died another goes on. Gives how many outputs went by this process. Costs as much as the plan, and two writes a batch.
 */
export async function retainOutputs(work: RetainWork): Promise<number> {
  const { outputs, policy, everyMs } = work;
  const lease = await takeLease(work, { name: retentionWork, silenceMs, restMs: everyMs });
  if (lease === undefined) return (await helpRetention(work)).deleted;
  // What one that died has left comes first.
  let { deleted, isMine } = await finish(work, lease);
  let isAll = false;
  for (let number = 0; isMine && !isAll; number += 1) {
    const { leaving } = await outputs.planRetention({ ...policy, atOnce: planOutputs });
    isAll = leaving.length < planOutputs;
    if (leaving.length === 0) break;
    await share(work, { leaving, number });
    const done = await finish(work, lease);
    deleted += done.deleted;
    isMine = done.isMine;
  }
  if (isMine) await lease.end();
  return deleted;
}
