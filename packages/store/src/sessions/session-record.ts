import { CtxError } from '@ctx/core';
import { decodeJson, encodeValue, mayHoldTags } from '@ctx/core/encoding';
import type { PutOperation, StoredRecord } from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import { recentMap } from '../records/recent-map.ts';
import { type Session, type SessionDocument, sessionDocumentSchema } from './session-document.ts';

/** A session as it stands in lists: everything but the document. */
export type SessionSummary = Omit<Session, 'document'>;

/** What the columns of a session's record say. */
export function sessionSummaryOf(record: StoredRecord): SessionSummary {
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

function corrupt(record: StoredRecord, what: string, options?: ErrorOptions): CtxError {
  const name = record.key.join(' / ');
  const text = `session ${name} is no session document: ${what}`;
  return new CtxError('CTX_STORE_CORRUPT', text, options);
}

function parsedOf(record: StoredRecord): unknown {
  try {
    return decodeJson(record.body);
  } catch (cause) {
    throw corrupt(record, 'it is no JSON', { cause });
  }
}

/** The first member that is wrong, and how; undefined for a document. */
function faultOf(value: unknown): string | undefined {
  const issue = sessionDocumentSchema.safeParse(value).error?.issues[0];
  return issue && `${issue.path.join('.') || 'the document'}: ${issue.message}`;
}

/** Checks without copying: a copy would lose members named `__proto__`. */
function isDocument(value: unknown): value is SessionDocument {
  return faultOf(value) === undefined;
}

/**
 * The session of a record.
 * @throws `CTX_STORE_CORRUPT`, naming the member that is wrong.
 */
export function sessionOf(record: StoredRecord): Session {
  const document = parsedOf(record);
  if (isDocument(document)) return { ...sessionSummaryOf(record), document };
  throw corrupt(record, faultOf(document) ?? '');
}

/** A session with its document as JSON text. */
export interface SessionText {
  readonly session: SessionSummary;
  /** JSON of the document. */
  readonly document: string;
}

/** Texts that were found to be documents. Bounded, whatever is read. */
export interface KnownTexts {
  has(sessionId: string, text: string): boolean;
  add(sessionId: string, text: string): void;
}

/** Most texts that are known, and the longest: so many signs in all, at most, are held. */
const mostTexts = 64;
const longestText = 32_768;

/** Remembers the texts of the sessions that were read last. */
export function knownTexts(): KnownTexts {
  const texts = recentMap<string>(mostTexts);
  return {
    has: (sessionId, text) => texts.get(sessionId) === text,
    add: (sessionId, text) => {
      if (text.length <= longestText) texts.set(sessionId, text);
    },
  };
}

/**
 * The session of a record, its document as text: as it is stored where it says the same, which spares making it anew.
 * What {@link sessionOf} gives, as JSON. A text that is known is not parsed.
 * @throws `CTX_STORE_CORRUPT`.
 */
export function sessionTextOf(record: StoredRecord, known: KnownTexts): SessionText {
  const { body } = record;
  const session = sessionSummaryOf(record);
  if (known.has(session.id, body)) return { session, document: body };
  const { document } = sessionOf(record);
  if (mayHoldTags(body)) return { session, document: JSON.stringify(document) };
  known.add(session.id, body);
  return { session, document: body };
}

/**
 * Writes a session over the version that it was read in.
 * @throws `CTX_INVALID_INPUT`, naming the member that is wrong.
 */
export function sessionPut(collection: CollectionAccess, session: Session): PutOperation {
  const fault = faultOf(session.document);
  if (fault !== undefined)
    throw new CtxError('CTX_INVALID_INPUT', `session ${session.id}: ${fault}`);
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
