import type { Clock } from '@ctx/core';
import { collections } from '@ctx/store';
import type { StoreBackend, WriteOperation } from '@ctx/store/backend';
import { collectScan } from '@ctx/store/backend';
import { liveKey } from './live-record.ts';

/** A log that is kept in a backend. */
export interface LogPlace {
  readonly backend: StoreBackend;
  readonly clock: Clock;
  /** Events that a tenant's log keeps, at least. */
  readonly keep: number;
}

/** The log is looked through for what is too old once in so many events. */
const trimEvery = 256;
/** Most that go with one write. */
const trimBatch = 1024;

/** The sequence number at one end of a log; 0 where it is empty. */
async function readEnd(
  { backend }: Pick<LogPlace, 'backend'>,
  tenantPart: string,
  descending: boolean,
): Promise<number> {
  const query = {
    collection: collections.liveEvents.name,
    index: 'key',
    equal: [tenantPart],
    descending,
    limit: 1,
    part: 'columns',
  } as const;
  const [end] = await collectScan(backend.scan(query));
  return Number(end?.key[1] ?? 0);
}

/** The newest sequence number that the store has; 0 where the log is empty. */
export function readNewest(place: Pick<LogPlace, 'backend'>, tenantPart: string): Promise<number> {
  return readEnd(place, tenantPart, true);
}

/** Whether the log is looked through as it grows from one number to another. */
export function isTrimmed(before: number, after: number): boolean {
  return Math.floor(before / trimEvery) !== Math.floor(after / trimEvery);
}

/**
 * Deletions of what is too old where the newest event has this number. Looks at the oldest one: a log has no gap, so that it
 * tells the numbers of all.
 */
export async function trimOperations(
  place: LogPlace,
  tenantPart: string,
  newest: number,
): Promise<WriteOperation[]> {
  const last = newest - place.keep;
  if (last <= 0) return [];
  const oldest = await readEnd(place, tenantPart, false);
  if (oldest === 0) return [];
  const count = Math.max(0, Math.min(last - oldest + 1, trimBatch));
  const collection = collections.liveEvents.name;
  return Array.from({ length: count }, (_, at): WriteOperation => {
    return { type: 'delete', collection, key: liveKey(tenantPart, oldest + at) };
  });
}
