import { decodeValue } from '../content/decode-value.ts';
import { encodeValue } from '../content/encode-value.ts';
import { CtxError } from '../errors.ts';
import {
  emptySessionDocument,
  type Session,
  type SessionDocument,
  sessionDocumentSchema,
} from '../records/session.ts';
import { accessCollection, type CollectionAccess } from './collection-access.ts';
import { sessionsCollection } from './collections.ts';
import { type Page, type PageRequest, readPage } from './pages.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import type { StoredRecord } from './store-backend.ts';
import type { StoreHost } from './store-host.ts';

/** A session as it stands in lists: everything but the document. */
export type SessionSummary = Omit<Session, 'document'>;

/** The sessions of one tenant. */
export interface SessionService {
  get(sessionId: string): Promise<Session | undefined>;
  /**
   * Writes a session whose `version` is the one that was read (0 for a new one).
   * Throws: `CTX_STORE_CONFLICT` when somebody else wrote it since.
   */
  save(session: Session): Promise<Session>;
  /**
   * Reads (or begins) a session, applies `change`, writes it, and does so again when another writer came between.
   * Contract: `change` may run several times, so it must depend on its argument alone. No update is lost.
   */
  update(sessionId: string, change: (session: Session) => Session): Promise<Session>;
  /** Newest activity first. */
  list(request?: PageRequest & { readonly agentId?: string }): Promise<Page<SessionSummary>>;
  /** Removes the session's own record; its outputs and events have their own `clear`. */
  delete(sessionId: string): Promise<void>;
}

function summaryOf(record: StoredRecord): SessionSummary {
  const { agent_id: agentId, title, source, created_at, updated_at } = record.columns;
  return {
    id: record.key[0] ?? '',
    version: record.version,
    createdAt: Number(created_at),
    updatedAt: Number(updated_at),
    ...(typeof agentId === 'string' ? { agentId } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof source === 'string' ? { source } : {}),
  };
}

/** Checks without copying: a copy would lose members named `__proto__`. */
function isDocument(value: unknown): value is SessionDocument {
  return sessionDocumentSchema.safeParse(value).success;
}

function corrupt(record: StoredRecord, options?: ErrorOptions): CtxError {
  const name = record.key.join(' / ');
  return new CtxError('CTX_STORE_CORRUPT', `session ${name} is no session document`, options);
}

function sessionOf(record: StoredRecord): Session {
  try {
    const document = decodeValue(JSON.parse(record.body));
    if (isDocument(document)) return { ...summaryOf(record), document };
  } catch (cause) {
    throw corrupt(record, { cause });
  }
  throw corrupt(record);
}

function putOf(collection: CollectionAccess, session: Session) {
  const document = sessionDocumentSchema.safeParse(session.document);
  if (!document.success) {
    const issue = document.error.issues[0];
    const where = issue === undefined ? '' : `${issue.path.join('.')}: ${issue.message}`;
    throw new CtxError('CTX_INVALID_INPUT', `session ${session.id}: ${where}`);
  }
  return collection.put({
    key: [session.id],
    columns: {
      agent_id: session.agentId ?? null,
      title: session.title ?? null,
      source: session.source ?? null,
      created_at: session.createdAt,
      updated_at: session.updatedAt,
    },
    body: JSON.stringify(encodeValue(session.document)),
    expectVersion: session.version,
  });
}

/** Makes the service. Cost: none until used. */
export function sessionService(host: StoreHost): SessionService {
  const collection = accessCollection(host.backend, sessionsCollection, host.tenant);
  const get: SessionService['get'] = async (sessionId) => {
    const record = await collection.get([sessionId]);
    return record && sessionOf(record);
  };
  const save: SessionService['save'] = async (session) => {
    await host.backend.write([putOf(collection, session)]);
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
        return save({
          ...changed,
          id: sessionId,
          version: session.version,
          updatedAt: Math.max(changed.updatedAt, host.clock()),
        });
      }),
    list: ({ agentId, ...request } = {}) =>
      readPage(
        collection,
        {
          ...(agentId === undefined
            ? { index: 'by_activity' }
            : { index: 'by_agent', equal: [agentId] }),
          descending: true,
          part: 'columns',
          decode: summaryOf,
        },
        request,
      ),
    delete: async (sessionId) => {
      await host.backend.write([collection.remove({ key: [sessionId] })]);
    },
  };
}
