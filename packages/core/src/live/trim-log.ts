import type { Clock } from '../host/clock.ts';
import { liveEventsCollection } from '../store/collections.ts';
import { collectScan } from '../store/map-scan.ts';
import type { StoreBackend, WriteOperation } from '../store/store-backend.ts';
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

/** The newest sequence number that the store has; 0 where the log is empty. */
export async function readNewest(
  { backend }: Pick<LogPlace, 'backend'>,
  tenantPart: string,
): Promise<number> {
  const query = {
    collection: liveEventsCollection.name,
    index: 'key',
    equal: [tenantPart],
    descending: true,
    limit: 1,
    part: 'columns',
  } as const;
  const [last] = await collectScan(backend.scan(query));
  return Number(last?.key[1] ?? 0);
}

/** Whether the log is looked through as it grows from one number to another. */
export function isTrimmed(before: number, after: number): boolean {
  return Math.floor(before / trimEvery) !== Math.floor(after / trimEvery);
}

/** Deletions of what is too old where the newest event has this number. */
export async function trimOperations(
  { backend, keep }: LogPlace,
  tenantPart: string,
  newest: number,
): Promise<WriteOperation[]> {
  if (newest <= keep) return [];
  const query = {
    collection: liveEventsCollection.name,
    index: 'key',
    equal: [tenantPart],
    range: { to: liveKey(tenantPart, newest - keep)[1] ?? '' },
    limit: trimBatch,
    part: 'columns',
  } as const;
  const operations: WriteOperation[] = [];
  for await (const { key } of backend.scan(query)) {
    operations.push({ type: 'delete', collection: liveEventsCollection.name, key });
  }
  return operations;
}
