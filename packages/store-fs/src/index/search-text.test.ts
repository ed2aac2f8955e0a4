import { expect, test } from 'vitest';
import { openFsStore } from '../open-fs-store.ts';
import { freshFolder } from '../test-support/folder.ts';

const count = 3000;

async function filled(path: string): Promise<void> {
  const store = await openFsStore({ path, durability: 'process' });
  for (let from = 0; from < count; from += 1000)
    await store.items.saveMany(
      Array.from({ length: 1000 }, (_, at) => {
        const number = from + at;
        return { agentId: 'a', kind: 'NOTE', id: `i${number}`, content: `common ${number}` };
      }),
    );
  await store.close();
}

test('the first search lets other work have its turns, and finds what is changed and deleted meanwhile as it is', async () => {
  const path = freshFolder();
  await filled(path);
  const store = await openFsStore({ path, durability: 'process' });
  const first = store.items.search('a', { text: 'common', limit: 1000, peek: true });
  const state = { isOver: false };
  const end = (): void => {
    state.isOver = true;
  };
  void first.then(end, end);
  let turns = 0;
  const changes = Promise.all([
    store.items.delete('a', 'i2999'),
    store.items.save({ agentId: 'a', kind: 'NOTE', id: 'i2998', content: 'walrus' }),
  ]);
  while (!state.isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  expect(turns).toBeGreaterThan(count / 512);
  expect((await first).hits).toHaveLength(1000);
  await changes;
  const found = async (text: string): Promise<string[]> =>
    (await store.items.search('a', { text, peek: true })).hits.map(({ item }) => item.id);
  expect(await found('2999')).toEqual([]);
  expect(await found('2998')).toEqual([]);
  expect(await found('walrus')).toEqual(['i2998']);
  expect(await found('2997')).toEqual(['i2997']);
  await store.close();
});

test('a store that is closed during the first search says so', async () => {
  const path = freshFolder();
  await filled(path);
  const store = await openFsStore({ path, durability: 'process' });
  const first = store.items.search('a', { text: 'common', peek: true });
  const said = expect(first).rejects.toMatchObject({ code: 'CTX_STORE_CLOSED' });
  await store.close();
  await said;
});
