import { CtxError } from '@ctx/core';
import { encodeText } from '@ctx/core/encoding';
import { collections } from '@ctx/store';
import {
  appendedPart,
  type RecordKey,
  type StoredRecord,
  type WriteOptions,
} from '@ctx/store/backend';
import { type LiveChange, type LiveEvent, liveBodySchema, liveEventTypes } from './live-event.ts';

/** The whole key of an event; `tenantPart` is the tenant as keys hold it. */
export function liveKey(tenantPart: string, sequence: number): RecordKey {
  return [tenantPart, appendedPart(sequence)];
}

/** The events of a tenant as they are appended to its log. */
export function liveBatch(
  tenantPart: string,
  changes: readonly LiveChange[],
): NonNullable<WriteOptions['appends']>[number] {
  const text = (id: string | undefined) => (id === undefined ? null : encodeText(id));
  const records = changes.map(({ type, at, ...body }) => ({
    columns: { type, at, agent_id: text(body.agentId), session_id: text(body.sessionId) },
    body: JSON.stringify(body),
  }));
  return { collection: collections.liveEvents.name, place: [tenantPart], records };
}

/**
 * The event of a record.
 * @throws `CTX_STORE_CORRUPT`.
 */
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
