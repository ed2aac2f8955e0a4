import { CtxError, isCtxError } from '@ctx/core';
import type { StoredRecord } from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import { eventKey } from './event-key.ts';

/** Where a log is looked at. */
export interface LogPlace {
  readonly collection: CollectionAccess;
  readonly sessionId: string;
}

/** Returns what the backend says about an event that it cannot read; `undefined` if it can, or never had it. */
async function damageAt(
  { collection, sessionId }: LogPlace,
  sequence: number,
): Promise<CtxError | undefined> {
  try {
    await collection.get(eventKey(sessionId, sequence));
    return undefined;
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CORRUPT')) return error;
    throw error;
  }
}

/** Returns the first number from `sequence` on that no unreadable event holds. */
export async function firstFree(log: LogPlace, sequence: number): Promise<number> {
  let free = sequence;
  while ((await damageAt(log, free)) !== undefined) free += 1;
  return free;
}

async function errorOf(log: LogPlace, from: number, to: number): Promise<CtxError> {
  const cause = await damageAt(log, from);
  const range = to === from ? `event ${String(from)}` : `events ${String(from)} to ${String(to)}`;
  const problem = cause === undefined ? 'missing' : `unreadable (${cause.message})`;
  const verb = to === from ? 'is' : 'are';
  return new CtxError(
    'CTX_STORE_CORRUPT',
    `${range} of session ${log.sessionId} ${verb} ${problem}; ctx verify --repair says what can be put right`,
    ...(cause === undefined ? [] : [{ cause }]),
  );
}

/**
 * Hands on the events of a log as long as they are without a gap.
 * @throws `CTX_STORE_CORRUPT` where one is missing or cannot be read, after those before it
 */
export async function* withoutGaps(
  log: LogPlace,
  records: AsyncIterable<StoredRecord>,
  { from, limit }: { readonly from: number; readonly limit: number | undefined },
): AsyncGenerator<StoredRecord, void, undefined> {
  let next = from;
  let damage: CtxError | undefined;
  try {
    for await (const record of records) {
      const sequence = Number(record.key[1]);
      if (sequence > next) throw await errorOf(log, next, sequence - 1);
      yield record;
      next = sequence + 1;
    }
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
    damage = error;
  }
  if (damage === undefined && limit !== undefined && next - from >= limit) return;
  const end = await firstFree(log, next);
  if (end > next) throw await errorOf(log, next, end - 1);
  if (damage !== undefined) throw damage;
}

/** Returns how many events a log has lost, given how many it still has. */
export async function missingIn(
  log: LogPlace,
  events: number,
  newestOf: () => Promise<number | undefined>,
): Promise<number> {
  const { collection, sessionId } = log;
  const last = events === 0 ? [] : [eventKey(sessionId, events - 1)];
  const ends = collection.getMany([...last, eventKey(sessionId, events)], 'columns');
  const found = await ends.catch((error: unknown) => {
    if (isCtxError(error, 'CTX_STORE_CORRUPT')) return [];
    throw error;
  });
  const isWhole =
    found.length > 0 && found.every((one, at) => (one !== undefined) === at < last.length);
  if (isWhole) return 0;
  const end = await firstFree(log, ((await newestOf()) ?? -1) + 1);
  const [now] = await collection.tally({ index: 'key', equal: [sessionId] });
  return Math.max(end - (now?.count ?? 0), 0);
}
