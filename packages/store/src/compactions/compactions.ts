import { CtxError, isCtxError } from '@ctx/core';
import { decodeValue, encodeValue } from '@ctx/core/encoding';
import type { StoredRecord, WriteOperation } from '../backend/store-backend.ts';
import {
  compactionsCollection,
  eventsCollection,
  sessionsCollection,
} from '../collections/collections.ts';
import { type AppendedEvents, eventOperations, lastSequenceOf } from '../events/events.ts';
import { accessCollection, type CollectionAccess } from '../records/collection-access.ts';
import { type Page, type PageRequest, readPage } from '../records/pages.ts';
import { maxConflictTries } from '../records/retry-on-conflict.ts';
import type { Session } from '../sessions/session-document.ts';
import { sessionPut } from '../sessions/session-record.ts';
import type { StoreHost } from '../store-host.ts';
import {
  type CompactionBody,
  type CompactionTrigger,
  compactionBodySchema,
  type SessionCompaction,
} from './compaction-record.ts';
import { sequenceText } from '../records/sequence-text.ts';

/** A compaction as it stands in lists. */
export type CompactionSummary = Omit<SessionCompaction, keyof CompactionBody>;

/** A compaction that has no number yet. */
export type CompactionDraft = Omit<SessionCompaction, 'sessionId' | 'sequence' | 'state'>;

/** The compactions of one tenant's sessions. */
export interface CompactionService {
  /**
   * Writes the compacted session and the record of its compaction, both or neither.
   * `session.version` is the one that was read.
   * @throws `CTX_STORE_CONFLICT` if another writer changed the session since.
   */
  commit(session: Session, draft: CompactionDraft): Promise<SessionCompaction>;
  /**
   * Writes the session as it is after an undo, and marks the compaction; both or neither.
   * @throws as `commit`.
   */
  commitUndo(session: Session, compaction: SessionCompaction): Promise<void>;
  /**
   * Writes the record of a compaction with the events of the log in which its effect stands; all or none.
   * @throws `CTX_STORE_CONFLICT` where the log has another length.
   */
  commitEvents(appended: AppendedEvents, draft: CompactionDraft): Promise<SessionCompaction>;
  get(sessionId: string, sequence: number): Promise<SessionCompaction | undefined>;
  /** The newest that is not undone, of the session's document unless told otherwise. */
  newest(sessionId: string, of?: 'document' | 'window'): Promise<SessionCompaction | undefined>;
  /** Newest first. Reads columns only. */
  list(sessionId: string, request?: PageRequest): Promise<Page<CompactionSummary>>;
  /** Replaces what a compaction holds; for a `forget` that must reach everything. */
  rewrite(compaction: SessionCompaction): Promise<void>;
  /** Deletes all of a session. Returns how many there were. */
  clear(sessionId: string): Promise<number>;
}

const batchSize = 200;

function keyOf(sessionId: string, sequence: number): readonly string[] {
  return [sessionId, sequenceText(sequence)];
}

const triggers: readonly CompactionTrigger[] = [
  ...(['entries', 'tokens', 'facts', 'tasks', 'manual'] as const),
  ...(['window-full', 'window-pays', 'window-manual'] as const),
];

function isOf({ state, trigger }: CompactionSummary, what: 'document' | 'window'): boolean {
  return state === 'applied' && trigger.startsWith('window-') === (what === 'window');
}

function summaryOf({ key, columns }: StoredRecord): CompactionSummary {
  return {
    sessionId: key[0] ?? '',
    sequence: Number(key[1]),
    at: Number(columns['at']),
    state: columns['state'] === 'undone' ? 'undone' : 'applied',
    trigger: triggers.find((one) => one === columns['trigger']) ?? 'manual',
    strategy: String(columns['strategy']),
    tokensBefore: Number(columns['tokens_before']),
    tokensAfter: Number(columns['tokens_after']),
  };
}

/** Checks without copying: a copy would lose members named `__proto__`. */
function isBody(value: unknown): value is CompactionBody {
  return compactionBodySchema.safeParse(value).success;
}

function compactionOf(record: StoredRecord): SessionCompaction {
  const name = record.key.join(' / ');
  try {
    const body = decodeValue(JSON.parse(record.body));
    if (isBody(body)) return { ...body, ...summaryOf(record) };
  } catch (cause) {
    throw new CtxError('CTX_STORE_CORRUPT', `compaction ${name} cannot be read`, { cause });
  }
  throw new CtxError('CTX_STORE_CORRUPT', `${name} is no record of a compaction`);
}

function putOf(collection: CollectionAccess, compaction: SessionCompaction) {
  const { sessionId, sequence, at, state, trigger, strategy, ...rest } = compaction;
  const { tokensBefore, tokensAfter, ...body } = rest;
  return collection.put({
    key: keyOf(sessionId, sequence),
    columns: {
      at,
      state,
      trigger,
      strategy,
      tokens_before: tokensBefore,
      tokens_after: tokensAfter,
    },
    body: JSON.stringify(encodeValue(body)),
  });
}

/** What an undone compaction still tells: no content. */
function hollow(compaction: SessionCompaction): SessionCompaction {
  return {
    ...compaction,
    state: 'undone',
    summarised: [],
    offloaded: [],
    factsDropped: [],
    tasksPruned: [],
    summary: '',
    before: {},
    after: {},
  };
}

/** Deletes the compactions of a session in batches; the last batch takes `also` with it. */
export async function clearCompactions(
  host: StoreHost,
  sessionId: string,
  also: readonly WriteOperation[] = [],
): Promise<number> {
  const collection = accessCollection(host.backend, compactionsCollection, host.tenant);
  for (let deleted = 0; ; ) {
    const batch = collection.scan({
      index: 'key',
      equal: [sessionId],
      limit: batchSize,
      part: 'columns',
    });
    const removals: WriteOperation[] = [];
    for await (const { key } of batch) removals.push(collection.remove({ key }));
    deleted += removals.length;
    const isLast = removals.length < batchSize;
    if (!isLast || removals.length + also.length > 0) {
      await host.backend.write(isLast ? [...removals, ...also] : removals);
    }
    if (isLast) return deleted;
  }
}

interface NumberedRecords {
  readonly collection: CollectionAccess;
  readonly nextSequence: (sessionId: string) => Promise<number>;
}

/** Whether the log still ends where these events go: then only the number of the record was taken. */
async function isStillNext(
  { backend, tenant }: StoreHost,
  { sessionId, first }: AppendedEvents,
): Promise<boolean> {
  const events = accessCollection(backend, eventsCollection, tenant);
  return ((await lastSequenceOf(events, sessionId)) ?? -1) === first - 1;
}

/** Writes a record under the next free number, and the events after the end of their log. */
async function commitEvents(
  host: StoreHost,
  { collection, nextSequence }: NumberedRecords,
  { appended, draft }: { readonly appended: AppendedEvents; readonly draft: CompactionDraft },
): Promise<SessionCompaction> {
  const { sessionId } = appended;
  const events = accessCollection(host.backend, eventsCollection, host.tenant);
  for (let tries = 1; ; tries += 1) {
    const sequence = await nextSequence(sessionId);
    const compaction = { ...draft, sessionId, sequence, state: 'applied' } as const;
    const record = { ...putOf(collection, compaction), expectVersion: 0 };
    try {
      const operations = [...eventOperations(events, appended, host.clock()), record];
      await host.backend.write(operations, { durability: 'power' });
      return compaction;
    } catch (error) {
      const isNumber = isCtxError(error, 'CTX_STORE_CONFLICT') && tries < maxConflictTries;
      if (!isNumber || !(await isStillNext(host, appended))) throw error;
    }
  }
}

/** Makes the service. Does nothing until used. */
export function compactionService(host: StoreHost): CompactionService {
  const collection = accessCollection(host.backend, compactionsCollection, host.tenant);
  const sessions = accessCollection(host.backend, sessionsCollection, host.tenant);
  const newestFirst = (sessionId: string) => ({
    index: 'key',
    equal: [sessionId],
    descending: true,
  });
  const nextSequence = async (sessionId: string): Promise<number> => {
    const newest = collection.scan({ ...newestFirst(sessionId), limit: 1, part: 'columns' });
    for await (const { key } of newest) return Number(key[1]) + 1;
    return 0;
  };
  return {
    commit: async (session, draft) => {
      const sequence = await nextSequence(session.id);
      const compaction = { ...draft, sessionId: session.id, sequence, state: 'applied' } as const;
      const record = { ...putOf(collection, compaction), expectVersion: 0 };
      await host.backend.write([sessionPut(sessions, session), record], { durability: 'power' });
      return compaction;
    },
    commitUndo: async (session, compaction) => {
      const mark = putOf(collection, hollow(compaction));
      await host.backend.write([sessionPut(sessions, session), mark], { durability: 'power' });
    },
    commitEvents: (appended, draft) =>
      commitEvents(host, { collection, nextSequence }, { appended, draft }),
    get: async (sessionId, sequence) => {
      const record = await collection.get(keyOf(sessionId, sequence));
      return record && compactionOf(record);
    },
    newest: async (sessionId, of = 'document') => {
      for await (const record of collection.scan(newestFirst(sessionId))) {
        if (isOf(summaryOf(record), of)) return compactionOf(record);
      }
      return undefined;
    },
    list: (sessionId, request = {}) => {
      const query = { ...newestFirst(sessionId), part: 'columns', decode: summaryOf } as const;
      return readPage(collection, query, request);
    },
    rewrite: async (compaction) => {
      await host.backend.write([putOf(collection, compaction)], { durability: 'power' });
    },
    clear: (sessionId) => clearCompactions(host, sessionId),
  };
}
