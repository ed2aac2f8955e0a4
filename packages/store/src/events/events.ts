import type { SessionEvent } from '@ctx/core';
import { CtxError, isCtxError } from '@ctx/core';
import { decodeJson, encodeValue } from '@ctx/core/encoding';
import type { RecordKey, StoredRecord, WriteOperation } from '../backend/store-backend.ts';
import type { ScanPosition } from '../backend/index-order.ts';
import { eventsCollection } from '../collections/collections.ts';
import { accessCollection, type CollectionAccess } from '../records/collection-access.ts';
import { retryOnConflict } from '../records/retry-on-conflict.ts';
import type { StoreHost } from '../store-host.ts';
import { eventKey } from './event-key.ts';
import { firstFree, type LogPlace, missingIn, withoutGaps } from './log-damage.ts';
import { readTail } from './read-tail.ts';

/** What a caller adds to a log. */
export interface EventInput {
  readonly type: string;
  /** ms since the epoch. Default: now. */
  readonly at?: number;
  /** Default 0. */
  readonly tokens?: number;
  /** Anything; encoded like a tool result. Handed in redacted. Left out only where `payloadJson` is given. */
  readonly payload?: unknown;
  /** In place of the payload, for whoever has it at hand: JSON text of its encoded form. Taken on trust. */
  readonly payloadJson?: string;
}

/** The append-only logs of one tenant's sessions. */
export interface EventService {
  /**
   * Adds events in order and returns the sequence number of the first. All or none, no gap, no double.
   * @throws `CTX_STORE_CONFLICT` where `first` was given and the log has another length.
   */
  append(
    sessionId: string,
    events: readonly EventInput[],
    options?: AppendEventsOptions,
  ): Promise<number>;
  /**
   * Reads the log in order, streaming. `from` is a sequence number, inclusive.
   * @throws `CTX_STORE_CORRUPT` where events are damaged or gone, once those before them were given; names them and the file
   */
  read(sessionId: string, options?: ReadEventsOptions): AsyncIterable<SessionEvent>;
  /** Number of readable events and sum of their tokens. `missing`: how many others were in the log and are damaged or gone. */
  tally(sessionId: string): Promise<EventTally>;
  /** Deletes the log, or what stands in it from the sequence number `from` on. Returns how many events that were. */
  clear(sessionId: string, options?: { readonly from?: number }): Promise<number>;
}

/** What a log holds. */
export interface EventTally {
  readonly events: number;
  readonly tokens: number;
  readonly missing?: number;
}

export interface AppendEventsOptions {
  /** Sequence number that the first of them must get: who knows the log continues it, or is told. Default: the next one. */
  readonly first?: number;
}

export interface ReadEventsOptions {
  /** First sequence number wanted. Default 0. */
  readonly from?: number;
  /** Most events. Default: all. */
  readonly limit?: number;
}

/** An event that is ready to be written, but for its place. */
type EventDraft = Omit<Parameters<CollectionAccess['put']>[0], 'key'>;

const batchSize = 500;

function eventOf(record: StoredRecord): SessionEvent {
  try {
    return {
      sequence: Number(record.key[1]),
      type: String(record.columns['type']),
      at: Number(record.columns['at']),
      tokens: Number(record.columns['tokens']),
      payload: decodeJson(record.body),
    };
  } catch (cause) {
    throw new CtxError('CTX_STORE_CORRUPT', `event ${record.key.join(' / ')} is not JSON`, {
      cause,
    });
  }
}

/** The newest event, which the next one stands after. */
async function newestOf(
  collection: CollectionAccess,
  sessionId: string,
): Promise<StoredRecord | undefined> {
  const newest = { index: 'key', equal: [sessionId], descending: true, limit: 1 } as const;
  for await (const record of collection.scan({ ...newest, part: 'columns' })) return record;
  return undefined;
}

/** Deletes from the end, so that a log that is cut off or appended to meanwhile still begins with 0. */
async function clearLog(
  host: StoreHost,
  collection: CollectionAccess,
  { sessionId, from }: { readonly sessionId: string; readonly from: number },
): Promise<number> {
  checkSequence('from', from);
  const range = { from: eventKey(sessionId, from)[1] ?? '' };
  for (let deleted = 0; ; ) {
    const keys: RecordKey[] = [];
    const end = { index: 'key', equal: [sessionId], range, descending: true } as const;
    const batch = { ...end, limit: batchSize } as const;
    for await (const record of collection.scan({ ...batch, part: 'columns' }))
      keys.push(record.key);
    if (keys.length === 0) return deleted;
    await host.backend.write(keys.map((key) => collection.remove({ key })));
    deleted += keys.length;
  }
}

function checkSequence(name: string, sequence: number): void {
  if (Number.isSafeInteger(sequence) && sequence >= 0) return;
  throw new CtxError('CTX_INVALID_INPUT', `${name} must be a whole number of 0 or more`);
}

/** Where a log is read on from: just before the event `from`. */
function placeBefore(sessionId: string, from: number): { readonly after?: ScanPosition } {
  if (from === 0) return {};
  const key = eventKey(sessionId, from - 1);
  return { after: { values: key, key } };
}

async function* readEvents(
  log: LogPlace,
  { from: first = 0, limit }: ReadEventsOptions = {},
): AsyncGenerator<SessionEvent, void, undefined> {
  checkSequence('from', first);
  // Mostly there are a few, or none.
  const isTail = first > 0 && limit === undefined;
  const { records, isEnd } = isTail
    ? await readTail(log, first, () => lastSequenceOf(log.collection, log.sessionId))
    : { records: [], isEnd: false };
  for (const record of records) yield eventOf(record);
  if (isEnd) return;
  const from = first + records.length;
  const query = { index: 'key', equal: [log.sessionId], ...placeBefore(log.sessionId, from) };
  const found = log.collection.scan({ ...query, ...(limit === undefined ? {} : { limit }) });
  for await (const record of withoutGaps(log, found, { from, limit })) yield eventOf(record);
}

/** What is written of an event. */
function draftOf(event: EventInput, now: number): EventDraft {
  return {
    columns: { type: event.type, at: event.at ?? now, tokens: event.tokens ?? 0 },
    body: event.payloadJson ?? JSON.stringify(encodeValue(event.payload)),
    expectVersion: 0,
  };
}

/** Events that a write of something else takes with it. */
export interface AppendedEvents {
  readonly sessionId: string;
  /** Sequence number of the first of them. */
  readonly first: number;
  readonly events: readonly EventInput[];
}

/** Adds events exactly after those that are there. The write conflicts where the log has another length. */
export function eventOperations(
  collection: CollectionAccess,
  { sessionId, first, events }: AppendedEvents,
  now: number,
): WriteOperation[] {
  checkSequence('first', first);
  if (events.length === 0) return [];
  const before = { key: eventKey(sessionId, first - 1), expectVersion: 1 };
  const puts = events.map((event, index) =>
    collection.put({ key: eventKey(sessionId, first + index), ...draftOf(event, now) }),
  );
  return [...(first === 0 ? [] : [collection.check(before)]), ...puts];
}

/** Number of the newest event; `undefined` of an empty log. Reads one record's columns. */
export async function lastSequenceOf(
  collection: CollectionAccess,
  sessionId: string,
): Promise<number | undefined> {
  const newest = await newestOf(collection, sessionId);
  return newest && Number(newest.key[1]);
}

/** Makes a write conflict unless the event is still the newest of its log. */
export function newestCheck(
  collection: CollectionAccess,
  sessionId: string,
  newest: number | undefined,
): WriteOperation {
  return collection.check({ key: eventKey(sessionId, (newest ?? -1) + 1), expectVersion: 0 });
}

interface EventAppender {
  /** Behind the newest event. */
  atEnd(sessionId: string, drafts: readonly EventDraft[]): Promise<number>;
  /** The event before is there, and none where these go. */
  at(sessionId: string, drafts: readonly EventDraft[], first: number): Promise<number>;
}

function eventAppender({ backend }: StoreHost, collection: CollectionAccess): EventAppender {
  const putsOf = (sessionId: string, drafts: readonly EventDraft[], first: number) =>
    drafts.map((draft, index) =>
      collection.put({ key: eventKey(sessionId, first + index), ...draft }),
    );
  return {
    atEnd: async (sessionId, drafts) => {
      const newest = await newestOf(collection, sessionId);
      const first = newest === undefined ? 0 : Number(newest.key[1]) + 1;
      if (drafts.length === 0) return first;
      const { key, version: expectVersion } = newest ?? {};
      const checks = key && expectVersion ? [collection.check({ key, expectVersion })] : [];
      const writeFrom = async (number: number): Promise<number> => {
        await backend.write([...checks, ...putsOf(sessionId, drafts, number)]);
        return number;
      };
      try {
        return await writeFrom(first);
      } catch (error) {
        if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
        // The last events are damaged: their numbers are not used again.
        const free = await firstFree({ collection, sessionId }, first);
        if (free === first) throw error;
        return writeFrom(free);
      }
    },
    at: async (sessionId, drafts, first) => {
      checkSequence('first', first);
      const before = { key: eventKey(sessionId, first - 1), expectVersion: 1 };
      const checks = first === 0 ? [] : [collection.check(before)];
      const puts = putsOf(sessionId, drafts, first);
      if (puts.length > 0) await backend.write([...checks, ...puts]);
      return first;
    },
  };
}

/** Makes the service. Does nothing until used. */
export function eventService(host: StoreHost): EventService {
  const collection = accessCollection(host.backend, eventsCollection, host.tenant);
  const appender = eventAppender(host, collection);
  return {
    append: async (sessionId, events, { first } = {}) => {
      const drafts = events.map((event) => draftOf(event, host.clock()));
      if (first !== undefined) return appender.at(sessionId, drafts, first);
      return retryOnConflict(() => appender.atEnd(sessionId, drafts));
    },
    read: (sessionId, options) => readEvents({ collection, sessionId }, options),
    tally: async (sessionId) => {
      const query = { index: 'by_type', equal: [sessionId], sums: ['tokens'] };
      const [tally] = await collection.tally(query);
      const events = tally?.count ?? 0;
      const missing = await missingIn({ collection, sessionId }, events, () =>
        lastSequenceOf(collection, sessionId),
      );
      return { events, tokens: tally?.sums[0] ?? 0, ...(missing > 0 && { missing }) };
    },
    clear: (sessionId, { from = 0 } = {}) => clearLog(host, collection, { sessionId, from }),
  };
}
