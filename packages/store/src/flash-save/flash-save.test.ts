import { sequenceIds } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { type ContextStore, openStore } from '../open-store.ts';
import { applyFlashSave } from './flash-save.ts';
import { flashSavePolicy } from './flash-save-policy.ts';
import { planFlashSave } from './plan-flash-save.ts';

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

async function opened(): Promise<{ store: ContextStore; clock: { now: number } }> {
  const clock = { now: start };
  const options = {
    clock: () => clock.now,
    importance: { pauseMs: Number.POSITIVE_INFINITY },
    ids: sequenceIds(),
    tokenCounter: (text: string) => text.length,
  };
  return { store: await openStore(memoryBackend(), options), clock };
}

const save = (store: ContextStore, id: string, options: { kind?: string; tokens?: number } = {}) =>
  store.items.save({
    agentId: 'agent',
    id,
    kind: options.kind ?? 'TASK',
    content: 'x'.repeat(options.tokens ?? 100),
  });

describe('flashSave', () => {
  it('keeps what a save called hot a moment ago, as the list does', async () => {
    const { store, clock } = await opened();
    const input = { agentId: 'agent', kind: 'CODE' };
    const code = await store.items.save({ ...input, id: 'code', content: 'a' });
    const rated = await store.items.save({
      ...{ agentId: 'agent', kind: 'note', id: 'rated', content: 'b' },
      importance: 0.8,
    });
    expect([code.tier, rated.tier]).toEqual(['hot', 'hot']);
    clock.now += 20;
    const { entries } = await store.items.inTier('agent', 'hot');
    expect(entries.map(({ id }) => id).sort()).toEqual(['code', 'rated']);
    expect((await store.items.stats('agent')).tiers[0]).toMatchObject({ tier: 'hot', items: 2 });
    expect(await store.checkpoints.flashSave({ agentId: 'agent' })).toMatchObject({
      hotItemsRetained: 2,
    });
  });

  it('archives what is cold, keeps what is warm at hand and what is hot in view', async () => {
    const { store, clock } = await opened();
    await save(store, 'old');
    clock.now += 48 * hour;
    await save(store, 'middle', { kind: 'TEST_RESULT' });
    await save(store, 'new');
    const receipt = await store.checkpoints.flashSave({ agentId: 'agent' });
    expect(receipt).toMatchObject({
      unchanged: false,
      tokensBefore: 300,
      tokensAfter: 100,
      reductionPercent: 66.7,
      itemsArchived: 1,
      hotItemsRetained: 1,
      warmItemsRetained: 1,
      retained: ['new'],
      fits: true,
      biggest: [],
    });
    expect(await store.items.get('agent', 'old', { peek: true })).toMatchObject({ archived: true });
    expect(await store.items.stats('agent')).toMatchObject({ archived: { items: 1 } });
    const [checkpoint] = (await store.checkpoints.list({ agentId: 'agent' })).entries;
    expect(checkpoint).toMatchObject({
      trigger: 'limit',
      hot: { items: 1, tokens: 100 },
      warm: { items: 1, tokens: 100 },
      cold: { items: 0, tokens: 0 },
      archived: { items: 1, tokens: 100 },
    });
  });

  it('gives the earlier checkpoint where it would say the same', async () => {
    const { store, clock } = await opened();
    await save(store, 'old');
    clock.now += 48 * hour;
    await save(store, 'new');
    const first = await store.checkpoints.flashSave({ agentId: 'agent' });
    const second = await store.checkpoints.flashSave({ agentId: 'agent' });
    const third = await store.checkpoints.flashSave({ agentId: 'agent', label: 'named' });
    const fourth = await store.checkpoints.flashSave({ agentId: 'agent', label: 'other' });
    expect(first).toMatchObject({ unchanged: false, itemsArchived: 1 });
    for (const same of [second, third])
      expect(same).toMatchObject({ unchanged: true, checkpointId: first.checkpointId });
    expect(fourth.unchanged).toBe(false);
    const { entries } = await store.checkpoints.list({ agentId: 'agent' });
    expect(entries.map(({ label }) => label)).toEqual(['other', 'named']);
  });

  it('saves again once anything is different, in the same millisecond too', async () => {
    const { store } = await opened();
    await save(store, 'a');
    await store.events.append('s', [{ type: 'message', payload: 'one' }]);
    const scope = { agentId: 'agent', sessionId: 's' };
    const ids = [(await store.checkpoints.flashSave(scope)).checkpointId];
    await store.items.touch('agent', 'a');
    ids.push((await store.checkpoints.flashSave(scope)).checkpointId);
    await store.events.append('s', [{ type: 'message', payload: 'two' }]);
    ids.push((await store.checkpoints.flashSave(scope)).checkpointId);
    await store.sessions.update('s', (session) => session);
    ids.push((await store.checkpoints.flashSave(scope)).checkpointId);
    ids.push((await store.checkpoints.flashSave(scope)).checkpointId);
    expect(new Set(ids).size).toBe(4);
    expect(ids[4]).toBe(ids[3]);
  });

  it('says that it does not fit, names the biggest and writes no more than one checkpoint', async () => {
    const { store } = await opened();
    for (const [id, tokens] of [
      ['a', 300],
      ['b', 500],
      ['c', 50],
    ] as const)
      await save(store, id, { tokens });
    await store.items.pin('agent', 'b');
    const request = { agentId: 'agent', policy: { hotTokens: 400 } };
    const first = await store.checkpoints.flashSave(request);
    expect(first).toMatchObject({ fits: false, tokensAfter: 350, hotItemsRetained: 2 });
    expect(first.biggest.map(({ id, pinned }) => [id, pinned])).toEqual([
      ['b', true],
      ['a', false],
      ['c', false],
    ]);
    expect((await store.checkpoints.flashSave(request)).unchanged).toBe(true);
    expect((await store.checkpoints.list({ agentId: 'agent' })).entries).toHaveLength(1);
  });

  it('reads no more than two columns of each of the five biggest, however many items are hot', async () => {
    const { store } = await opened();
    const sizes = Array.from({ length: 700 }, (_, at) => 100 + (at % 7));
    await store.items.saveMany(
      sizes.map((size, at) => ({
        agentId: 'agent',
        id: `item ${String(at)}`,
        kind: 'TASK',
        content: 'x'.repeat(size),
      })),
    );
    const state = await store.checkpoints.read({ agentId: 'agent' });
    let reads = 0;
    const items = {
      ...state.items,
      value: (...given: Parameters<typeof state.items.value>) => (
        (reads += 1), state.items.value(...given)
      ),
      list: () => expect.unreachable('all items are made'),
    };
    const plan = planFlashSave({ ...state, items }, flashSavePolicy({ hotTokens: 1000 }));
    const biggest = state.items
      .list()
      .map(({ item: { id, kind, tokens, pinned } }) => ({ id, kind, tokens, pinned }))
      .sort((left, right) => right.tokens - left.tokens || (left.id < right.id ? -1 : 1));
    expect(plan.biggest).toEqual(biggest.slice(0, 5));
    expect(reads).toBe(10);
  });

  it('keeps in view what fills the budget to the last token, and not one more', async () => {
    const { store } = await opened();
    for (const id of ['a', 'b', 'c']) await save(store, id);
    const full = await store.checkpoints.flashSave({
      agentId: 'agent',
      policy: { hotTokens: 300 },
    });
    expect(full).toMatchObject({ fits: true, tokensAfter: 300, hotItemsRetained: 3 });
    const less = { agentId: 'agent', label: 'less', policy: { hotTokens: 299 } };
    expect(await store.checkpoints.flashSave(less)).toMatchObject({
      fits: false,
      hotItemsRetained: 2,
    });
  });

  it('does not archive what became hot between the look and the write', async () => {
    const { store, clock } = await opened();
    for (const id of ['old', 'older']) await save(store, id, { kind: 'PRD_SECTION' });
    clock.now += 48 * hour;
    const state = await store.checkpoints.read({ agentId: 'agent' });
    const plan = planFlashSave(state, flashSavePolicy());
    expect(plan.archive).toBe(2);
    await store.items.touch('agent', 'old');
    await expect(applyFlashSave(store.checkpoints, plan)).rejects.toMatchObject({
      code: 'CTX_STORE_CONFLICT',
    });
    expect(await store.items.stats('agent')).toMatchObject({ archived: { items: 0 } });
    expect(await store.checkpoints.flashSave({ agentId: 'agent' })).toMatchObject({
      itemsArchived: 1,
    });
  });

  it('does nothing where there is nothing', async () => {
    const { store } = await opened();
    expect(await store.checkpoints.flashSave({ agentId: 'agent' })).toMatchObject({
      unchanged: true,
      skipped: 'nothing-to-save',
    });
    expect((await store.checkpoints.list({ agentId: 'agent' })).entries).toEqual([]);
  });

  it('keeps as many checkpoints as retention says', async () => {
    const { store } = await opened();
    for (const at of [0, 1, 2, 3]) {
      await save(store, `item ${String(at)}`);
      await store.checkpoints.flashSave({ agentId: 'agent', retention: { keep: 2 } });
    }
    const { entries } = await store.checkpoints.list({ agentId: 'agent' });
    expect(entries.map(({ sequence }) => sequence)).toEqual([3, 2]);
  });

  it('counts what was observed of a session before it saves', async () => {
    const { store } = await opened();
    store.sessions.observe('s', { toolCall: { tool: 'read' } });
    await store.checkpoints.flashSave({ agentId: 'agent', sessionId: 's' });
    const [summary] = (await store.checkpoints.list({ sessionId: 's' })).entries;
    const checkpoint = await store.checkpoints.get(summary?.id ?? '');
    expect(checkpoint?.session?.document.tool_stats.total_calls).toBe(1);
  });
});
