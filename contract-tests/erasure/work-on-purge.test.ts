import { CtxError, sequenceIds } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import type { RecordKey, StoreBackend } from '../../packages/store/src/backend/store-backend.ts';
import type { ContextStore } from '../../packages/store/src/open-store.ts';
import { planPurge } from '../../packages/store/src/purge/plan-purge.ts';
import {
  beginPurge,
  listPurges,
  purgeCounts,
  purgeProgress,
} from '../../packages/store/src/purge/purge-record.ts';
import type { PurgeScope } from '../../packages/store/src/purge/purge-scope.ts';
import { countedAs } from '../../packages/store/src/purge/purge-step.ts';
import { waysToTry } from '../ways-to-try.ts';
import { workOnPurge } from '../../packages/store/src/purge/work-on-purge.ts';
import { listWorks } from '../../packages/store/src/work/open-works.ts';
import { claimMs } from '../../packages/store/src/work/work-place.ts';
import {
  appendMany,
  day,
  dump,
  fill,
  keptItems,
  openPlace,
  start,
  workOff,
} from './purge-place.ts';

/** A promise that the test keeps. */
function promised() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((keep) => {
    resolve = keep;
  });
  return { promise, resolve };
}

describe('several workers on one purge', () => {
  it('share its batches: each of them is done once, and none of them does all', async () => {
    const { open, worker, begin, backend } = await openPlace();
    await appendMany(backend, 6000);
    const id = await begin({ sessions: ['long'] });
    const backends = await Promise.all([open(), open(), open()]);
    // One plans, so that all of them find something to do.
    await workOnPurge(worker('a', backends[0]), id, { shouldStop: () => true });
    const done = await Promise.all(
      backends.map((backend, at) => workOff(worker(`${String(at)} worker`, backend), id)),
    );
    const batches = done.map((one) => one.batches);
    expect(batches.reduce((sum, one) => sum + one, 1)).toBe(12);
    expect(Math.min(...batches)).toBeGreaterThan(0);
    const [purge] = await listPurges(worker('x'));
    expect(purge).toMatchObject({ id, stage: 'ended', batches: 12, scope: undefined });
    expect(done.reduce((sum, one) => sum + one.records, 500)).toBe(purge?.records);
    expect(await dump(worker('x').backend)).toEqual([expect.stringContaining('tenants')]);
    expect(await listWorks(worker('x').backend)).toEqual([]);
  });

  it('a batch of one that died is done by another once it was silent for long enough, not before', async () => {
    const { state, open, worker, begin, backend } = await openPlace();
    await appendMany(backend, 1500);
    const id = await begin({ sessions: ['long'] });
    const dying = await open();
    const hangs = promised();
    const late = workOnPurge(
      worker('dying', {
        ...dying,
        write: async (operations, options) => {
          const isBatch = operations.some(({ collection }) => collection === 'events');
          if (isBatch) await hangs.promise;
          return dying.write(operations, options);
        },
      }),
      id,
    );
    while ((await purgeProgress(worker('x'), id)).workers === 0) await new Promise(setImmediate);
    const living = worker('living');
    const first = await workOnPurge(living, id);
    expect(first.state).toBe('taken');
    expect(await purgeProgress(living, id)).toEqual({ records: 500, batches: 1, workers: 1 });
    state.now += claimMs - 1;
    expect(await workOnPurge(living, id)).toMatchObject({ state: 'taken', batches: 0 });
    state.now += 1;
    expect(await workOnPurge(living, id)).toMatchObject({ state: 'ended', batches: 1 });
    // What it wakes up in is done already: it is refused and not counted.
    hangs.resolve();
    expect(await late).toEqual({ state: 'ended', records: 0, batches: 0 });
    const [purge] = await listPurges(living);
    expect(purge?.batches).toBe(first.batches + 1);
  });

  it('a plan that was cut off is made anew by another, and nothing is destroyed before it is whole', async () => {
    const { state, open, worker, begin, backend } = await openPlace();
    await appendMany(backend, 1500);
    const before = await dump(backend);
    const id = await begin({ sessions: ['long'] });
    const dying = await open();
    const hangs = promised();
    let puts = 0;
    const late = workOnPurge(
      worker('dying', {
        ...dying,
        write: async (operations, options) => {
          puts += operations.filter(({ collection }) => collection === 'work_batches').length;
          if (puts === 2) await hangs.promise;
          return dying.write(operations, options);
        },
      }),
      id,
    );
    while (puts < 2) await new Promise(setImmediate);
    const living = worker('living');
    expect(await workOnPurge(living, id)).toEqual({ state: 'taken', records: 0, batches: 0 });
    expect(await dump(backend)).toEqual(before);
    state.now += claimMs + 1;
    expect(await workOnPurge(living, id)).toMatchObject({ state: 'ended', batches: 3 });
    hangs.resolve();
    expect(await late).toMatchObject({ state: 'ended', batches: 0 });
    expect(await dump(backend)).toEqual([expect.stringContaining('tenants')]);
    const [purge] = await listPurges(living);
    expect(purge?.batches).toBe(3);
  });
});

/** A backend whose owner dies before its n-th write: from there on nothing answers. */
function dyingBackend(backend: StoreBackend, writes: number): StoreBackend {
  let left = writes;
  return {
    ...backend,
    write: async (operations, options) => {
      left -= 1;
      if (left < 0) throw new CtxError('CTX_STORE_IO', 'died');
      return backend.write(operations, options);
    },
  };
}

/** With what nothing of the tenant names afterwards. */
const scopes: readonly (readonly [PurgeScope, readonly string[]])[] = [
  [{ sessions: ['goes'] }, ['goes']],
  [{ agent: 'ada' }, ['goes', 'ada']],
  [{ before: start + day, withPinned: false }, ['goes', 'stays', 'own', 'moved']],
  [{ all: true }, ['acme']],
];

describe('a purge that dies at any of its writes', () => {
  it.each(waysToTry(scopes))(
    'ends as if it had not, by another worker: %j',
    async (scope, gone) => {
      const whole = await openPlace();
      await fill(await whole.store());
      await fill(await whole.store('other'), 1);
      const id = await whole.begin(scope);
      const done = await workOff(whole.worker('one'), id);
      const wanted = await dump(whole.backend);
      expect(done.batches).toBeGreaterThan(0);
      const own = wanted.filter((line) => line.includes('"acme"')).join('');
      expect(gone.filter((name) => own.includes(name))).toEqual([]);
      // The contents that the other agents' checkpoints keep of what stays.
      const kept = 'all' in scope || 'before' in scope ? [] : ['stays-0', 'own'];
      expect(keptItems(wanted)).toEqual(kept);
      let isDead = true;
      for (let writes = 0; isDead; writes += 1) {
        const place = await openPlace();
        await fill(await place.store());
        await fill(await place.store('other'), 1);
        const purgeId = await place.begin(scope);
        const dying = place.worker('dying', dyingBackend(await place.open(), writes));
        isDead = await workOnPurge(dying, purgeId).then(
          () => false,
          () => true,
        );
        place.state.now += claimMs + 1;
        for (const { workId } of await listWorks(place.backend)) {
          await workOff(place.worker('other'), workId);
        }
        const left = await dump(place.backend);
        // A note of the time is all that may differ.
        const timeless = (line: string): string => line.replaceAll(/\d{13}/g, 'time');
        expect([writes, left.map(timeless)]).toEqual([writes, wanted.map(timeless)]);
        expect(await listWorks(place.backend)).toEqual([]);
      }
    },
  );

  it('names each record once, and of the agent itself no item that checkpoints have to be asked about', async () => {
    const { backend, store } = await openPlace();
    await fill(await store());
    for (const [scope] of scopes) {
      const { steps } = await planPurge(backend, { tenant: 'acme', scope });
      const seen: string[] = [];
      const ways = new Set<string>();
      for await (const step of steps) {
        seen.push(JSON.stringify([countedAs(step), step.key]));
        if (step.key[1] === 'ada') ways.add(step.type);
      }
      expect(new Set(seen).size).toBe(seen.length);
      if ('agent' in scope) expect(ways).toEqual(new Set(['record']));
    }
  });

  it('makes a checkpoint begin again that would name an item which is gone', async () => {
    const { store, begin, worker } = await openPlace();
    const filled = await store();
    await fill(filled);
    const state = await filled.checkpoints.read({ agentId: 'eve' });
    await workOff(worker('one'), await begin({ sessions: ['goes'] }));
    const late = filled.checkpoints.commit({ state, trigger: 'manual' });
    await expect(late).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
  });

  it('puts no more than twenty checkpoints into one batch', async () => {
    const { backend, store, begin, worker } = await openPlace();
    const filled = await store();
    await filled.sessions.update('goes', (before) => ({ ...before, agentId: 'ada' }));
    for (let number = 0; number < 21; number += 1) {
      const item = { agentId: 'ada', kind: 'note', id: 'one', content: String(number) };
      await filled.items.save(item);
      const state = await filled.checkpoints.read({ agentId: 'ada', sessionId: 'goes' });
      await filled.checkpoints.commit({ state, trigger: 'manual' });
    }
    const id = await begin({ sessions: ['goes'] });
    const counts: number[] = [];
    await workOnPurge(worker('one'), id, { shouldStop: () => true });
    for await (const { body } of backend.scan({
      ...{ collection: 'work_batches', index: 'key', equal: ['acme', id] },
    })) {
      counts.push((JSON.parse(body) as { checkpoints: unknown[] }).checkpoints.length);
    }
    // One of two batches is done by now.
    expect([[20], [1]]).toContainEqual(counts);
    await workOff(worker('one'), id);
    expect((await filled.checkpoints.list({ agentId: 'ada' })).entries).toEqual([]);
  });

  it('leaves what belongs to others as it was', async () => {
    const { backend, store, begin, worker } = await openPlace();
    await fill(await store());
    await fill(await store('other'));
    const others = await dump(backend, ['other']);
    await workOff(worker('one'), await begin({ agent: 'ada' }));
    expect(await dump(backend, ['other'])).toEqual(others);
    const bob = await store();
    expect((await bob.items.list('bob')).entries).toHaveLength(4);
    const [fact] = await bob.facts.recall({ agentId: 'bob', query: 'quartzite' });
    expect(fact?.origins.map(({ sessionId }) => sessionId)).toEqual(['stays']);
    const [checkpoint] = (await bob.checkpoints.list({ agentId: 'bob' })).entries;
    expect(await bob.checkpoints.manifest(checkpoint?.id ?? '')).toHaveLength(4);
  });
});

describe('a checkpoint that stays behind a purge', () => {
  it('says which items are gone where it is restored, gives back what is left, and holds no content', async () => {
    const { backend, store, begin, worker } = await openPlace();
    const { items, checkpoints } = await store();
    const item = { agentId: 'eve', kind: 'note' };
    await items.save({ ...item, id: 'own', content: 'before' });
    await items.save({ ...item, id: 'gone', sessionId: 'goes', content: 'secret of goes' });
    const state = await checkpoints.read({ agentId: 'eve' });
    const { checkpoint } = await checkpoints.commit({ state, trigger: 'manual' });
    await items.save({ ...item, id: 'own', content: 'after' });
    await items.save({ ...item, id: 'gone', sessionId: 'goes', content: 'later secret of goes' });
    await workOff(worker('one'), await begin({ sessions: ['goes'] }));
    expect((await dump(backend)).join('')).not.toContain('secret');
    const receipt = await checkpoints.restore(checkpoint.id);
    expect(receipt.items).toMatchObject({ missing: [], purged: 1 });
    expect((await items.get('eve', 'own'))?.content).toBe('before');
    expect(await items.get('eve', 'gone')).toBeUndefined();
  });
});

describe('a worker that looks at any moment', () => {
  it('finds each purge that is begun, and leaves none of them behind', async () => {
    const { backend, worker } = await openPlace();
    await appendMany(backend, 500);
    const other = worker('other');
    const look = async (): Promise<void> => {
      for (const { workId } of await listWorks(backend)) await workOnPurge(other, workId);
    };
    let writes = 0;
    const watched: StoreBackend = {
      ...backend,
      write: async (operations, options) => {
        writes += 1;
        await look();
        await backend.write(operations, options);
        await look();
      },
    };
    const place = { ...worker('begins', watched), ids: sequenceIds('purge-') };
    await beginPurge(place, { sessions: ['long'] });
    const [purge] = await listPurges(place);
    expect(purge).toMatchObject({ stage: 'ended', records: 500 });
    // Whoever dies as it begins has begun it or not.
    expect(writes).toBe(1);
    expect(await listWorks(backend)).toEqual([]);
  });
});

/** What a test may change in the middle of a purge. */
interface ChangePlace {
  readonly backend: StoreBackend;
  /** Keys of the live events that are about to lose their names. */
  readonly events: readonly RecordKey[];
}

describe('what changes while a purge works', () => {
  /** Changes something right before the first write of a purge that holds a record of this collection. */
  async function changedBefore(
    collection: 'facts' | 'items',
    change: (filled: ContextStore, place: ChangePlace) => Promise<void>,
  ) {
    const { backend, open, store, begin, worker } = await openPlace();
    const filled = await store();
    await fill(filled);
    const id = await begin({ sessions: ['goes'] });
    const working = await open();
    let isFirst = true;
    const changing: StoreBackend = {
      ...working,
      write: async (operations, options) => {
        const keysIn = (name: string) =>
          operations.filter((one) => one.collection === name).map(({ key }) => key);
        if (isFirst && keysIn(collection).length > 0) {
          isFirst = false;
          await change(filled, { backend, events: keysIn('live_events') });
        }
        return working.write(operations, options);
      },
    };
    await workOff(worker('one', changing), id);
    expect(isFirst).toBe(false);
    return { backend, filled };
  }

  it('a fact that was confirmed anew keeps that', async () => {
    const { filled } = await changedBefore('facts', async ({ facts }) => {
      const text = { agentId: 'bob', text: 'quartzite', source: 'user' };
      await facts.remember({ ...text, sessionId: 'came later' });
    });
    const [fact] = await filled.facts.recall({ agentId: 'bob', query: 'quartzite' });
    expect(fact?.origins.map(({ sessionId }) => sessionId)).toEqual(['came later', 'stays']);
  });

  it('an event that the log has let go stays gone', async () => {
    let gone: RecordKey | undefined;
    // The write that holds the facts holds the events, too.
    const { backend } = await changedBefore('facts', async (_, place) => {
      gone = place.events[0];
      if (gone === undefined) throw new TypeError('the batch has events');
      await place.backend.write([{ type: 'delete', collection: 'live_events', key: gone }]);
    });
    expect(await backend.get('live_events', [gone ?? []])).toEqual([undefined]);
  });

  it('a content that is kept of an item between the plan and its end goes, too', async () => {
    const { backend } = await changedBefore('items', async ({ items }) => {
      const again = { agentId: 'ada', kind: 'note', id: 'goes-1', sessionId: 'goes' };
      await items.save({ ...again, content: 'a third of goes' });
    });
    const kept = (await dump(backend)).filter((line) => line.startsWith('["item_contents"'));
    expect(kept.join('')).not.toContain('goes');
  });
});

describe('what is told of purges', () => {
  it('counts by name what is planned, and what is left in the middle', async () => {
    const { begin, worker, backend } = await openPlace();
    await appendMany(backend, 1500);
    const scope = { sessions: ['long'] };
    const { steps } = await planPurge(backend, { tenant: 'acme', scope });
    let planned = 0;
    for await (const _ of steps) planned += 1;
    const id = await begin(scope);
    const place = worker('one');
    const first = await workOnPurge(place, id, { shouldStop: () => true });
    expect(first).toEqual({ state: 'stopped', records: 500, batches: 1 });
    expect(await listPurges(place)).toMatchObject([{ stage: 'working', endedAt: undefined }]);
    const left = await purgeCounts(place, id);
    expect(Object.values(left).reduce((sum, one) => sum + one, 0)).toBe(planned - 500);
    expect(await purgeProgress(place, id)).toMatchObject({ records: planned - 500, workers: 0 });
  });

  it('forgets after 30 days that one ended, and at once with the whole tenant', async () => {
    const { state, begin, worker, backend } = await openPlace();
    await appendMany(backend, 500);
    const place = worker('one');
    const ends = async (ids: string, scope: PurgeScope): Promise<number> => {
      const id = await beginPurge({ ...place, ids: sequenceIds(ids) }, scope);
      await workOff(place, id);
      return (await listPurges(place)).length;
    };
    await workOff(place, await begin({ sessions: ['long'] }));
    state.now += 30 * day;
    expect(await ends('second-', { sessions: ['long'] })).toBe(2);
    state.now += 1;
    expect(await ends('third-', { sessions: ['long'] })).toBe(2);
    expect(await ends('fourth-', { all: true })).toBe(0);
  });
});
