import assert from 'node:assert/strict';
import type { GraphStore, GraphStoreCase } from './graph-store-case.ts';

async function fill(store: GraphStore): Promise<void> {
  for (const namespace of [
    ['a', 'b', 'v1'],
    ['a', 'b', 'v2'],
    ['a', 'c', 'v1'],
    ['b', 'c', 'v1'],
    ['b'],
  ]) {
    await store.put(namespace, 'k', {});
  }
}

const conditions = (...matchConditions: { matchType: 'prefix' | 'suffix'; path: string[] }[]) => [
  { matchConditions, limit: 100, offset: 0 },
];

/** Listing namespaces. */
export const namespaceCases: readonly GraphStoreCase[] = (
  [
    {
      name: 'lists each namespace once, in order',
      run: async (store) => {
        await fill(store);
        await store.put(['b'], 'another', {});
        assert.deepEqual(await store.listNamespaces(), [
          ['a', 'b', 'v1'],
          ['a', 'b', 'v2'],
          ['a', 'c', 'v1'],
          ['b'],
          ['b', 'c', 'v1'],
        ]);
      },
    },
    {
      name: 'lists by prefix and by suffix, and by both',
      run: async (store) => {
        await fill(store);
        assert.deepEqual(await store.listNamespaces({ prefix: ['a', 'b'] }), [
          ['a', 'b', 'v1'],
          ['a', 'b', 'v2'],
        ]);
        assert.deepEqual(await store.listNamespaces({ suffix: ['c', 'v1'] }), [
          ['a', 'c', 'v1'],
          ['b', 'c', 'v1'],
        ]);
        assert.deepEqual(await store.listNamespaces({ prefix: ['b'], suffix: ['v1'] }), [
          ['b', 'c', 'v1'],
        ]);
        assert.deepEqual(await store.listNamespaces({ prefix: ['z'] }), []);
      },
    },
    {
      name: 'takes a star for any label',
      run: async (store) => {
        await fill(store);
        const [starred] = await store.batch(conditions({ matchType: 'prefix', path: ['*', 'c'] }));
        assert.deepEqual(starred, [
          ['a', 'c', 'v1'],
          ['b', 'c', 'v1'],
        ]);
        const [both] = await store.batch(
          conditions(
            { matchType: 'prefix', path: ['a', '*'] },
            { matchType: 'suffix', path: ['*', 'v2'] },
          ),
        );
        assert.deepEqual(both, [['a', 'b', 'v2']]);
      },
    },
    {
      name: 'cuts to a depth, and gives each once',
      run: async (store) => {
        await fill(store);
        assert.deepEqual(await store.listNamespaces({ maxDepth: 1 }), [['a'], ['b']]);
        assert.deepEqual(await store.listNamespaces({ maxDepth: 2 }), [
          ['a', 'b'],
          ['a', 'c'],
          ['b'],
          ['b', 'c'],
        ]);
      },
    },
    {
      name: 'gives pages of what is left after cutting',
      run: async (store) => {
        await fill(store);
        assert.deepEqual(await store.listNamespaces({ maxDepth: 2, limit: 2, offset: 1 }), [
          ['a', 'c'],
          ['b'],
        ]);
      },
    },
    {
      name: 'forgets a namespace with its last item',
      needs: ['forgetsEmptyNamespaces'],
      run: async (store) => {
        await fill(store);
        await store.delete(['b'], 'k');
        assert.deepEqual(await store.listNamespaces({ prefix: ['b'] }), [['b', 'c', 'v1']]);
      },
    },
  ] satisfies readonly Omit<GraphStoreCase, 'group'>[]
).map((each) => ({ group: 'namespaces', ...each }));
