import { isCtxError } from '@ctx/core';
import { decodeValue } from '@ctx/core/encoding';
import type { RecordKey, StoredRecord } from '../backend/store-backend.ts';
import { eventKey } from '../events/event-key.ts';
import { unreadable } from './check-bodies.ts';
import type { Finding, Found, Repair } from './finding.ts';
import { bodyOf, type CheckPlace, memberOf, readColumns, readRecords } from './read-records.ts';

const collection = 'events';
const pointerStart = 'ctx://outputs/';

/** Puts an empty event in the place of one that cannot be read, so that those after it keep their numbers. */
function placeholder(record: StoredRecord): Repair {
  const { key, columns, version } = record;
  const put = {
    type: 'put',
    collection,
    key,
    columns: { ...columns, type: 'quarantined', tokens: 0 },
    body: 'null',
    expectVersion: version,
  } as const;
  return { how: 'quarantined', keep: [record], operations: [put] };
}

/** The outputs that an event names: those of an import, or those of a window. */
function namedOutputs(value: unknown): string[] {
  const results = memberOf(value, 'results');
  const isImported =
    Array.isArray(results) && memberOf(memberOf(value, 'event'), 'kind') !== undefined;
  const imported: readonly unknown[] = isImported ? results : [];
  const outside: unknown = memberOf(value, 'outside');
  const parts: readonly unknown[] = Array.isArray(outside) ? outside : [];
  const pointers = Object.values(memberOf(memberOf(value, 'event'), 'pointers') ?? {});
  return [
    ...imported.map((result) => memberOf(result, 'output')),
    ...parts.map((part) => memberOf(part, 'output')),
    ...pointers.map((pointer: unknown) =>
      typeof pointer === 'string' && pointer.startsWith(pointerStart)
        ? pointer.slice(pointerStart.length)
        : undefined,
    ),
  ].filter((id) => typeof id === 'string');
}

/** Whether an output is there: in the session, or in the one that this one was forked from. */
async function isStored(place: CheckPlace, session: string, id: string): Promise<boolean> {
  const { backend, tenant } = place;
  const [own] = await readColumns(place, 'outputs', [[tenant, session, id]]);
  if (own !== undefined) return true;
  const query = { collection: 'outputs', index: 'by_id', equal: [tenant, id], limit: 1 } as const;
  for await (const _ of backend.scan({ ...query, part: 'columns' })) return true;
  return false;
}

async function* checkNamed(
  place: CheckPlace,
  { key, body }: StoredRecord,
  value: unknown,
): AsyncGenerator<Found, void, undefined> {
  // Bodies are read once: only those that may name an output are decoded.
  if (!body.includes('results') && !body.includes(pointerStart)) return;
  for (const id of new Set(namedOutputs(decodeValue(value)))) {
    if (!(await isStored(place, key[1] ?? '', id))) yield { gone: 'result of a log', key };
  }
}

/** Finds an event that the backend has set aside, and puts an empty one in its place, so that its number is not used again. */
async function setAsideAt({ backend }: CheckPlace, key: RecordKey): Promise<Finding | undefined> {
  try {
    await backend.get(collection, [key], 'columns');
    return undefined;
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
    const columns = { type: 'quarantined', at: 0, tokens: 0 };
    const put = { type: 'put', collection, key, columns, body: 'null' } as const;
    const repair = { how: 'quarantined', keep: [], operations: [put] } as const;
    return { kind: 'broken-record', collection, key, what: error.message, repair };
  }
}

/** Finds what is wrong between two events of a log: each that was set aside, and the gap that none of them fills. */
async function* checkBetween(
  place: CheckPlace,
  session: string,
  { from, before }: { readonly from: number; readonly before?: RecordKey },
): AsyncGenerator<Finding, void, undefined> {
  const to = before === undefined ? Number.POSITIVE_INFINITY : Number(before[2]);
  for (let sequence = from; sequence < to; sequence += 1) {
    const found = await setAsideAt(place, [place.tenant, ...eventKey(session, sequence)]);
    if (found !== undefined) yield found;
    else {
      if (before !== undefined) {
        const what = `event ${String(sequence)} is missing before it`;
        yield { kind: 'gap', collection, key: before, what };
      }
      return;
    }
  }
}

/** Reads every log in order: each event JSON, no number missing, every output that it names there. */
export async function* checkLogs(place: CheckPlace): AsyncGenerator<Found, void, undefined> {
  let session: string | undefined;
  let expected = 0;
  for await (const read of readRecords(place, collection)) {
    const record = 'broken' in read ? read.broken : read.record;
    if (record.key[1] !== session) {
      if (session !== undefined) yield* checkBetween(place, session, { from: expected });
      expected = 0;
    }
    session = record.key[1] ?? '';
    yield* checkBetween(place, session, { from: expected, before: record.key });
    expected = Number(record.key[2]) + 1;
    const body = 'broken' in read ? undefined : bodyOf(record);
    if (body !== undefined) yield* checkNamed(place, record, body.value);
    else {
      const what = 'broken' in read ? read.reason : 'it is not JSON';
      yield { ...unreadable(collection, record, what), repair: placeholder(record) };
    }
  }
  if (session !== undefined) yield* checkBetween(place, session, { from: expected });
}
