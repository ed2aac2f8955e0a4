import type { PutOperation, WriteOperation } from '../backend/store-backend.ts';
import { sessionsCollection } from '../collections/collections.ts';
import { clearCompactions } from '../compactions/compactions.ts';
import { accessCollection, type CollectionAccess } from '../records/collection-access.ts';
import { type Page, type PageRequest, readPage } from '../records/pages.ts';
import { retryOnConflict } from '../records/retry-on-conflict.ts';
import type { StoreHost } from '../store-host.ts';
import { createActivityLog, type SessionActivity } from './activity-log.ts';
import { exportSession, type ImportSessionOptions, importSession } from './exchange-session.ts';
import { emptySessionDocument, type Session } from './session-document.ts';
import {
  type SessionHost,
  type SessionMemory,
  type SessionRecords,
  sessionMemory,
} from './session-memory.ts';
import {
  knownTexts,
  type SessionSummary,
  type SessionText,
  sessionOf,
  sessionPut,
  sessionSummaryOf,
  sessionTextOf,
} from './session-record.ts';

/** The sessions of one tenant. */
export interface SessionService extends SessionRecords {
  /** The same without the document. Does not read it. */
  summary(sessionId: string): Promise<SessionSummary | undefined>;
  /** The same with the document as JSON text. If it was read so before and did not change, it is not parsed. */
  text(sessionId: string): Promise<SessionText | undefined>;
  /** Newest activity first. */
  list(request?: PageRequest & { readonly agentId?: string }): Promise<Page<SessionSummary>>;
  /** Removes the session's record and those of its compactions; its outputs and events have their own `clear`. */
  delete(sessionId: string): Promise<void>;
  /**
   * Notes a tool call or tokens used; they are counted in the document by the next `flush`, at the latest when the store is
   * closed. Kept in memory only, but each 32 observations of a session begin one write of it in the background.
   */
  observe(sessionId: string, activity: SessionActivity): void;
  /**
   * Writes what was observed, of one session or of all.
   * @throws the codes of the store; nothing observed is lost then.
   */
  flush(sessionId?: string): Promise<void>;
  /** Returns what changes one session: its messages, facts, tasks and plans. Does nothing until used; then makes one read and one write each. */
  memory(sessionId: string): SessionMemory;
  /**
   * Returns the session's document as JSON text.
   * @throws `CTX_NOT_FOUND`.
   */
  export(sessionId: string): Promise<string>;
  /**
   * Takes in a session document as the seed writes it, redacted as the store says. `export` returns it as it was, but for members that
   * were missing or `null`, and, unless `isOwn`, what it claims about trust, pins and rules.
   * @throws `CTX_INVALID_INPUT`, naming the member; `CTX_STORE_CONFLICT` if the session exists.
   */
  import(text: string, options?: ImportSessionOptions): Promise<Session>;
}

/** Takes the place of a record that was set aside, too: who begins a session anew has been told that the old one cannot be read. */
function newOnly({ expectVersion: _new, ...put }: PutOperation): WriteOperation[] {
  const { collection, key } = put;
  return [{ type: 'check', collection, key, expectVersion: 0 }, put];
}

/** The reading and writing of session records. */
function sessionRecords(
  host: StoreHost,
  collection: CollectionAccess,
): Pick<SessionService, 'get' | 'save' | 'update'> {
  const get: SessionService['get'] = async (sessionId) => {
    const record = await collection.get([sessionId]);
    return record && sessionOf(record);
  };
  const save: SessionService['save'] = async (session) => {
    const put = sessionPut(collection, session);
    await host.backend.write(session.version === 0 ? newOnly(put) : [put]);
    return { ...session, version: session.version + 1 };
  };
  const begin = (sessionId: string): Session => {
    const now = host.clock();
    const document = emptySessionDocument(sessionId);
    return { id: sessionId, version: 0, createdAt: now, updatedAt: now, document };
  };
  return {
    get,
    save,
    update: (sessionId, change) =>
      retryOnConflict(async () => {
        const session = (await get(sessionId)) ?? begin(sessionId);
        const changed = change(session);
        if (changed === undefined) return session;
        const updatedAt = Math.max(changed.updatedAt, host.clock());
        return save({ ...changed, id: sessionId, version: session.version, updatedAt });
      }),
  };
}

/** Makes the service. Does nothing until used. */
export function sessionService(host: StoreHost, facts: SessionHost['facts']): SessionService {
  const collection = accessCollection(host.backend, sessionsCollection, host.tenant);
  const records = sessionRecords(host, collection);
  const activity = createActivityLog((sessionId, change) =>
    records.update(sessionId, (session) => ({ ...session, document: change(session.document) })),
  );
  const known = knownTexts();
  const whole: SessionHost = { ...host, facts, sessions: records };
  return {
    ...records,
    summary: async (sessionId) => {
      const record = await collection.get([sessionId], 'columns');
      return record && sessionSummaryOf(record);
    },
    text: async (sessionId) => {
      const record = await collection.get([sessionId]);
      return record && sessionTextOf(record, known);
    },
    list: ({ agentId, ...request } = {}) =>
      readPage(
        collection,
        {
          ...(agentId === undefined
            ? { index: 'by_activity' }
            : { index: 'by_agent', equal: [agentId] }),
          descending: true,
          part: 'columns',
          decode: sessionSummaryOf,
        },
        request,
      ),
    delete: async (sessionId) => {
      await activity.drop(sessionId);
      await clearCompactions(host, sessionId, [collection.remove({ key: [sessionId] })]);
    },
    observe: (sessionId, seen) => {
      activity.observe(sessionId, seen);
    },
    flush: (sessionId) => activity.flush(sessionId),
    memory: (sessionId) => sessionMemory(whole, sessionId),
    export: (sessionId) => exportSession(whole, sessionId),
    import: (text, options) => importSession(whole, text, options),
  };
}
