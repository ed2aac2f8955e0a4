import { memoryBackend, openStore } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { createStore } from './create-store.ts';
import type { OperationShape, SearchItemShape } from './host-types.ts';

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
