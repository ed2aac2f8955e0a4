import { decodeValue } from '@ctx/core/encoding';
import type { StoredRecord } from '../backend/store-backend.ts';
import { sessionDocumentSchema } from '../sessions/session-document.ts';
import { type Finding, quarantineOf } from './finding.ts';
import { bodyOf, type CheckPlace, memberOf, readRecords } from './read-records.ts';

/** Says what is wrong with a parsed body; `undefined` where it is good. */
type BodyRule = (value: unknown) => string | undefined;

const isDocument: BodyRule = (value) => {
  try {
    return sessionDocumentSchema.safeParse(decodeValue(value)).success
      ? undefined
      : 'it holds no session document';
  } catch {
    return 'its values cannot be decoded';
  }
};

const hasText: BodyRule = (value) =>
  typeof memberOf(value, 'text') === 'string' ? undefined : 'it holds no text';

const isObject: BodyRule = (value) =>
  typeof value === 'object' && value !== null ? undefined : 'it is no object';

const rules: Readonly<Record<string, BodyRule>> = {
  sessions: isDocument,
  facts: hasText,
  compactions: isObject,
  checkpoints: isObject,
  live_events: isObject,
};

/** A record whose body is not what its collection holds; `undefined` where it is. */
export function checkBody(collection: string, record: StoredRecord): Finding | undefined {
  const body = bodyOf(record);
  const rule = Object.hasOwn(rules, collection) ? rules[collection] : undefined;
  const what = body === undefined ? 'it is not JSON' : rule?.(body.value);
  if (what === undefined) return undefined;
  const repair = quarantineOf(collection, record);
  return { kind: 'broken-record', collection, key: record.key, what, repair };
}

/** The finding for a record that the backend cannot read. */
export function unreadable(collection: string, broken: StoredRecord, what: string): Finding {
  const repair = quarantineOf(collection, broken);
  return { kind: 'broken-record', collection, key: broken.key, what, repair };
}

/** Checks the bodies of a collection that names nothing else. */
export async function* checkBodies(
  place: CheckPlace,
  collection: string,
): AsyncGenerator<Finding, void, undefined> {
  for await (const read of readRecords(place, collection)) {
    if ('broken' in read) yield unreadable(collection, read.broken, read.reason);
    else {
      const finding = checkBody(collection, read.record);
      if (finding !== undefined) yield finding;
    }
  }
}
