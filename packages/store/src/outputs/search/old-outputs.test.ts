import { expect, onTestFinished, test } from 'vitest';
import { createMemoryPlace, memoryBackend, wrapBackend } from '../../backend/index.ts';
import type { StoreBackend, WriteOperation } from '../../backend/store-backend.ts';
import { type ContextStore, openStore } from '../../open-store.ts';

const long = `${'a line of a log\n'.repeat(600)}the last word is ocelot`;

/** A backend that lets an output be put as a ctx did that searched the first 8,000 characters. */
function olderBackend(backend: StoreBackend): StoreBackend {
  const older = (operation: WriteOperation): WriteOperation => {
    if (operation.type !== 'put' || operation.collection !== 'outputs') return operation;
    const columns = { ...operation.columns, searched_characters: 8_000, partly_searched: null };
    return { ...operation, columns, words: { body: 'line log', args: '' } };
  };
  return wrapBackend(backend, {
    write: (operations, options) => backend.write(operations.map(older), options),
  });
}

async function open(backend: StoreBackend): Promise<ContextStore> {
  const store = await openStore(backend);
  onTestFinished(() => store.close());
  return store;
}

const found = async (store: ContextStore): Promise<number> =>
  (await store.outputs.search({ text: 'ocelot' })).hits.length;

test('outputs of an older store are counted at the first search, and found by all their words a moment later', async () => {
  const place = createMemoryPlace();
  const old = await open(olderBackend(memoryBackend({ place })));
  for (let at = 0; at < 40; at += 1) {
    // The second holds the same result as the first.
    const result = at < 2 ? long : `${String(at)} ${long}`;
    await old.outputs.save({ sessionId: 's', toolName: 't', args: {}, result });
  }
  await old.close();
  const store = await open(memoryBackend({ place }));
  expect(await found(store)).toBeLessThan(40);
  expect(store.unsearched()).toBeGreaterThan(0);
  await expect.poll(() => store.unsearched(), { timeout: 60_000 }).toBe(0);
  const { hits, partlySearched } = await store.outputs.search({ text: 'ocelot', limit: 50 });
  expect([hits.length, partlySearched]).toEqual([40, 0]);
  const again = await open(memoryBackend({ place }));
  expect([await found(again), again.unsearched()]).toEqual([20, 0]);
});

test('outputs of an older store that can only be read stay counted', async () => {
  const place = createMemoryPlace();
  const old = await open(olderBackend(memoryBackend({ place })));
  await old.outputs.save({ sessionId: 's', toolName: 't', args: {}, result: long });
  await old.close();
  const base = memoryBackend({ place });
  let isFull = false;
  const store = await open(
    wrapBackend(base, {
      write: (...write) => (isFull ? Promise.reject(new Error('full')) : base.write(...write)),
    }),
  );
  isFull = true;
  expect([await found(store), store.unsearched()]).toEqual([0, 1]);
  await new Promise((resolve) => setImmediate(resolve));
  expect([await found(store), store.unsearched()]).toEqual([0, 1]);
});

test('a close ends the indexing, and the next store goes on with the rest', async () => {
  const place = createMemoryPlace();
  const old = await open(olderBackend(memoryBackend({ place })));
  const inputs = Array.from({ length: 40 }, (_, at) => ({
    ...{ sessionId: 's', toolName: 't', args: {} },
    result: `${String(at)} ${long}`,
  }));
  await old.outputs.saveAll(inputs);
  await old.close();
  const first = await open(memoryBackend({ place }));
  await found(first);
  await first.close();
  expect(first.unsearched()).toBeGreaterThan(0);
  const second = await open(memoryBackend({ place }));
  await found(second);
  expect(second.unsearched()).toBeLessThanOrEqual(first.unsearched());
  await expect.poll(() => second.unsearched(), { timeout: 60_000 }).toBe(0);
});
