import type { ContextStore } from '@ctx/store';
import { eventsTo, readLog } from '../log/read-log.ts';

/**
 * Places in a session's log of the requests that were made, in order, without what rewinds left out.
 * Reads the log.
 * @throws `CTX_STORE_CORRUPT`.
 */
export async function readRequests(
  store: ContextStore,
  sessionId: string,
): Promise<readonly number[]> {
  const places: number[] = [];
  for (const { sequence, event } of eventsTo(await readLog(store, sessionId))) {
    if (event.type === 'requested') places.push(sequence);
  }
  return places;
}
