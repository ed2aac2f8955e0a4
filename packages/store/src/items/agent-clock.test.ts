import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { type ContextStore, openStore } from '../open-store.ts';

const start = Date.UTC(2026, 0, 2, 18); // a Friday, 18:00
const minute = 60_000;
const hour = 60 * minute;
const kinds = ['TASK', 'CODE', 'ERROR', 'TEST_RESULT', 'PRD_SECTION'];

interface Opened {
  readonly store: ContextStore;
  readonly time: { now: number };
}

async function opened(): Promise<Opened> {
  const time = { now: start };
  return { store: await openStore(memoryBackend(), { clock: () => time.now }), time };
}

/** The agent takes a turn every two minutes. */
async function work({ store, time }: Opened, ms: number): Promise<void> {
  const end = time.now + ms;
  while (time.now < end) {
    time.now += Math.min(2 * minute, end - time.now);
    await store.items.turn('a');
  }
}

const saveKinds = async ({ store }: Opened): Promise<void> => {
  for (const kind of kinds)
    await store.items.save({ agentId: 'a', kind, id: kind, content: `of ${kind}` });
};

async function tiersOf({ store }: Opened): Promise<Record<string, string>> {
  const { entries } = await store.items.list('a');
  return Object.fromEntries(entries.map((item) => [item.kind, store.items.explain(item).tier]));
}

describe("an agent's own time", () => {
  it('keeps an unread task hot over the night, and through the flash save of the next morning', async () => {
    const all = await opened();
    const { store, time } = all;
    await store.items.save({ agentId: 'a', kind: 'TASK', content: 'Port the parser' });
    time.now += 23 * hour;
    expect((await store.items.stats('a')).tiers[0]).toMatchObject({ tier: 'hot', items: 1 });
    const receipt = await store.checkpoints.flashSave({ agentId: 'a' });
    expect(receipt).toMatchObject({ itemsArchived: 0, hotItemsRetained: 1 });
    expect((await store.items.load('a')).items).toHaveLength(1);
  });

  it.each([
    ['a night', 14],
    ['a weekend', 63],
    ['three weeks of holidays', 21 * 24],
  ])(
    'leaves the tiers as they were over %s, also after the flash save that ends it',
    async (_name, hours) => {
      const all = await opened();
      await saveKinds(all);
      const before = await tiersOf(all);
      expect(before).toMatchObject({
        TASK: 'hot',
        CODE: 'hot',
        ERROR: 'warm',
        PRD_SECTION: 'warm',
      });
      all.time.now += hours * hour;
      expect(await tiersOf(all)).toEqual(before);
      expect(await all.store.items.changedTiersSince('a', start)).toMatchObject({ entries: [] });
      expect(await all.store.checkpoints.flashSave({ agentId: 'a' })).toMatchObject({
        itemsArchived: 0,
      });
      expect(await tiersOf(all)).toEqual(before);
    },
  );

  // The figures of docs/importance.md.
  it.each([
    [
      '4 hours',
      1,
      4,
      { TASK: 'hot', CODE: 'warm', ERROR: 'warm', TEST_RESULT: 'warm', PRD_SECTION: 'warm' },
    ],
    [
      '2 days of 8 hours',
      2,
      8,
      { TASK: 'warm', CODE: 'warm', ERROR: 'cold', TEST_RESULT: 'cold', PRD_SECTION: 'cold' },
    ],
    [
      '3 days of 8 hours',
      3,
      8,
      { TASK: 'cold', CODE: 'cold', ERROR: 'cold', TEST_RESULT: 'cold', PRD_SECTION: 'cold' },
    ],
  ])('fades what nobody reads by %s of work', async (_name, days, hours, tiers) => {
    const all = await opened();
    await saveKinds(all);
    for (let day = 0; day < days; day += 1) {
      await work(all, hours * hour);
      all.time.now += (24 - hours) * hour;
    }
    expect(await tiersOf(all)).toEqual(tiers);
  });

  it('keeps a task that is read once a day hot or warm for three weeks', async () => {
    const all = await opened();
    await saveKinds(all);
    for (let day = 0; day < 15; day += 1) {
      await all.store.items.get('a', 'TASK');
      await work(all, 8 * hour);
      all.time.now += (day % 5 === 4 ? 64 : 16) * hour;
      expect((await tiersOf(all))['TASK']).not.toBe('cold');
    }
  });

  it('counts each pause once, whoever asks in between and however often the store is opened', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ wait: fc.integer({ min: 1, max: 40 * hour }), act: fc.boolean() }), {
          maxLength: 8,
        }),
        async (steps) => {
          const all = await opened();
          await all.store.items.save({ agentId: 'a', kind: 'TASK', id: 'x', content: 'x' });
          let [worked, sinceAct] = [0, 0];
          for (const { wait, act } of steps) {
            all.time.now += wait;
            sinceAct += wait;
            await all.store.items.stats('a');
            if (!act || sinceAct < minute) continue;
            await all.store.items.turn('a');
            worked += Math.min(sinceAct, 5 * minute);
            sinceAct = 0;
          }
          const item = await all.store.items.get('a', 'x', { peek: true });
          const own = worked + Math.min(sinceAct, 5 * minute);
          expect(item && all.store.items.explain(item).ageMs).toBe(own);
          expect(item && all.store.items.explain(item)).toMatchObject(
            (item && all.store.items.standing(item)) ?? {},
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it('gives a pin and its end back the place that the item had', async () => {
    const all = await opened();
    await saveKinds(all);
    all.time.now += 30 * hour;
    await all.store.items.turn('a');
    const before = (await all.store.items.list('a')).entries;
    await all.store.items.pin('a', 'ERROR');
    await all.store.items.unpin('a', 'ERROR');
    const after = (await all.store.items.list('a')).entries;
    for (const [at, item] of after.entries()) {
      expect(item.id).toBe(before[at]?.id);
      expect(item.rank).toBeCloseTo(before[at]?.rank ?? 0, 6);
    }
  });

  it('gives a fork for another agent items that are as important as they were', async () => {
    const all = await opened();
    await saveKinds(all);
    all.time.now += 63 * hour;
    const { checkpointId = '' } = await all.store.checkpoints.flashSave({ agentId: 'a' });
    await all.store.checkpoints.fork(checkpointId, { agentId: 'b' });
    const tiers = async (agentId: string) => (await all.store.items.stats(agentId)).tiers;
    expect(await tiers('b')).toEqual(await tiers('a'));
  });

  it('counts all time where the policy has no longest pause', async () => {
    const time = { now: start };
    const options = { clock: () => time.now, importance: { pauseMs: Number.POSITIVE_INFINITY } };
    const store = await openStore(memoryBackend(), options);
    await store.items.save({ agentId: 'a', kind: 'TASK', content: 'x' });
    time.now += 23 * hour;
    expect(await store.checkpoints.flashSave({ agentId: 'a' })).toMatchObject({ itemsArchived: 1 });
  });
});
