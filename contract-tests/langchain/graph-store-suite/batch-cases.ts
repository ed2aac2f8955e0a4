import assert from 'node:assert/strict';
import type { GraphStoreCase } from './graph-store-case.ts';

const home = ['home'];

/** Batches. */
export const batchCases: readonly GraphStoreCase[] = (
  [
    {
      name: 'answers each operation in its place',
      run: async (store) => {
        await store.put(home, 'a', { n: 1 });
        const [got, put, found, listed] = await store.batch([
          { namespace: home, key: 'a' },
          { namespace: home, key: 'b', value: { n: 2 } },
          { namespacePrefix: home, limit: 10, offset: 0 },
          { matchConditions: [{ matchType: 'prefix', path: home }], limit: 10, offset: 0 },
        ]);
        assert.ok(typeof got === 'object' && got !== null && 'key' in got && got.key === 'a');
        assert.ok(put === undefined || put === null);
        assert.ok(Array.isArray(found) && found.length === 1);
        assert.deepEqual(listed, [home]);
        assert.deepEqual((await store.get(home, 'b'))?.value, { n: 2 });
      },
    },
    {
      name: 'reads what was there before the puts of the same batch',
      run: async (store) => {
        await store.put(home, 'a', { n: 1 });
        const [, got] = await store.batch([
          { namespace: home, key: 'a', value: { n: 2 } },
          { namespace: home, key: 'new' },
        ]);
        assert.equal(got, null);
      },
    },
    {
      name: 'lets the last put of an item count',
      run: async (store) => {
        await store.batch([
          { namespace: home, key: 'a', value: { n: 1 } },
          { namespace: home, key: 'a', value: { n: 2 } },
          { namespace: home, key: 'b', value: { n: 3 } },
          { namespace: home, key: 'b', value: null },
        ]);
        assert.deepEqual((await store.get(home, 'a'))?.value, { n: 2 });
        assert.equal(await store.get(home, 'b'), null);
      },
    },
    {
      name: 'does nothing for no operations',
      run: async (store) => {
        assert.deepEqual(await store.batch([]), []);
      },
    },
    {
      name: 'puts nothing where one of its puts is refused',
      needs: ['atomicBatches'],
      run: async (store) => {
        const wrong = { namespace: ['a.b'], key: 'k', value: {} };
        const right = { namespace: home, key: 'k', value: {} };
        await assert.rejects(async () => store.batch([right, wrong]));
        assert.equal(await store.get(home, 'k'), null);
      },
    },
  ] satisfies readonly Omit<GraphStoreCase, 'group'>[]
).map((each) => ({ group: 'batches', ...each }));
