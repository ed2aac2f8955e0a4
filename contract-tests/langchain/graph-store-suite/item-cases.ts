import assert from 'node:assert/strict';
import type { GraphStoreCase } from './graph-store-case.ts';

const home = ['users', 'ada'];

async function refuses(work: () => Promise<unknown>): Promise<void> {
  await assert.rejects(async () => work());
}

/** Putting, getting, deleting. */
export const itemCases: readonly GraphStoreCase[] = (
  [
    {
      name: 'gives back what was put, with its key, its namespace and dates',
      run: async (store) => {
        const value = { name: 'Ada', age: 36, tags: ['a', 'b'], deep: { is: [true, null] } };
        await store.put(home, 'profile', value);
        const item = await store.get(home, 'profile');
        assert.deepEqual(item?.value, value);
        assert.equal(item.key, 'profile');
        assert.deepEqual(item.namespace, home);
        assert.ok(item.createdAt instanceof Date && item.updatedAt instanceof Date);
      },
    },
    {
      name: 'gives null for what is not there',
      run: async (store) => {
        assert.equal(await store.get(home, 'profile'), null);
        await store.put(home, 'profile', {});
        assert.equal(await store.get(['users'], 'profile'), null);
        assert.equal(await store.get([...home, 'deep'], 'profile'), null);
        assert.equal(await store.get(home, 'Profile'), null);
      },
    },
    {
      name: 'replaces the value as a whole and keeps the date of its making',
      run: async (store) => {
        await store.put(home, 'profile', { a: 1, b: 2 });
        const first = await store.get(home, 'profile');
        const made = first?.createdAt.getTime();
        await store.put(home, 'profile', { b: 3 });
        const second = await store.get(home, 'profile');
        assert.deepEqual(second?.value, { b: 3 });
        assert.equal(second.createdAt.getTime(), made);
        assert.ok(second.updatedAt >= second.createdAt);
      },
    },
    {
      name: 'keeps items of one key in several namespaces apart',
      run: async (store) => {
        await store.put(['a'], 'k', { at: 'a' });
        await store.put(['a', 'b'], 'k', { at: 'ab' });
        await store.put(['ab'], 'k', { at: 'joined' });
        assert.deepEqual((await store.get(['a'], 'k'))?.value, { at: 'a' });
        assert.deepEqual((await store.get(['a', 'b'], 'k'))?.value, { at: 'ab' });
        assert.deepEqual((await store.get(['ab'], 'k'))?.value, { at: 'joined' });
      },
    },
    {
      name: 'deletes, and deleting what is missing is no error',
      run: async (store) => {
        await store.put(home, 'profile', {});
        await store.delete(home, 'profile');
        assert.equal(await store.get(home, 'profile'), null);
        await store.delete(home, 'profile');
        assert.deepEqual(await store.search(home), []);
      },
    },
    {
      name: 'begins a new life for what was deleted and put again',
      run: async (store) => {
        await store.put(home, 'profile', { life: 1 });
        await store.delete(home, 'profile');
        await store.put(home, 'profile', { life: 2 });
        assert.deepEqual((await store.get(home, 'profile'))?.value, { life: 2 });
      },
    },
    {
      name: 'takes keys of any kind',
      run: async (store) => {
        const keys = ['', ' ', 'a/b', 'a:b', 'a.b', '..', '__proto__', 'constructor', 'é', '🦊'];
        for (const key of keys) await store.put(home, key, { key });
        for (const key of keys) assert.deepEqual((await store.get(home, key))?.value, { key });
        assert.equal((await store.search(home, { limit: 100 })).length, keys.length);
      },
    },
    {
      name: 'refuses namespaces that are empty, or have a label that is empty or holds a period',
      run: async (store) => {
        await refuses(() => store.put([], 'k', {}));
        await refuses(() => store.put(['a', ''], 'k', {}));
        await refuses(() => store.put(['a.b'], 'k', {}));
        assert.deepEqual(await store.listNamespaces(), []);
      },
    },
    {
      name: 'keeps the root langgraph for the host',
      run: async (store) => {
        await refuses(() => store.put(['langgraph', 'a'], 'k', {}));
      },
    },
    {
      name: 'gives out copies',
      needs: ['ownCopies'],
      run: async (store) => {
        const value = { list: [1] };
        await store.put(home, 'k', value);
        value.list.push(2);
        const item = await store.get(home, 'k');
        assert.deepEqual(item?.value, { list: [1] });
        Object.assign(item.value, { more: true });
        assert.deepEqual((await store.get(home, 'k'))?.value, { list: [1] });
      },
    },
    {
      name: 'holds ten puts at once',
      run: async (store) => {
        const names = Array.from({ length: 10 }, (_, index) => `k${String(index)}`);
        await Promise.all(names.map((name) => store.put(home, name, { name })));
        assert.equal((await store.search(home, { limit: 100 })).length, 10);
        await Promise.all(names.map((name) => store.put(home, 'same', { name })));
        assert.match(String((await store.get(home, 'same'))?.value['name']), /^k\d$/);
      },
    },
  ] satisfies readonly Omit<GraphStoreCase, 'group'>[]
).map((each) => ({ group: 'items', ...each }));
