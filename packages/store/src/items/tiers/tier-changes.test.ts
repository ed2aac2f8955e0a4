import { defaultImportancePolicy, type Tier, tierOf } from '@ctx/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryBackend } from '../../backend/memory/memory-backend.ts';
import { openStore } from '../../open-store.ts';
import type { TierChange } from './tier-changes.ts';

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

async function open() {
  const time = { now: start };
  const store = await openStore(memoryBackend(), {
    clock: () => time.now,
    importance: { pauseMs: Number.POSITIVE_INFINITY },
  });
  return { items: store.items, time };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** All pages, each of `limit`. */
async function allChanges({ items }: Opened, since: number, limit: number): Promise<TierChange[]> {
  const found: TierChange[] = [];
  let page = await items.changedTiersSince('a', since, { limit });
  found.push(...page.entries);
  while (page.next !== undefined) {
    page = await items.changedTiersSince('a', since, {
      limit,
      until: page.until,
      after: page.next,
    });
    expect(page.entries.length).toBeGreaterThan(0);
    found.push(...page.entries);
  }
  return found;
}

describe('changes of tier', () => {
  it('tell what fell, from where and to where', async () => {
    const opened = await open();
    const { items, time } = opened;
    const { item } = await items.save({ agentId: 'a', kind: 'TASK', content: 'x' });
    time.now += hour;
    const since = time.now;
    expect(await allChanges(opened, since, 10)).toEqual([]);
    time.now += 6 * hour;
    expect(await allChanges(opened, since, 10)).toMatchObject([
      { item: { id: item.id }, from: 'hot', to: 'warm' },
    ]);
    time.now += 24 * hour;
    expect(await allChanges(opened, since, 10)).toMatchObject([{ from: 'hot', to: 'cold' }]);
  });

  it('leave out what somebody changed since', async () => {
    const opened = await open();
    const { items, time } = opened;
    for (const id of ['touched', 'pinned', 'finished', 'rests'])
      await items.save({ agentId: 'a', kind: 'TASK', id, content: id });
    await items.pin('a', 'pinned');
    time.now += hour;
    const since = time.now;
    time.now += hour;
    await items.touch('a', 'touched');
    await items.unpin('a', 'pinned');
    await items.finish('a', 'finished');
    time.now += 10 * hour;
    const changes = await allChanges(opened, since, 10);
    expect(changes.map(({ item }) => item.id)).toEqual(['rests']);
  });

  it('refuse a moment that is none', async () => {
    const { items } = await open();
    const asked = items.changedTiersSince('a', Number.NaN);
    await expect(asked).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
  });

  it('are those of a comparison of all items at both moments, whatever the page size', async () => {
    const event = fc.record({
      kind: fc.constantFrom('TASK', 'CODE', 'ERROR', 'PRD_SECTION'),
      waitMs: fc.nat({ max: 8 * hour }),
      reads: fc.nat({ max: 3 }),
      end: fc.constantFrom('none', 'none', 'none', 'pin', 'archive', 'finish'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 12 }),
        fc.nat({ max: 60 * hour }),
        fc.integer({ min: 1, max: 5 }),
        async (events, later, limit) => {
          const opened = await open();
          const { items, time } = opened;
          for (const { kind, waitMs, reads, end } of events) {
            const { item } = await items.save({ agentId: 'a', kind, content: 'x' });
            for (let count = 0; count < reads; count += 1) await items.touch('a', item.id);
            if (end === 'pin' || end === 'archive' || end === 'finish')
              await items[end]('a', item.id);
            time.now += waitMs;
          }
          const since = time.now;
          const before = (await items.list('a')).entries;
          time.now += later;
          const tierAt = (rank: number, at: number): Tier =>
            tierOf(rank, at, defaultImportancePolicy);
          const expected = before
            .map(({ id, rank }) => ({ id, from: tierAt(rank, since), to: tierAt(rank, time.now) }))
            .filter(({ from, to }) => from !== to);
          const found = await allChanges(opened, since, limit);
          expect(found.map(({ item, from, to }) => ({ id: item.id, from, to }))).toEqual(expected);
        },
      ),
    );
  });
});
