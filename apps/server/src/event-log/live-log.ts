import { accessCollection, collections } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { appendedPart, collectScan } from '@ctx/store/backend';
import type { LiveEvent } from './live-event.ts';
import { liveEventOf } from './live-record.ts';

/** Reads the log of one tenant. */
export interface LiveLog {
  /** Events after a sequence number, in order. `limit`: default 256. */
  after(sequence: number, limit?: number): Promise<readonly LiveEvent[]>;
  /** Sequence numbers of the oldest and the newest event that are kept; 0 and 0 where there is none. */
  bounds(): Promise<{ readonly oldest: number; readonly newest: number }>;
}

/** Makes the reader over an open backend. Does nothing until used. */
export function liveLog(backend: StoreBackend, tenant: string): LiveLog {
  const collection = accessCollection(backend, collections.liveEvents, tenant);
  const end = async (descending: boolean): Promise<number> => {
    const query = { index: 'key', descending, limit: 1, part: 'columns' } as const;
    const [last] = await collectScan(collection.scan(query));
    return Number(last?.key[0] ?? 0);
  };
  return {
    after: async (sequence, limit = 256) => {
      const range = { from: appendedPart(sequence), fromExclusive: true };
      const query = { index: 'key', range, limit };
      const records = await collectScan(collection.scan(query));
      return records.map(liveEventOf);
    },
    bounds: async () => ({ oldest: await end(false), newest: await end(true) }),
  };
}
