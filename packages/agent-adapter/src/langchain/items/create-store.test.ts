import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createStore } from './create-store.ts';
import type { ItemShape, OperationShape, SearchItemShape } from './host-types.ts';

/** What the class of LangGraph leaves open. */
abstract class BaseStore {
  abstract batch(operations: readonly OperationShape[]): Promise<unknown[]>;
}

/** A store whose clock stands where the test puts it. */
async function made(refreshOnRead = true) {
  const time = { now: 1000 };
  const store = await openStore(memoryBackend(), { clock: () => time.now });
  const items = createStore({ BaseStore, store, ttl: { refreshOnRead } });
  const keysOf = async (query?: string): Promise<string[]> => {
    const search = { namespacePrefix: ['a'], ...(query === undefined ? {} : { query }) };
    const [found] = await items.batch([search]);
    return (found as SearchItemShape[]).map(({ key }) => key);
  };
  return { time, items, keysOf };
}

describe('items whose time is over', () => {
  it('are not found, by a look or by a query, before anybody swept them', async () => {
    const { time, items, keysOf } = await made();
    await items.put(['a'], 'short', { text: 'zebra' }, undefined, { ttlMs: 100 });
    await items.put(['a'], 'long', { text: 'zebra' });
    expect(await keysOf()).toEqual(['long', 'short']);
    time.now += 200;
    expect(await keysOf()).toEqual(['long']);
    expect(await keysOf('zebra')).toEqual(['long']);
    expect(await items.batch([{ namespace: ['a'], key: 'short' }])).toEqual([null]);
    expect(await items.sweep()).toBe(1);
  });

  it('are over at the moment that was said, not one before', async () => {
    const { time, items, keysOf } = await made(false);
    await items.put(['a'], 'k', { text: 'x' }, undefined, { ttlMs: 100 });
    time.now += 99;
    expect(await keysOf()).toEqual(['k']);
    time.now += 1;
    expect(await keysOf()).toEqual([]);
    expect(await items.sweep()).toBe(1);
  });

  it('live for a whole number of ms above 0, and are refused otherwise', async () => {
    const { items } = await made();
    for (const ttlMs of [0, -1, 1.5, NaN]) {
      const put = items.put(['a'], 'k', { text: 'x' }, undefined, { ttlMs });
      await expect(put).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
    }
    await items.put(['a'], 'k', { text: 'x' }, undefined, { ttlMs: 1 });
  });

  it('leave no namespace behind', async () => {
    const { time, items } = await made();
    await items.put(['a', 'b'], 'short', { text: 'x' }, undefined, { ttlMs: 100 });
    expect(await items.batch([{ limit: 10 }])).toEqual([[['a', 'b']]]);
    time.now += 200;
    expect(await items.batch([{ limit: 10 }])).toEqual([[]]);
  });

  it('begin anew with a put of the same name', async () => {
    const { time, items } = await made();
    await items.put(['a'], 'k', { text: 'old' }, undefined, { ttlMs: 100 });
    time.now += 200;
    await items.put(['a'], 'k', { text: 'new' });
    const [item] = await items.batch([{ namespace: ['a'], key: 'k' }]);
    expect(item).toMatchObject({ createdAt: new Date(1200), updatedAt: new Date(1200) });
  });

  it.each([
    { refreshes: true, found: ['k'] },
    { refreshes: false, found: [] },
  ])('live on where they are read: $refreshes', async ({ refreshes, found }) => {
    const { time, items, keysOf } = await made(refreshes);
    await items.put(['a'], 'k', { text: 'x' }, undefined, { ttlMs: 100 });
    time.now += 80;
    await keysOf();
    time.now += 80;
    expect(await keysOf()).toEqual(found);
  });
});

describe('a query', () => {
  it('ranks as many items as the store was made for, and refuses to rank more', async () => {
    const store = await openStore(memoryBackend());
    const items = createStore({ BaseStore, store, index: { mostRanked: 3 } });
    for (const key of ['a', 'b', 'c']) await items.put(['n', 'one'], key, { text: `zebra ${key}` });
    const search = async (namespace: string[], filter = {}): Promise<unknown> =>
      (await items.batch([{ namespacePrefix: namespace, query: 'zebra', filter }]))[0];
    expect(await search(['n'])).toHaveLength(3);
    await items.put(['n', 'two'], 'd', { text: 'zebra d' });
    await expect(search(['n'])).rejects.toThrow('a query ranks 3 items at most');
    expect(await search(['n', 'one'])).toHaveLength(3);
    expect(await search(['n'], { text: 'zebra d' })).toHaveLength(1);
    expect((await items.batch([{ namespacePrefix: ['n'] }]))[0]).toHaveLength(4);
  });
});

describe('items that several write at once', () => {
  /** Lets so many promises settle that wait for nothing. */
  async function settle(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  }

  it('keep the time of the first put', async () => {
    const time = { now: 1000 };
    const store = await openStore(memoryBackend(), { clock: () => (time.now += 1) });
    const items = createStore({ BaseStore, store });
    for (let turns = 0; turns < 12; turns += 1) {
      const namespace = ['a', String(turns)];
      const first = items.put(namespace, 'k', { by: 'first' });
      await settle(turns);
      await Promise.all([first, items.put(namespace, 'k', { by: 'second' })]);
      const [item] = (await items.batch([{ namespace, key: 'k' }])) as ItemShape[];
      expect(Number(item?.createdAt)).toBeLessThan(Number(item?.updatedAt));
    }
  });

  it('live as long as the last put says, also where they are read meanwhile', async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      const { time, items, keysOf } = await made();
      await items.put(['a'], 'k', { text: 'old' }, undefined, { ttlMs: 100 });
      time.now += 50;
      const reading = keysOf();
      await settle(turns);
      await Promise.all([reading, items.put(['a'], 'k', { text: 'for ever' })]);
      time.now += 1000;
      expect(await keysOf()).toEqual(['k']);
    }
  });

  it.each(['sweep', 'list'] as const)(
    'stay where they are put anew while those whose time is over are removed: %s',
    async (how) => {
      for (let turns = 0; turns < 40; turns += 1) {
        const { time, items, keysOf } = await made();
        await items.put(['a'], 'k', { text: 'old' }, undefined, { ttlMs: 100 });
        await items.put(['a'], 'other', { text: 'old' }, undefined, { ttlMs: 100 });
        time.now += 200;
        const removing = how === 'sweep' ? items.sweep() : items.batch([{ limit: 10 }]);
        await settle(turns);
        await Promise.all([removing, items.put(['a'], 'k', { text: 'new' })]);
        expect(await keysOf()).toEqual(['k']);
        expect(await items.sweep()).toBeLessThanOrEqual(1);
      }
    },
  );
});
