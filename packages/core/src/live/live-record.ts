import { encodeText } from '../content/well-formed.ts';
import { CtxError } from '../errors.ts';
import { liveEventsCollection } from '../store/collections.ts';
import type { PutOperation, RecordKey, StoredRecord } from '../store/store-backend.ts';
import { liveBodySchema, type LiveEvent, liveEventTypes } from './live-event.ts';

/** Digits of a sequence number in a key: key order is log order up to 10^12 events. */
const sequenceDigits = 12;

/** The last key part of an event. */
export function sequenceText(sequence: number): string {
  return String(sequence).padStart(sequenceDigits, '0');
}

/** The whole key of an event; `tenantPart` is the tenant as keys hold it. */
export function liveKey(tenantPart: string, sequence: number): RecordKey {
  return [tenantPart, sequenceText(sequence)];
}

/** The record of an event. */
export function livePut(tenantPart: string, event: LiveEvent): PutOperation {
  const { sequence, type, at, ...body } = event;
  const text = (id: string | undefined) => (id === undefined ? null : encodeText(id));
  return {
    type: 'put',
    collection: liveEventsCollection.name,
    key: liveKey(tenantPart, sequence),
    columns: { type, at, agent_id: text(body.agentId), session_id: text(body.sessionId) },
    body: JSON.stringify(body),
    expectVersion: 0,
  };
}

/** The event of a record. Throws: `CTX_STORE_CORRUPT`. */
export function liveEventOf({ key, columns, body }: StoredRecord): LiveEvent {
  const sequence = Number(key.at(-1));
  const type = liveEventTypes.find((known) => known === columns['type']);
  try {
    if (type !== undefined) {
      const rest = liveBodySchema.parse(JSON.parse(body));
      return { sequence, type, at: Number(columns['at']), ...rest };
    }
  } catch (cause) {
    throw new CtxError('CTX_STORE_CORRUPT', `live event ${String(sequence)} cannot be read`, {
      cause,
    });
  }
  throw new CtxError('CTX_STORE_CORRUPT', `live event ${String(sequence)} is of no known type`);
}
