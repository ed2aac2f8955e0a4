import { sequenceIds } from '@ctx/core';
import { withLiveEvents } from '@ctx/server/records';
import {
  createMemoryPlace,
  type MemoryPlace,
  memoryBackend,
} from '../../packages/store/src/backend/memory/memory-backend.ts';
import type { StoreBackend } from '../../packages/store/src/backend/store-backend.ts';
import { storeCollections } from '../../packages/store/src/collections/collections.ts';
import { type ContextStore, openStore } from '../../packages/store/src/open-store.ts';
import { beginPurge } from '../../packages/store/src/purge/purge-record.ts';
import type { PurgeScope } from '../../packages/store/src/purge/purge-scope.ts';
import { type PurgeShare, workOnPurge } from '../../packages/store/src/purge/work-on-purge.ts';
import type { WorkPlace } from '../../packages/store/src/work/work-place.ts';

export const start: number = Date.UTC(2026, 0, 1);
export const day: number = 86_400_000;

/** A store in memory that several workers open, with a clock that a test sets. */
export interface TestPlace {
  readonly state: { now: number };
  readonly backend: StoreBackend;
  /** Opens it once more. */
  readonly open: (place?: MemoryPlace) => Promise<StoreBackend>;
  readonly worker: (name: string, on?: StoreBackend) => WorkPlace;
  /** A store of a tenant that tells a live log what it writes. */
  readonly store: (tenant?: string) => Promise<ContextStore>;
  readonly begin: (scope: PurgeScope) => Promise<string>;
}

/** Makes one. */
export async function openPlace(): Promise<TestPlace> {
  const memory = createMemoryPlace();
  const state = { now: start };
  const clock = (): number => state.now;
  const open = async (place: MemoryPlace = memory): Promise<StoreBackend> => {
    const backend = memoryBackend({ place });
    await backend.open(storeCollections);
    return backend;
  };
  const backend = await open();
  const worker = (name: string, on: StoreBackend = backend): WorkPlace => ({
    ...{ backend: on, tenant: 'acme', clock, worker: name },
  });
  const store = (tenant = 'acme'): Promise<ContextStore> => {
    const told = withLiveEvents(memoryBackend({ place: memory }), { clock });
    return openStore(told, { tenant, clock, ids: sequenceIds(`${tenant}-`) });
  };
  const begin = (scope: PurgeScope): Promise<string> =>
    beginPurge({ ...worker('first'), ids: sequenceIds('purge-') }, scope);
  return { state, backend, open, worker, store, begin };
}

/** Everything that the store holds of purges' subjects: all but what purges keep of themselves. */
export async function dump(
  backend: StoreBackend,
  tenants: readonly string[] = ['', 'acme', 'other'],
): Promise<string[]> {
  const own = new Set(['purges', 'work_batches', 'open_works']);
  const found: string[] = [];
  for (const { name: collection } of storeCollections.filter(({ name }) => !own.has(name))) {
    for (const tenant of tenants) {
      for await (const { key, columns, body } of backend.scan({
        ...{ collection, index: 'key', equal: [tenant] },
      })) {
        found.push(JSON.stringify([collection, key, columns, body]));
      }
    }
  }
  return found;
}

/** Puts something everywhere that a session, an agent and time leave anything. */
export async function fill(store: ContextStore, many = 4): Promise<void> {
  for (const [agentId, session] of [
    ['ada', 'goes'],
    ['bob', 'stays'],
  ] as const) {
    await store.sessions.update(session, (before) => ({ ...before, agentId }));
    const call = { sessionId: session, toolName: 'read' };
    for (let at = 0; at < many; at += 1) {
      await store.outputs.save({ ...call, args: { at }, result: `${session} ${String(at % 2)}` });
      const item = { agentId, kind: 'note', id: `${session}-${String(at)}` };
      await store.items.save({ ...item, content: `of ${session}`, sessionId: session });
    }
    await store.events.append(session, [{ type: 'note', payload: session }]);
    const state = await store.checkpoints.read({ agentId, sessionId: session });
    await store.checkpoints.commit({ state, trigger: 'manual' });
    // What it was before is kept for the checkpoint.
    const again = { agentId, kind: 'note', id: `${session}-0`, sessionId: session };
    await store.items.save({ ...again, content: `another of ${session}` });
    await store.facts.remember({ agentId, text: session, source: 'user', sessionId: session });
    await store.facts.remember({
      agentId: 'bob',
      text: 'quartzite',
      source: 'user',
      sessionId: session,
    });
  }
  await fillEve(store);
}

/**
 * An agent whose checkpoint stays. It lists items of the session that goes, by names that tell: two that are there, one that is gone
 * since and one that another session took over; and one of its own. Of each of them it keeps what it was. One more came and went later.
 */
async function fillEve({ items, checkpoints, sessions }: ContextStore): Promise<void> {
  const save = (id: string, content: string, sessionId?: string) => {
    const session = sessionId === undefined ? {} : { sessionId };
    return items.save({ agentId: 'eve', kind: 'note', id, content, ...session });
  };
  for (const content of ['as it was', 'another']) {
    for (const id of ['goes-1', 'goes-2', 'gone-since-goes']) await save(id, content, 'goes');
    await save('moved', content, content === 'another' ? 'stays' : 'goes');
    await save('own', content);
    if (content === 'another') continue;
    // A session that had been ada's then is eve's by now.
    const owned = { sessionId: 'handed over' };
    await sessions.update(owned.sessionId, (before) => ({ ...before, agentId: 'ada' }));
    const state = await checkpoints.read({ agentId: 'eve', ...owned });
    await checkpoints.commit({ state, trigger: 'manual', label: 'of eve' });
    await sessions.update(owned.sessionId, (before) => ({ ...before, agentId: 'eve' }));
  }
  await items.delete('eve', 'gone-since-goes');
  await save('came-and-goes', 'later', 'goes');
  await items.delete('eve', 'came-and-goes');
}

/** Items whose contents checkpoints keep. */
export function keptItems(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const [collection, key] = JSON.parse(line) as [string, string[]];
    return collection === 'item_contents' && key[0] === 'acme' ? [key[2] ?? ''] : [];
  });
}

/** Works until the purge has ended. Gives what this worker did of it. */
export async function workOff(place: WorkPlace, id: string): Promise<PurgeShare> {
  let records = 0;
  let batches = 0;
  for (;;) {
    const done = await workOnPurge(place, id);
    records += done.records;
    batches += done.batches;
    if (done.state === 'ended') return { records, batches };
    await new Promise(setImmediate);
  }
}

/** A log that is told to nobody, so that its events are all there is. */
export async function appendMany(backend: StoreBackend, events: number): Promise<void> {
  const unopened = { ...backend, open: () => Promise.resolve(), close: () => Promise.resolve() };
  const store = await openStore(unopened, { tenant: 'acme' });
  for (let at = 0; at < events; at += 500) {
    await store.events.append(
      'long',
      Array.from({ length: 500 }, () => ({ type: 'note', payload: 'words' })),
    );
  }
}
