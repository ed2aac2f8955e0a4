import { isCtxError } from '@ctx/core';
import type { DeleteOperation, StoredRecord } from '../backend/store-backend.ts';
import { batchesOf, claimMs, type WorkPlace } from './work-place.ts';

/** A part of a work that this worker alone may do now. */
export interface ClaimedBatch {
  /** Records it is about. */
  readonly records: number;
  /** What is to be done, as JSON text. */
  readonly body: string;
  /** Belongs to the last write of the batch: that write is refused where another worker claimed it since. */
  readonly removal: DeleteOperation;
  /** Whether it is still this worker's. Reads one record's columns. */
  readonly isMine: () => Promise<boolean>;
}

/** Workers that look at the same moment begin at different ones of so many free batches. */
const candidates = 8;

/** The free ones that come first, from another place for each worker. */
async function freeBatches(place: WorkPlace, workId: string): Promise<StoredRecord[]> {
  const found: StoredRecord[] = [];
  const query = { index: 'by_claim', equal: [workId], range: { to: place.clock() } };
  const few = { ...query, limit: candidates, part: 'columns' } as const;
  for await (const record of batchesOf(place).scan(few)) found.push(record);
  const from = found.length === 0 ? 0 : place.worker.charCodeAt(0) % found.length;
  return [...found.slice(from), ...found.slice(0, from)];
}

/** Whether a work has batches, claimed or not. */
export async function hasBatches(place: WorkPlace, workId: string): Promise<boolean> {
  const query = { index: 'by_claim', equal: [workId], limit: 1, part: 'columns' } as const;
  for await (const _ of batchesOf(place).scan(query)) return true;
  return false;
}

/** Claims one batch; `undefined` where another worker was faster. */
async function claim(place: WorkPlace, found: StoredRecord): Promise<ClaimedBatch | undefined> {
  const { backend, clock, worker } = place;
  const batches = batchesOf(place);
  const { key } = found;
  const columns = { worker, claimed_until: clock() + claimMs };
  try {
    await backend.write([batches.patch({ key, columns, expectVersion: found.version })]);
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CONFLICT')) return undefined;
    throw error;
  }
  const expectVersion = found.version + 1;
  const whole = await batches.get(key);
  if (whole?.version !== expectVersion) return undefined;
  return {
    records: Number(found.columns['records']),
    body: whole.body,
    removal: batches.remove({ key, expectVersion }),
    isMine: async () => (await batches.get(key, 'columns'))?.version === expectVersion,
  };
}

/**
 * Claims a batch of a work that no worker has, or whose worker has been silent for too long. `taken`: all that are left are claimed;
 * `none`: none is left.
 * Of those that want one batch at the same moment one gets it. Takes a step of an index, a write and a read.
 */
export async function claimBatch(
  place: WorkPlace,
  workId: string,
): Promise<ClaimedBatch | 'taken' | 'none'> {
  for (;;) {
    const free = await freeBatches(place, workId);
    if (free.length === 0) return (await hasBatches(place, workId)) ? 'taken' : 'none';
    for (const found of free) {
      const claimed = await claim(place, found);
      if (claimed !== undefined) return claimed;
    }
  }
}
