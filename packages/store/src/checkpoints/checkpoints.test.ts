import { CtxError, sequenceIds } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { createMemoryPlace, memoryBackend } from '../backend/memory/memory-backend.ts';
import { type ContextStore, openStore } from '../open-store.ts';
import { emptySessionDocument } from '../sessions/session-document.ts';

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

/** A store in memory with a clock that the test turns. */
async function opened(): Promise<{ store: ContextStore; clock: { now: number } }> {
  const clock = { now: start };
  const store = await openStore(memoryBackend({ place: createMemoryPlace() }), {
    clock: () => clock.now,
    ids: sequenceIds(),
  });
  return { store, clock };
}

/** Everything of the working set that a restore brings back. */
async function workingSet(store: ContextStore, agentId = 'agent') {
  const all = [];
  for (let after: string | undefined; ; ) {
    const page = await store.items.list(agentId, after === undefined ? {} : { after });
    all.push(...page.entries.map(({ updatedAt: _u, rankedAt: _r, ...item }) => item));
    if (page.next === undefined) return all;
    after = page.next;
  }
}

const save = (store: ContextStore, id: string, content: string, kind = 'TASK') =>
  store.items.save({ agentId: 'agent', kind, content, id });

const checkpointOf = async (store: ContextStore, sessionId?: string): Promise<string> => {
  const scope = { agentId: 'agent', ...(sessionId === undefined ? {} : { sessionId }) };
  const receipt = await store.checkpoints.flashSave({ ...scope, trigger: 'manual' });
  return receipt.checkpointId ?? '';
};

describe('checkpoints', () => {
  it('brings back contents that were replaced and items that were deleted, and takes that back again', async () => {
    const { store, clock } = await opened();
    await save(store, 'a', 'first a');
    await save(store, 'b', 'first b');
    await store.items.pin('agent', 'b');
    const before = await workingSet(store);
    const id = await checkpointOf(store);
    clock.now += hour;
    await save(store, 'a', 'second a');
    await store.items.delete('agent', 'b');
    await save(store, 'c', 'new c');
    const after = await workingSet(store);

    const receipt = await store.checkpoints.restore(id);
    expect(receipt.items).toEqual({
      restored: 2,
      contents: 2,
      unchanged: 0,
      archived: 1,
      missing: [],
      purged: 0,
    });
    expect(await workingSet(store)).toEqual(before);
    expect(await store.items.get('agent', 'c', { peek: true })).toMatchObject({ archived: true });

    await store.checkpoints.restore(receipt.undo?.id ?? '');
    expect(await workingSet(store)).toEqual(after);
  });

  it('writes nothing when it is restored a second time', async () => {
    const { store } = await opened();
    await save(store, 'a', 'first');
    const id = await checkpointOf(store);
    await save(store, 'a', 'second');
    expect((await store.checkpoints.restore(id)).undo).toBeDefined();
    const again = await store.checkpoints.restore(id);
    expect(again.undo).toBeUndefined();
    expect(again.items).toMatchObject({ restored: 0, unchanged: 1 });
    expect((await store.checkpoints.list({ agentId: 'agent' })).entries).toHaveLength(2);
  });

  it('brings back the document of the session under a new version', async () => {
    const { store } = await opened();
    const document = { ...emptySessionDocument('s'), facts: ['one'] };
    await store.sessions.update('s', (session) => ({ ...session, document, title: 'T' }));
    await store.events.append('s', [{ type: 'message', payload: 'hello' }]);
    const id = await checkpointOf(store, 's');
    await store.events.append('s', [{ type: 'message', payload: 'more' }]);
    await store.sessions.update('s', (session) => ({
      ...session,
      document: { ...session.document, facts: ['two'] },
    }));
    const receipt = await store.checkpoints.restore(id);
    expect(receipt.session).toBe('restored');
    expect(receipt.checkpoint.eventSequence).toBe(0);
    expect(receipt.undo?.eventSequence).toBe(1);
    const session = await store.sessions.get('s');
    expect(session).toMatchObject({ version: 3, title: 'T', document: { facts: ['one'] } });
    await store.checkpoints.restore(receipt.undo?.id ?? '');
    expect((await store.sessions.get('s'))?.document.facts).toEqual(['two']);
  });

  it('lists by agent and by session, newest first, by number however the clock goes', async () => {
    const { store, clock } = await opened();
    const ids: string[] = [];
    for (const [at, change] of [0, 0, -hour].entries()) {
      clock.now += change;
      await save(store, `item ${String(at)}`, 'x');
      ids.unshift(await checkpointOf(store, 's'));
    }
    const byAgent = await store.checkpoints.list({ agentId: 'agent', limit: 2 });
    expect(byAgent.entries.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const rest = await store.checkpoints.list({ agentId: 'agent', after: byAgent.next ?? '' });
    expect(rest.entries.map(({ id }) => id)).toEqual(ids.slice(2));
    const bySession = await store.checkpoints.list({ sessionId: 's' });
    expect(bySession.entries.map(({ id, sequence }) => [id, sequence])).toEqual(
      ids.map((id, at) => [id, 2 - at]),
    );
  });

  it('sees nothing of another tenant, nor of another agent', async () => {
    const place = createMemoryPlace();
    const store = await openStore(memoryBackend({ place }));
    await save(store, 'a', 'mine');
    const id = await checkpointOf(store);
    const other = await openStore(memoryBackend({ place }), { tenant: 'other' });
    expect(await other.checkpoints.get(id)).toBeUndefined();
    await expect(other.checkpoints.restore(id)).rejects.toThrow(CtxError);
    expect((await store.checkpoints.list({ agentId: 'another' })).entries).toEqual([]);
  });

  it('deletes what is too many, keeps what has a label and the newest, and frees the contents', async () => {
    const { store } = await opened();
    const ids: string[] = [];
    for (const at of [0, 1, 2, 3, 4]) {
      await save(store, 'a', `content ${String(at)}`);
      const named = at === 1 ? { label: 'named' } : {};
      const receipt = await store.checkpoints.flashSave({ agentId: 'agent', ...named });
      ids.push(receipt.checkpointId ?? '');
    }
    expect(await store.checkpoints.prune('agent', { keep: 2 })).toEqual({
      checkpoints: 2,
      contents: 1,
    });
    const { entries } = await store.checkpoints.list({ agentId: 'agent' });
    expect(entries.map(({ id }) => id)).toEqual([ids[4], ids[3], ids[1]]);
    await store.checkpoints.restore(ids[1] ?? '');
    expect((await store.items.get('agent', 'a', { peek: true }))?.content).toBe('content 1');
    await expect(store.checkpoints.prune('agent', { keep: 0 })).rejects.toThrow('keep');
  });

  it('keeps nothing of what is destroyed where no checkpoint names it', async () => {
    const { store } = await opened();
    await save(store, 'a', 'secret');
    await store.items.delete('agent', 'a');
    expect(await store.checkpoints.purge('agent', 'a')).toBe(0);
  });

  it('destroys what was kept of an item when it is purged, its name too, and says how many are gone then', async () => {
    const { store } = await opened();
    await save(store, 'a', 'secret');
    const id = await checkpointOf(store);
    await store.items.delete('agent', 'a');
    expect(await store.checkpoints.purge('agent', 'a')).toBe(1);
    expect((await store.checkpoints.restore(id)).items).toMatchObject({
      restored: 0,
      missing: [],
      purged: 1,
    });
    expect(await workingSet(store)).toEqual([]);
  });

  it('begins a session and copies of the items for another agent', async () => {
    const { store } = await opened();
    await store.sessions.update('s', (session) => ({ ...session, agentId: 'agent' }));
    await save(store, 'a', 'first');
    const id = await checkpointOf(store, 's');
    await save(store, 'a', 'second');
    const receipt = await store.checkpoints.fork(id, { sessionId: 'fork', agentId: 'other' });
    expect(receipt).toMatchObject({ agentId: 'other', sessionId: 'fork', items: 1, missing: [] });
    expect((await workingSet(store, 'other'))[0]).toMatchObject({ id: 'a', content: 'first' });
    expect((await store.sessions.get('fork'))?.document.session_id).toBe('fork');
    await expect(
      store.checkpoints.fork(id, { sessionId: 'fork', agentId: 'third' }),
    ).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
    await expect(store.checkpoints.fork(id, {})).rejects.toMatchObject({
      code: 'CTX_INVALID_INPUT',
    });
    expect(await workingSet(store, 'third')).toEqual([]);
  });

  it('is begun again where an item is replaced while it is made', async () => {
    const { store } = await opened();
    await save(store, 'a', 'first');
    const state = await store.checkpoints.read({ agentId: 'agent' });
    await save(store, 'a', 'second');
    await expect(store.checkpoints.commit({ state, trigger: 'manual' })).rejects.toMatchObject({
      code: 'CTX_STORE_CONFLICT',
    });
  });

  it('keeps the content of an item that is replaced while the first checkpoint is made', async () => {
    const { store } = await opened();
    await save(store, 'a', 'first');
    const [id] = await Promise.all([checkpointOf(store), save(store, 'a', 'second')]);
    const manifest = await store.checkpoints.manifest(id);
    await save(store, 'a', 'third');
    expect((await store.checkpoints.restore(id)).items.missing).toEqual([]);
    const item = await store.items.get('agent', 'a', { peek: true });
    expect(item?.fingerprint).toBe(manifest[0]?.fingerprint);
  });
});
