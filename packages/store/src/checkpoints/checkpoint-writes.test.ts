import { sequenceIds } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import type { WriteOptions } from '../backend/store-backend.ts';
import { applyFlashSave } from '../flash-save/flash-save.ts';
import { flashSavePolicy } from '../flash-save/flash-save-policy.ts';
import { planFlashSave } from '../flash-save/plan-flash-save.ts';
import { openStore } from '../open-store.ts';

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;
const agentId = 'agent';

/** A store in memory whose clock the test turns, and the options of each write. */
async function opened() {
  const clock = { now: start };
  const inner = memoryBackend();
  const options: WriteOptions[] = [];
  const store = await openStore(
    {
      ...inner,
      write: (operations, given = {}) => {
        options.push(given);
        return inner.write(operations, given);
      },
    },
    { clock: () => clock.now, ids: sequenceIds() },
  );
  return { store, clock, options };
}

describe('what a checkpoint writes', () => {
  it('conflicts where the session has gone on since it was read', async () => {
    const { store } = await opened();
    await store.items.save({ agentId, kind: 'TASK', content: 'a' });
    const steps = [
      () => store.events.append('s', [{ type: 'message', payload: 'one' }]),
      () => store.sessions.update('s', (session) => ({ ...session, title: 'first' })),
      () => store.sessions.update('s', (session) => ({ ...session, title: 'second' })),
      () => store.events.append('s', [{ type: 'message', payload: 'two' }]),
    ];
    for (const step of steps) {
      const state = await store.checkpoints.read({ agentId, sessionId: 's' });
      await step();
      const plan = planFlashSave(state, flashSavePolicy());
      await expect(applyFlashSave(store.checkpoints, plan)).rejects.toMatchObject({
        code: 'CTX_STORE_CONFLICT',
      });
    }
    expect((await store.checkpoints.list({ agentId })).entries).toEqual([]);
  });

  it('outlives a power cut, as restore and fork do', async () => {
    const { store, options } = await opened();
    const last = (): unknown => options.at(-1)?.durability;
    await store.items.save({ agentId, id: 'a', kind: 'TASK', content: 'a' });
    expect(last()).toBeUndefined();
    const { checkpointId = '' } = await store.checkpoints.flashSave({ agentId });
    expect(last()).toBe('power');
    await store.items.save({ agentId, id: 'a', kind: 'TASK', content: 'b' });
    await store.checkpoints.restore(checkpointId);
    expect(last()).toBe('power');
    await store.items.pin(agentId, 'a');
    await store.checkpoints.fork(checkpointId, { agentId: 'other' });
    expect(last()).toBe('power');
  });

  it('counts what lies on a border of two tiers to the higher one', async () => {
    const { store } = await opened();
    const { hotFrom, warmFrom } = (await store.checkpoints.read({ agentId })).policy;
    const input = { agentId, kind: 'NOTE', content: 'x' };
    await store.items.save({ ...input, id: 'hot', importance: hotFrom });
    await store.items.save({ ...input, id: 'warm', importance: warmFrom });
    const receipt = await store.checkpoints.flashSave({ agentId });
    expect(receipt).toMatchObject({ itemsArchived: 0, warmItemsRetained: 1, retained: ['hot'] });
  });

  it('gives an item that was archived before a restore all of its own back when that is undone', async () => {
    const { store, clock } = await opened();
    await store.items.save({ agentId, id: 'a', kind: 'TASK', content: 'a' });
    const { checkpointId = '' } = await store.checkpoints.flashSave({ agentId });
    clock.now += hour;
    await store.items.touch(agentId, 'a');
    await store.items.archive(agentId, 'a');
    const before = await store.items.get(agentId, 'a', { peek: true });
    const { undo } = await store.checkpoints.restore(checkpointId);
    expect(await store.items.get(agentId, 'a', { peek: true })).toMatchObject({
      accessCount: 0,
      archived: false,
    });
    await store.checkpoints.restore(undo?.id ?? '');
    const again = await store.items.get(agentId, 'a', { peek: true });
    expect(again).toEqual({ ...before, rankedAt: clock.now });
  });

  it('gives an item that was made anew its session and weight back, and its place the moment that it had', async () => {
    const { store, clock } = await opened();
    const made = async (sessionId: string, importance: number): Promise<void> => {
      const input = { agentId, id: 'a', kind: 'TASK', content: 'a' };
      await store.items.save({ ...input, sessionId, importance });
      await store.items.finish(agentId, 'a');
    };
    const item = () => store.items.get(agentId, 'a', { peek: true });
    for (const [sessionId, importance] of [
      ['t', 0.9],
      ['s', 0.8],
    ] as const) {
      await made('s', 0.9);
      const before = await item();
      const state = await store.checkpoints.read({ agentId });
      const { checkpoint } = await store.checkpoints.commit({ state, trigger: 'manual' });
      await store.items.delete(agentId, 'a');
      await made(sessionId, importance);
      expect(await item()).toEqual({ ...before, sessionId, weight: importance });
      clock.now += hour;
      expect((await store.checkpoints.restore(checkpoint.id)).items.restored).toBe(1);
      expect(await item()).toEqual(before);
      await store.items.delete(agentId, 'a');
    }
  });

  it('is compared by its changes alone where another clock is a little behind', async () => {
    const { store, clock } = await opened();
    await store.items.save({ agentId, id: 'a', kind: 'TASK', content: 'a' });
    clock.now += hour;
    const { checkpointId = '' } = await store.checkpoints.flashSave({ agentId });
    clock.now -= 500;
    await store.items.save({ agentId, id: 'b', kind: 'TASK', content: 'b' });
    clock.now += hour;
    const diff = await store.checkpoints.diffSince({ checkpointId });
    expect(diff).toMatchObject({ read: 'changes', added: [{ id: 'b' }], unchanged: 1 });
  });
});
