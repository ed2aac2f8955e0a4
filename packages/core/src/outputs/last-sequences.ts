import { LRUCache } from 'lru-cache';

/** Sessions whose last sequence number is remembered. */
const maxSessions = 1000;

/** The sequence number of the output that this process saved last, by session. May be overtaken: whoever relies on it checks. */
export interface LastSequences {
  get(sessionId: string): number | undefined;
  set(sessionId: string, sequence: number): void;
  forget(sessionId: string): void;
}

/** Makes an empty memory. Cost: one number for each of the last 1,000 sessions. */
export function lastSequences(): LastSequences {
  const last = new LRUCache<string, number>({ max: maxSessions });
  return {
    get: (sessionId) => last.get(sessionId),
    set: (sessionId, sequence) => {
      last.set(sessionId, sequence);
    },
    forget: (sessionId) => {
      last.delete(sessionId);
    },
  };
}
