import { describe, expect, it } from 'vitest';
import type { StoreBackend } from '../../packages/store/src/backend/store-backend.ts';
import type { ContextStore } from '../../packages/store/src/open-store.ts';
import { planPurge } from '../../packages/store/src/purge/plan-purge.ts';
import { day, dump, fill, openPlace, workOff } from './purge-place.ts';

const kind = 'note';

/** A checkpoint of an agent's items as they are. Gives its id. */
async function commit({ checkpoints }: ContextStore, agentId: string): Promise<string> {
  const state = await checkpoints.read({ agentId });
  return (await checkpoints.commit({ state, trigger: 'manual' })).checkpoint.id;
}

/** An agent with an item of a session that goes and one of its own. Gives a checkpoint of both. */
async function fillAgent(store: ContextStore, agentId: string): Promise<string> {
  const { items } = store;
  await items.save({ agentId, kind, id: 'of-goes', content: 'said', sessionId: 'goes' });
  await items.save({ agentId, kind, id: 'own', content: 'before' });
  return commit(store, agentId);
}

const scope = { sessions: ['goes'] };

/** What the store holds, as one text. */
async function textOf(backend: StoreBackend): Promise<string> {
  return (await dump(backend)).join('\n');
}

/** Does something right before the first write of a purge that deletes items, or right behind it. */
function around(
  backend: StoreBackend,
  when: 'before' | 'behind',
  run: () => Promise<unknown>,
): StoreBackend {
  let isFirst = true;
  return {
    ...backend,
    write: async (operations, options) => {
      const isIt = isFirst && operations.some(({ collection }) => collection === 'items');
      if (isIt) isFirst = false;
      if (isIt && when === 'before') await run();
      await backend.write(operations, options);
      if (isIt && when === 'behind') await run();
    },
  };
}

describe('what checkpoints that stay know of what was purged', () => {
  it('is neither name nor content of items that were gone before, also where nothing else is left of the session', async () => {
    const { backend, store, begin, worker } = await openPlace();
    const filled = await store();
    const checkpoint = await fillAgent(filled, 'eve');
    await filled.items.delete('eve', 'of-goes');
    // The session has a name yet, and nothing of eve.
    await filled.sessions.update('goes', (before) => before);
    await workOff(worker('one'), await begin(scope));
    expect(await textOf(backend)).not.toContain('goes');
    expect(await textOf(backend)).not.toContain('said');
    const { items } = await filled.checkpoints.restore(checkpoint);
    expect(items).toMatchObject({ unchanged: 1, missing: [], purged: 1 });
  });

  it('is what an item is now that another session has taken over, not what it was', async () => {
    const { backend, store, begin, worker } = await openPlace();
    const filled = await store();
    const checkpoint = await fillAgent(filled, 'eve');
    const moved = { agentId: 'eve', kind, id: 'of-goes', sessionId: 'stays' };
    await filled.items.save({ ...moved, content: 'by another' });
    const later = await commit(filled, 'eve');
    await workOff(worker('one'), await begin(scope));
    expect(await textOf(backend)).not.toContain('said');
    expect((await filled.items.get('eve', 'of-goes'))?.content).toBe('by another');
    const ids = async (id: string) => (await filled.checkpoints.manifest(id)).map((one) => one.id);
    expect(await ids(checkpoint)).toEqual(['own']);
    expect((await ids(later)).toSorted()).toEqual(['of-goes', 'own']);
  });

  it('is nothing of items that went because of their age, nor do kept answers name them', async () => {
    const { backend, state, store, begin, worker } = await openPlace();
    const { items } = await store();
    await items.save({ agentId: 'eve', kind, id: 'old one', content: 'said' });
    state.now += 100 * day;
    await items.save({ agentId: 'eve', kind, id: 'fresh', content: 'before' });
    const checkpoint = await commit(await store(), 'eve');
    const answer = { collection: 'idempotency', key: ['acme', 'k', 'n'] };
    const columns = { created_at: state.now, request_hash: 'h' };
    await backend.write([{ ...answer, type: 'put', columns, body: '"old one"' }]);
    await workOff(worker('one'), await begin({ before: state.now - day, withPinned: false }));
    expect(await textOf(backend)).not.toContain('old one');
    const receipt = await (await store()).checkpoints.restore(checkpoint);
    expect(receipt.items).toMatchObject({ unchanged: 1, purged: 1 });
  });

  it('keeps the counts of the moment, and a fork and a diff say what is left', async () => {
    const { store, begin, worker } = await openPlace();
    const filled = await store();
    const checkpoint = await fillAgent(filled, 'eve');
    const { checkpoints } = filled;
    const before = await checkpoints.get(checkpoint);
    expect((await checkpoints.diffSince({ checkpointId: checkpoint })).unchanged).toBe(2);
    await workOff(worker('one'), await begin(scope));
    expect(await checkpoints.get(checkpoint)).toEqual(before);
    expect((before?.hot.items ?? 0) + (before?.warm.items ?? 0)).toBe(2);
    // What was read before the purge is not told again.
    const diff = await checkpoints.diffSince({ checkpointId: checkpoint });
    expect(diff).toMatchObject({ unchanged: 1, removed: [], read: 'changes' });
    const fork = await checkpoints.fork(checkpoint, { agentId: 'other' });
    expect(fork).toMatchObject({ items: 1, missing: [], purged: 1 });
  });

  it.each(['before', 'behind'] as const)(
    'is nothing where a checkpoint is made, or restored, right %s an item goes',
    async (when) => {
      const { backend, store, begin, worker, open } = await openPlace();
      const filled = await store();
      const checkpoint = await fillAgent(filled, 'eve');
      const id = await begin(scope);
      const run = async (): Promise<void> => {
        await filled.items.touch('eve', 'own');
        await commit(filled, 'eve');
        await filled.items.save({ agentId: 'eve', kind, id: 'own', content: 'after' });
        await filled.checkpoints.restore(checkpoint);
      };
      await workOff(worker('one', around(await open(), when, run)), id);
      expect(await textOf(backend)).not.toContain('goes');
      const { entries } = await filled.checkpoints.list({ agentId: 'eve' });
      expect(entries.length).toBeGreaterThan(2);
    },
  );

  it('is looked for once in a purge, however many items go', async () => {
    const reads: number[] = [];
    for (const many of [10, 1500]) {
      const { store, begin, worker, open } = await openPlace();
      const filled = await store();
      for (let at = 0; at < many; at += 1) {
        const id = String(at);
        await filled.items.save({ agentId: 'eve', kind, id, content: id, sessionId: 'goes' });
      }
      for (const content of ['one', 'two', 'three']) {
        await filled.items.save({ agentId: 'eve', kind, id: 'own', content });
        await commit(filled, 'eve');
      }
      const backend = await open();
      let parts = 0;
      const counting: StoreBackend = {
        ...backend,
        scan: async function* (query) {
          for await (const record of backend.scan(query)) {
            if (query.collection === 'checkpoint_parts') parts += 1;
            yield record;
          }
        },
      };
      await workOff(worker('one', counting), await begin(scope));
      reads.push(parts);
    }
    // Three checkpoints, of one part each and of six.
    expect(reads).toEqual([3, 18]);
  });

  it('is not looked for where a purge finds nothing that a checkpoint could name', async () => {
    const { state, store, begin, worker, open } = await openPlace();
    await fillAgent(await store(), 'eve');
    const asked: string[] = [];
    const backend = await open();
    const watching: StoreBackend = {
      ...backend,
      scan: (query) => {
        asked.push(query.collection);
        return backend.scan(query);
      },
    };
    const before = state.now - day;
    await workOff(worker('one', watching), await begin({ before, withPinned: false }));
    expect(asked).not.toContain('checkpoint_parts');
  });
});

it('a purge tells the sessions that were forked from what goes: they hold copies', async () => {
  const { backend, store } = await openPlace();
  const { events } = await store();
  await fill(await store());
  const forkedFrom = (sessionId: string) => {
    const event = { type: 'forked', sessionId, to: 1, at: 1 };
    return [{ type: 'window-forked', payload: { event } }];
  };
  await events.append('fork', forkedFrom('goes'));
  await events.append('fork of fork', forkedFrom('fork'));
  await events.append('goes too', forkedFrom('goes'));
  const sessions = ['goes', 'goes too'];
  const { findings, steps } = await planPurge(backend, { tenant: 'acme', scope: { sessions } });
  for await (const step of steps) expect(step.key[1]).not.toBe('fork');
  expect([...findings.forks]).toEqual(['fork']);
});
