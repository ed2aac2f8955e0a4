import { type RecentMap, recentMap } from '../records/recent-map.ts';

/** Sessions whose last sequence number is remembered. */
const maxSessions = 1000;

/** The sequence number of the output that this process saved last, by session. May be overtaken: whoever relies on it checks. */
export type LastSequences = RecentMap<number>;

/** Makes an empty memory. Keeps one number for each of the last 1,000 sessions. */
export function lastSequences(): LastSequences {
  return recentMap(maxSessions);
}
