import assert from 'node:assert/strict';
import type { GraphStore, GraphStoreCase } from './graph-store-case.ts';

const docs = ['docs'];

async function fill(store: GraphStore): Promise<void> {
  await store.put(docs, 'a', { kind: 'note', size: 1, title: 'whales in the sea' });
  await store.put(docs, 'b', { kind: 'note', size: 5, title: 'bread and butter' });
  await store.put(docs, 'c', { kind: 'page', size: 9, title: 'more bread' });
  await store.put([...docs, 'old'], 'd', { kind: 'page', size: 10, title: 'an old page' });
  await store.put(['docsother'], 'e', { kind: 'note', size: 7, title: 'elsewhere' });
}

async function keys(
  store: GraphStore,
  options?: Parameters<GraphStore['search']>[1],
): Promise<string[]> {
  return (await store.search(docs, options)).map(({ key }) => key).toSorted();
}

/** Searching by namespace, filter and query. */
export const searchCases: readonly GraphStoreCase[] = (
  [
    {
      name: 'finds what is in a namespace and below it, and nothing of one that begins with the same signs',
      run: async (store) => {
        await fill(store);
        assert.deepEqual(await keys(store), ['a', 'b', 'c', 'd']);
        assert.equal((await store.search([])).length, 5);
        assert.deepEqual(await store.search(['nowhere']), []);
      },
    },
    {
      name: 'gives ten items where no limit is given, and pages that follow one another',
      run: async (store) => {
        for (let index = 0; index < 25; index += 1) {
          await store.put(docs, `k${String(index).padStart(2, '0')}`, { index });
        }
        assert.equal((await store.search(docs)).length, 10);
        const seen: string[] = [];
        for (let offset = 0; offset < 30; offset += 7) {
          const page = await store.search(docs, { limit: 7, offset });
          seen.push(...page.map(({ key }) => key));
        }
        assert.equal(seen.length, 25);
        assert.equal(new Set(seen).size, 25);
        assert.deepEqual(await store.search(docs, { limit: 0 }), []);
      },
    },
    {
      name: 'filters by equal members, all of them',
      run: async (store) => {
        await fill(store);
        assert.deepEqual(await keys(store, { filter: { kind: 'note' } }), ['a', 'b']);
        assert.deepEqual(await keys(store, { filter: { kind: 'note', size: 5 } }), ['b']);
        assert.deepEqual(await keys(store, { filter: { kind: 'none' } }), []);
        assert.deepEqual(await keys(store, { filter: {} }), ['a', 'b', 'c', 'd']);
      },
    },
    {
      name: 'filters by operators',
      run: async (store) => {
        await fill(store);
        assert.deepEqual(await keys(store, { filter: { size: { $eq: 5 } } }), ['b']);
        assert.deepEqual(await keys(store, { filter: { size: { $ne: 5 } } }), ['a', 'c', 'd']);
        assert.deepEqual(await keys(store, { filter: { size: { $gt: 5 } } }), ['c', 'd']);
        assert.deepEqual(await keys(store, { filter: { size: { $gte: 5 } } }), ['b', 'c', 'd']);
        assert.deepEqual(await keys(store, { filter: { size: { $lt: 5 } } }), ['a']);
        assert.deepEqual(await keys(store, { filter: { size: { $lte: 5 } } }), ['a', 'b']);
        assert.deepEqual(await keys(store, { filter: { size: { $gt: 1, $lt: 10 } } }), ['b', 'c']);
        assert.deepEqual(await keys(store, { filter: { size: { $gt: 9 } } }), ['d']);
      },
    },
    {
      name: 'filters before it counts: limit and offset are of what is left',
      run: async (store) => {
        await fill(store);
        const filter = { kind: 'page' };
        assert.equal((await store.search(docs, { filter, limit: 1 })).length, 1);
        assert.equal((await store.search(docs, { filter, limit: 5, offset: 1 })).length, 1);
      },
    },
    {
      name: 'compares texts by their signs',
      needs: ['comparesTexts'],
      run: async (store) => {
        await store.put(docs, 'a', { day: '2026-01-05' });
        await store.put(docs, 'b', { day: '2026-03-01' });
        await store.put(docs, 'c', {});
        assert.deepEqual(await keys(store, { filter: { day: { $gt: '2026-02-01' } } }), ['b']);
        assert.deepEqual(await keys(store, { filter: { day: { $lt: '2026-02-01' } } }), ['a']);
      },
    },
    {
      name: 'compares objects and lists by what they hold',
      needs: ['comparesDeeply'],
      run: async (store) => {
        await store.put(docs, 'a', { at: { x: 1, y: [2] } });
        await store.put(docs, 'b', { at: { x: 1, y: [3] } });
        assert.deepEqual(await keys(store, { filter: { at: { y: [2], x: 1 } } }), ['a']);
      },
    },
    {
      name: 'ranks by the words of a query',
      needs: ['queriesByWords'],
      run: async (store) => {
        await fill(store);
        const found = await store.search(docs, { query: 'where are the whales?' });
        assert.equal(found[0]?.key, 'a');
        assert.ok((found[0].score ?? 0) > 0);
        const bread = await store.search(docs, { query: 'bread', filter: { kind: 'page' } });
        assert.equal(bread[0]?.key, 'c');
        assert.equal((await store.search(docs, { query: 'bread', limit: 2 })).length, 2);
      },
    },
    {
      name: 'searches the members that a put names, or nothing',
      needs: ['queriesByWords'],
      run: async (store) => {
        await store.put(docs, 'named', { title: 'a whale', text: 'a lion' }, ['title']);
        await store.put(docs, 'none', { title: 'a lion', text: 'a whale' }, false);
        const [lion] = await store.search(docs, { query: 'lion' });
        assert.equal(lion?.score, undefined);
        const [whale] = await store.search(docs, { query: 'whale' });
        assert.equal(whale?.key, 'named');
      },
    },
    {
      name: 'gives everything in some order where a query is empty',
      run: async (store) => {
        await fill(store);
        assert.deepEqual(await keys(store, { query: '' }), ['a', 'b', 'c', 'd']);
      },
    },
  ] satisfies readonly Omit<GraphStoreCase, 'group'>[]
).map((each) => ({ group: 'search', ...each }));
