import { isCtxError } from '@ctx/core';
import type { StoredRecord } from '../backend/store-backend.ts';
import { eventKey } from './event-key.ts';
import type { LogPlace } from './log-damage.ts';

/** Events that are asked for by their keys: about as many as several processes add while one of them waits for its turn. */
const tailEvents = 24;

/** The first events of the end of a log. */
interface LogTail {
  readonly records: readonly StoredRecord[];
  /** Whether nothing comes after them. */
  readonly isEnd: boolean;
}

/**
 * Reads the events from a number on by their keys, and asks beside it for the newest: what is there, that nothing
 * comes after and that nothing is damaged is known after the time of one read. Gives none where something is damaged, or where one is
 * missing before others: then the log has to be read in its order.
 */
export async function readTail(
  { collection, sessionId }: LogPlace,
  from: number,
  newestOf: () => Promise<number | undefined>,
): Promise<LogTail> {
  const keys = Array.from({ length: tailEvents }, (_, at) => eventKey(sessionId, from + at));
  const isGone = (error: unknown): undefined => {
    if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
  };
  const [found, newest = Infinity] = await Promise.all([
    collection.getMany(keys).catch(isGone),
    newestOf().catch(isGone),
  ]);
  const records = found?.filter((record) => record !== undefined) ?? [];
  const isWhole = found?.slice(0, records.length).every((record) => record !== undefined) === true;
  if (!isWhole) return { records: [], isEnd: false };
  return { records, isEnd: newest < from + tailEvents && records.length < tailEvents };
}
