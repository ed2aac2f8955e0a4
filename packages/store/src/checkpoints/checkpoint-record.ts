import { CtxError } from '@ctx/core';
import { decodeValue, encodeValue } from '@ctx/core/encoding';
import type { ColumnValue, PutOperation, StoredRecord } from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import { type Session, sessionDocumentSchema } from '../sessions/session-document.ts';
import type { Checkpoint, CheckpointSummary, CheckpointTrigger, ItemCount } from './checkpoint.ts';
import { sequenceText } from '../records/sequence-text.ts';

const triggers: readonly CheckpointTrigger[] = ['limit', 'manual', 'before-restore'];

function countIn(columns: StoredRecord['columns'], name: string): ItemCount {
  return {
    items: Number(columns[`${name}_items`]),
    tokens: Number(columns[`${name}_tokens`]),
  };
}

/** What the columns of a checkpoint's record say. */
export function checkpointSummaryOf({ key, columns }: StoredRecord): CheckpointSummary {
  const { label, session_id: sessionId, session_version, event_sequence } = columns;
  return {
    id: String(columns['checkpoint_id']),
    agentId: key[0] ?? '',
    sequence: Number(key[1]),
    createdAt: Number(columns['created_at']),
    trigger: triggers.find((one) => one === columns['trigger']) ?? 'manual',
    ...(typeof label === 'string' ? { label } : {}),
    ...(typeof sessionId === 'string' ? { sessionId } : {}),
    ...(typeof session_version === 'number' ? { sessionVersion: session_version } : {}),
    ...(typeof event_sequence === 'number' ? { eventSequence: event_sequence } : {}),
    hot: countIn(columns, 'hot'),
    warm: countIn(columns, 'warm'),
    cold: countIn(columns, 'cold'),
    archived: countIn(columns, 'archived'),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Checks without copying: a copy would lose members named `__proto__`. */
function isDocument(value: unknown): value is Session['document'] {
  return sessionDocumentSchema.safeParse(value).success;
}

const textOr = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The session in the body of a record; `undefined` where it holds none. */
function sessionIn(summary: CheckpointSummary, body: unknown): Session | undefined {
  if (!isObject(body) || !('document' in body) || summary.sessionId === undefined) return undefined;
  if (!isDocument(body['document'])) throw new TypeError('it holds no session document');
  const [agentId, title, source] = ['agentId', 'title', 'source'].map((name) => textOr(body[name]));
  return {
    id: summary.sessionId,
    version: summary.sessionVersion ?? 0,
    createdAt: Number(body['createdAt']),
    updatedAt: Number(body['updatedAt']),
    ...(agentId === undefined ? {} : { agentId }),
    ...(title === undefined ? {} : { title }),
    ...(source === undefined ? {} : { source }),
    document: body['document'],
  };
}

/**
 * The checkpoint in a whole record.
 * @throws `CTX_STORE_CORRUPT`.
 */
export function checkpointOf(record: StoredRecord): Checkpoint {
  const summary = checkpointSummaryOf(record);
  try {
    const session = sessionIn(summary, decodeValue(JSON.parse(record.body)));
    return session === undefined ? summary : { ...summary, session };
  } catch (cause) {
    throw new CtxError('CTX_STORE_CORRUPT', `checkpoint ${summary.id} cannot be read`, { cause });
  }
}

function countColumns(name: string, { items, tokens }: ItemCount): Record<string, ColumnValue> {
  return { [`${name}_items`]: items, [`${name}_tokens`]: tokens };
}

/** Writes a checkpoint that is new. */
export function checkpointPut(
  collection: CollectionAccess,
  { session, ...summary }: Checkpoint,
): PutOperation {
  const { id: _id, version: _version, ...body } = session ?? { id: '', version: 0 };
  return collection.put({
    key: [summary.agentId, sequenceText(summary.sequence)],
    columns: {
      checkpoint_id: summary.id,
      created_at: summary.createdAt,
      trigger: summary.trigger,
      label: summary.label ?? null,
      session_id: summary.sessionId ?? null,
      session_version: summary.sessionVersion ?? null,
      event_sequence: summary.eventSequence ?? null,
      ...countColumns('hot', summary.hot),
      ...countColumns('warm', summary.warm),
      ...countColumns('cold', summary.cold),
      ...countColumns('archived', summary.archived),
    },
    body: JSON.stringify(encodeValue(body)),
    expectVersion: 0,
  });
}
