import { expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import type { StoreBackend } from '../backend/store-backend.ts';
import { storeCollections } from '../collections/collections.ts';
import { openStore } from '../open-store.ts';
import { checkSearch } from './check-search.ts';

/** A store with three items, and what a check of its search finds. */
async function checked(change: (backend: StoreBackend) => Partial<StoreBackend>) {
  const backend = memoryBackend();
  await backend.open(storeCollections);
  const unopened = { ...backend, open: () => Promise.resolve() };
  const store = await openStore(unopened);
  for (const id of ['one', 'two', 'three']) {
    await store.items.save({ agentId: 'ada', kind: 'note', id, content: `word${id}` });
  }
  const place = { backend: { ...backend, ...change(backend) }, tenant: 'default' };
  const found: string[] = [];
  for await (const { key } of checkSearch({ ...place, onRecords: () => undefined }, 'items')) {
    found.push(key[2] ?? '');
  }
  return found;
}

it('a record that a search does not find is named', async () => {
  expect(await checked(() => ({}))).toEqual([]);
  expect(await checked(() => ({ search: () => Promise.resolve([]) }))).toHaveLength(3);
});

it('what is destroyed or changed while it is checked is no finding', async () => {
  const found = await checked((backend) => ({
    search: async () => {
      const [collection, key] = ['items', ['default', 'ada', 'one']];
      await backend.write([
        { type: 'delete', collection, key },
        { type: 'patch', collection, key: ['default', 'ada', 'two'], columns: { pinned: 1 } },
      ]);
      return [];
    },
  }));
  expect(found).toEqual(['three']);
});
