import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryPlace, memoryBackend } from '../../backend/memory/memory-backend.ts';
import type { StoreBackend } from '../../backend/store-backend.ts';
import { openStore } from '../../open-store.ts';
import type { ItemService } from '../items.ts';
import type { ItemFilter } from '../read/first-pages.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

/** A store on a place, and how often it has read. */
async function open({ remembers }: { readonly remembers: boolean }, place = createMemoryPlace()) {
  const time = { now: start };
  const inner = memoryBackend({ place });
  let reads = 0;
  const backend: StoreBackend = {
    ...inner,
    ...(!remembers && { open: (collections) => inner.open(collections) }),
    scan: (query) => {
      reads += 1;
      return inner.scan(query);
    },
    tally: (query) => {
      reads += 1;
      return inner.tally(query);
    },
  };
  const store = await openStore(backend, { clock: () => time.now });
  return { items: store.items, time, reads: () => reads };
}

const filters: readonly ItemFilter[] = [
  {},
  { tier: 'hot' },
  { kind: 'TASK' },
  { archived: true },
  { tier: 'hot', kind: 'CODE' },
];

async function seenBy(items: ItemService) {
  const lists = filters.map((filter) => items.list('a', { ...filter, limit: 3 }));
  const briefs = await items.briefs('a', 'hot', { limit: 2 });
  return [await items.stats('a'), briefs, ...(await Promise.all(lists))];
}

/** What is read each time: time fills the lower tiers, and where the archived stand to the border is not known. */
async function alsoSeenBy(items: ItemService) {
  const others: readonly ItemFilter[] = [{ tier: 'warm' }, { tier: 'hot', archived: true }];
  return Promise.all(others.map((filter) => items.list('a', { ...filter, limit: 3 })));
}

async function act(items: ItemService, act: number): Promise<void> {
  const { entries } = await items.list('a');
  const id = entries[act % 5]?.id ?? 'none';
  const kinds = ['TASK', 'CODE', 'PRD_SECTION'];
  const kind = kinds[act % 3] ?? 'TASK';
  const content = `do ${String(act)}`;
  if (act < 8 || id === 'none') await items.save({ agentId: 'a', kind, content });
  else if (act < 10) await items.pin('a', id);
  else if (act < 12) await items.archive('a', id);
  else if (act < 14) await items.finish('a', id);
  else await items.delete('a', id);
}

describe('what is remembered of an agent', () => {
  it('is what a store that remembers nothing reads, whatever is done and however time goes', async () => {
    const step = fc.record({
      // Nothing is done at most steps, so that what is remembered is asked for.
      act: fc.integer({ min: 0, max: 40 }),
      hours: fc.integer({ min: -3, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
        const place = createMemoryPlace();
        const known = await open({ remembers: true }, place);
        const plain = await open({ remembers: false }, place);
        for (const { act: doing, hours } of steps) {
          known.time.now += hours * hour;
          plain.time.now = known.time.now;
          // What another opening of the store writes must be seen, too.
          if (doing < 16) await act(doing % 2 === 0 ? known.items : plain.items, doing);
          expect(await seenBy(known.items)).toEqual(await seenBy(plain.items));
          expect(await alsoSeenBy(known.items)).toEqual(await alsoSeenBy(plain.items));
        }
      }),
      { numRuns: 60 * share },
    );
  });

  it('is read no more while nobody writes and time moves no item', async () => {
    const { items, time, reads } = await open({ remembers: true });
    for (const content of ['one', 'two', 'three'])
      await items.save({ agentId: 'a', kind: 'TASK', content });
    for (let look = 0; look < 2; look += 1) await seenBy(items);
    const before = reads();
    for (let look = 0; look < 5; look += 1) {
      time.now += 1000;
      await seenBy(items);
    }
    expect(reads()).toBe(before);
  });

  it('tells how important an item is at each moment, though it is remembered', async () => {
    const { items, time } = await open({ remembers: true });
    await items.save({ agentId: 'a', kind: 'TASK', content: 'one' });
    for (let look = 0; look < 4; look += 1) {
      time.now += hour;
      const [brief] = (await items.briefs('a')).entries;
      const [item] = (await items.inTier('a')).entries;
      expect(brief?.importance).toBe(item && items.explain(item).importance);
    }
  });

  it('stays as it is, whatever a caller does to the items of a list', async () => {
    const { items } = await open({ remembers: true });
    await items.save({ agentId: 'a', kind: 'TASK', content: 'one' });
    for (let look = 0; look < 4; look += 1) {
      const [item] = (await items.list('a')).entries;
      expect(item?.content).toBe('one');
      Object.assign(item ?? {}, { content: 'changed' });
    }
  });

  it('is of one agent alone', async () => {
    const { items } = await open({ remembers: true });
    await items.save({ agentId: 'a', kind: 'TASK', content: 'one' });
    for (let look = 0; look < 3; look += 1) {
      expect((await items.stats('a')).items).toBe(1);
      expect((await items.stats('b')).items).toBe(0);
      expect((await items.briefs('b')).entries).toEqual([]);
    }
  });

  it('is not kept where a page is large', async () => {
    const { items, reads } = await open({ remembers: true });
    await items.save({ agentId: 'a', kind: 'TASK', content: 'x'.repeat(70_000) });
    for (let look = 0; look < 3; look += 1) await items.briefs('a');
    const before = reads();
    await items.briefs('a');
    expect(reads()).toBeGreaterThan(before);
  });
});
