import {
  decodeText,
  decodeValue,
  searchWords,
  type StoreBackend,
  type StoredRecord,
} from '@ctx/core';
import { bodyOf, memberOf } from '../verify/read-records.ts';
import { sessionCollections } from './find-sessions.ts';
import { count, type PurgeDraft, remove } from './purge-plan.ts';

/** Where records of one session are looked for. */
export interface PurgePlace {
  readonly backend: StoreBackend;
  /** As keys hold it. */
  readonly tenant: string;
}

/** Keys of a part of an index. */
export async function* keysOf(
  backend: StoreBackend,
  collection: string,
  [index, ...equal]: readonly [string, ...string[]],
): AsyncGenerator<StoredRecord, void, undefined> {
  yield* backend.scan({ collection, index, equal, part: 'columns' });
}

/** Puts all records of a part of an index into the plan. */
export async function removeAll(
  { backend }: PurgePlace,
  draft: PurgeDraft,
  [collection, ...place]: readonly [string, string, ...string[]],
): Promise<void> {
  for await (const { key } of keysOf(backend, collection, place)) remove(draft, collection, key);
}

/** Sessions that went on from this one: its log says so. */
async function noteForks(
  { backend, tenant }: PurgePlace,
  draft: PurgeDraft,
  session: string,
): Promise<void> {
  const equal = [tenant, session, 'window-forked'];
  for await (const record of backend.scan({ collection: 'events', index: 'by_type', equal })) {
    const fork = memberOf(memberOf(decodeValue(bodyOf(record)?.value), 'event'), 'sessionId');
    if (typeof fork === 'string') draft.forks.add(fork);
  }
}

/** The fact without a session as its origin. */
function withoutOrigin(record: StoredRecord, session: string): StoredRecord | undefined {
  const body = bodyOf(record)?.value;
  const origins: unknown = memberOf(body, 'origins');
  if (!Array.isArray(origins)) return undefined;
  const staying = origins.filter((origin) => memberOf(origin, 'sessionId') !== session);
  if (staying.length === origins.length) return undefined;
  if (staying.length === 0) return { ...record, body: '' };
  return { ...record, body: JSON.stringify({ ...(body as object), origins: staying }) };
}

/** Facts that were learned in these sessions alone go; those that others confirm stay, without them as origin. */
export async function planFacts(
  { backend, tenant }: PurgePlace,
  draft: PurgeDraft,
  sessions: ReadonlySet<string>,
): Promise<void> {
  const collection = 'facts';
  for await (const record of backend.scan({ collection, index: 'key', equal: [tenant] })) {
    let changed: StoredRecord | undefined;
    for (const session of sessions) {
      changed = withoutOrigin(changed ?? record, decodeText(session)) ?? changed;
      if (changed?.body === '') break;
    }
    if (changed === undefined) continue;
    if (changed.body === '') remove(draft, collection, record.key);
    else rewriteFact(draft, changed);
  }
}

/** How facts are counted that are written without an origin. */
export const factsThatStay = 'facts that stay';

function rewriteFact(draft: PurgeDraft, { key, columns, body, version }: StoredRecord): void {
  count(draft, factsThatStay);
  const text = memberOf(JSON.parse(body), 'text');
  const words = { text: searchWords(String(text)).join(' ') };
  const put = { type: 'put', collection: 'facts', key, columns, body, words } as const;
  draft.operations.push({ ...put, expectVersion: version });
}

/** Items that were taken from these sessions, or that `isDue` names. */
export async function planItems(
  { backend, tenant }: PurgePlace,
  draft: PurgeDraft,
  isDue: (columns: StoredRecord['columns'], agent: string | undefined) => boolean,
): Promise<void> {
  for await (const { key, columns } of keysOf(backend, 'items', ['key', tenant])) {
    if (!isDue(columns, key[1])) continue;
    const place = [decodeText(key[1] ?? ''), decodeText(key[2] ?? '')] as const;
    draft.items.set(JSON.stringify(place), place);
    count(draft, 'items');
  }
}

/**
 * Takes the names of what goes out of what was told to those who watch: sessions, and items that are destroyed. The numbers of
 * these events stay: they are without gaps.
 */
export async function planLiveEvents(
  { backend, tenant }: PurgePlace,
  draft: PurgeDraft,
  isDue: (columns: StoredRecord['columns']) => boolean,
): Promise<void> {
  const collection = 'live_events';
  const items = new Set([...draft.items.values()].map(([, itemId]) => itemId));
  for await (const record of backend.scan({ collection, index: 'key', equal: [tenant] })) {
    const { key, columns } = record;
    const id = memberOf(bodyOf(record)?.value, 'id');
    if (!isDue(columns) && !(typeof id === 'string' && items.has(id))) continue;
    count(draft, collection);
    const bare = { ...columns, session_id: null, agent_id: null };
    draft.operations.push({ type: 'put', collection, key, columns: bare, body: '{}' });
  }
}

/** Kept answers of the server may hold anything that it told: all of the tenant's go. They are a day old at most. */
export async function planAnswers(place: PurgePlace, draft: PurgeDraft): Promise<void> {
  await removeAll(place, draft, ['idempotency', 'key', place.tenant]);
}

/** Every record of one session: log, outputs, what adapters keep of it, checkpoints, and its document at the end. */
export async function planSession(
  place: PurgePlace,
  draft: PurgeDraft,
  session: string,
): Promise<void> {
  const { backend, tenant } = place;
  await noteForks(place, draft, session);
  for (const collection of sessionCollections) {
    await removeAll(place, draft, [collection, 'key', tenant, session]);
  }
  for await (const record of keysOf(backend, 'checkpoints', ['by_session', tenant, session])) {
    draft.checkpoints.add(String(record.columns['checkpoint_id']));
    count(draft, 'checkpoints');
  }
}
