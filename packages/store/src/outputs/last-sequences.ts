import type { StoredRecord } from '../backend/store-backend.ts';
import { type RecentMap, recentMap } from '../records/recent-map.ts';

/** Sessions whose last sequence number is remembered. */
const maxSessions = 1000;

/** The sequence number of the newest output that this process saved or read, by session. Another process may have saved a newer one, so a write checks it. */
export type LastSequences = RecentMap<number>;

/** Makes an empty memory. Keeps one number for each of the last 1,000 sessions. */
export function lastSequences(): LastSequences {
  return recentMap(maxSessions);
}

/** Notes an output that was read: another process may have saved it. */
export function noteRead(
  last: LastSequences,
  { key: [sessionId = ''], columns }: StoredRecord,
): void {
  const sequence = Number(columns['sequence']);
  if (sequence > (last.get(sessionId) ?? -1)) last.set(sessionId, sequence);
}
