import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CollectionDefinition, StoreBackend } from '@ctx/store/backend';
import { expect, onTestFinished, test } from 'vitest';
import { fsBackend } from '../fs-backend.ts';
import { openStoreState } from '../state/store-state.ts';
import { settingsOf } from '../store-options.ts';
import { freshFolder } from '../test-support/folder.ts';
import { applyWrite } from '../write/apply-write.ts';

const items: CollectionDefinition = {
  name: 'items',
  key: ['tenant', 'id'],
  columns: {},
  indexes: [],
  search: [{ name: 'content', weight: 1 }],
};

function keyOf(id: string): string[] {
  return ['t', id];
}

/** A store as an older ctx left it: the words of its records are still to be found in them. */
async function oldStore(count: number): Promise<string> {
  const path = freshFolder();
  const state = await openStoreState(settingsOf({ path }), [items]);
  await state.locked(async (turn) => {
    const steps = Array.from({ length: count }, (_, at) => {
      const body = JSON.stringify({ content: `red ${at}` });
      const content = { body, words: 'later' } as const;
      const place = { collection: 'items', key: keyOf(`p${at}`) };
      return { change: 'put', ...place, version: 1, columns: {}, content } as const;
    });
    await applyWrite(turn, steps, 'process');
  });
  await state.close();
  return path;
}

interface Opened {
  readonly backend: StoreBackend;
  /** The reported counts of records that no search finds. */
  readonly told: number[];
}

async function open(path: string, options: { readOnly?: boolean } = {}): Promise<Opened> {
  const backend = fsBackend({ path, durability: 'process', ...options });
  onTestFinished(() => backend.close());
  const told: number[] = [];
  await backend.open([items], { onUnsearched: (records) => told.push(records) });
  return { backend, told };
}

async function search(backend: StoreBackend, word: string): Promise<(string | undefined)[]> {
  const query = { collection: 'items', equal: ['t'], words: [word], limit: 999 };
  return (await backend.search(query)).map(({ key }) => key[1]);
}

test('takes in the words that wait in an older store, 64 records at a time, and says what is left', async () => {
  const path = await oldStore(150);
  const { backend, told } = await open(path);
  expect(told[0]).toBe(150);
  expect(await search(backend, 'red')).not.toHaveLength(150);
  await expect.poll(() => told.at(-1), { timeout: 30_000 }).toBe(0);
  expect(told).toEqual([150, 86, 22, 0]);
  expect(await search(backend, 'red')).toHaveLength(150);
  await backend.close();
  const again = await open(path);
  expect(again.told).toEqual([]);
  expect(await search(again.backend, '149')).toEqual(['p149']);
});

test('a record that is changed or deleted while it waits is found by what it holds now', async () => {
  const { backend, told } = await open(await oldStore(200));
  const put = { type: 'put', collection: 'items', key: keyOf('p199'), columns: {} } as const;
  const blue = { ...put, body: JSON.stringify({ content: 'blue' }), words: { content: 'blue' } };
  await backend.write([blue, { type: 'delete', collection: 'items', key: keyOf('p198') }]);
  await expect.poll(() => told.at(-1), { timeout: 30_000 }).toBe(0);
  expect(await search(backend, '199')).toEqual([]);
  expect(await search(backend, '198')).toEqual([]);
  expect(await search(backend, 'blue')).toEqual(['p199']);
});

test('what a close leaves is indexed after the next open, even if the index is gone', async () => {
  const path = await oldStore(300);
  const first = await open(path);
  await first.backend.close();
  expect(first.told.at(-1)).toBeGreaterThan(0);
  rmSync(join(path, '.index'), { recursive: true });
  const { backend, told } = await open(path);
  await expect.poll(() => told.at(-1), { timeout: 30_000 }).toBe(0);
  expect(await search(backend, 'red')).toHaveLength(300);
});

test('a damaged record that waits keeps no other from being found', async () => {
  const path = await oldStore(70);
  writeFileSync(join(path, 't/items/p1.json'), '{}');
  const { backend, told } = await open(path);
  await expect.poll(() => told.at(-1), { timeout: 30_000 }).toBe(0);
  expect(await search(backend, 'red')).toHaveLength(69);
});

test('a store that is only read stays as it is and says what no search finds', async () => {
  const { backend, told } = await open(await oldStore(5), { readOnly: true });
  expect(await search(backend, 'red')).toEqual([]);
  expect(told).toEqual([5]);
});

test.each([1, 2, 3])(
  'a store of version %i is opened and raised, so that the older ctx leaves it alone',
  async (version) => {
    const path = freshFolder();
    const before = await open(path);
    const put = { type: 'put', collection: 'items', key: keyOf('p1'), columns: {} } as const;
    await before.backend.write([{ ...put, body: '{}', words: { content: 'red' } }]);
    await before.backend.close();
    const mark = join(path, 'ctx-store.json');
    const text = readFileSync(mark, 'utf8');
    writeFileSync(mark, text.replace('"version": 4', `"version": ${version}`));
    const { backend } = await open(path);
    expect(await search(backend, 'red')).toEqual(['p1']);
    await backend.close();
    expect(JSON.parse(readFileSync(mark, 'utf8'))).toMatchObject({ version: 4 });
  },
);
