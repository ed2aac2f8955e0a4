import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenOptions, PutOperation, StoreBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { fsBackend } from '../fs-backend.ts';
import { freshFolder } from '../test-support/folder.ts';

const papers = {
  name: 'papers',
  key: ['tenant', 'id'],
  columns: {},
  indexes: [],
  search: [{ name: 'text', weight: 1 }],
} as const;

const options: OpenOptions = {
  wordsOf: { papers: ({ body }) => ({ text: String(JSON.parse(body)) }) },
};

function putLater(id: string, text: string): PutOperation {
  const put = { type: 'put', collection: 'papers', key: ['t', id], columns: {} } as const;
  return { ...put, body: JSON.stringify(text), wordsLater: true };
}

async function open(path: string, withWords = true): Promise<StoreBackend> {
  const backend = fsBackend({ path, durability: 'process' });
  await backend.open([papers], withWords ? options : {});
  return backend;
}

async function search(backend: StoreBackend, word: string): Promise<(string | undefined)[]> {
  const query = { collection: 'papers', equal: ['t'], words: [word], limit: 999 };
  return (await backend.search(query)).map(({ key }) => key[1]);
}

test('words that were found are in the index: later processes read no record for them', async () => {
  const path = freshFolder();
  const backend = await open(path);
  for (let number = 0; number < 40; number++) await backend.write([putLater(`p${number}`, 'red')]);
  await backend.write([{ type: 'delete', collection: 'papers', key: ['t', 'p39'] }]);
  await backend.close();
  const without = await open(path, false);
  expect(await search(without, 'red')).toHaveLength(39);
  await without.close();
});

test('words are found anew where the index is gone', async () => {
  const path = freshFolder();
  const before = await open(path);
  await before.write([putLater('p1', 'red'), putLater('p2', 'blue')]);
  await before.close();
  rmSync(join(path, '.index'), { recursive: true });
  const backend = await open(path);
  expect(await search(backend, 'red')).toEqual(['p1']);
  await backend.close();
});

test('words are found while the records change', async () => {
  const path = freshFolder();
  const [left, right] = [await open(path), await open(path)];
  const ids = Array.from({ length: 100 }, (_, number) => `p${number}`);
  await left.write(ids.map((id) => putLater(id, 'red')));
  const writes = ids.map((id) => right.write([putLater(id, 'blue')]));
  const searches = [1, 2, 3].map(() => search(left, 'red'));
  await Promise.all([...writes, ...searches]);
  for (const backend of [left, right]) {
    expect(await search(backend, 'red')).toEqual([]);
    expect(await search(backend, 'blue')).toHaveLength(100);
    await backend.close();
  }
});

test('a damaged record that waits stops no search', async () => {
  const path = freshFolder();
  const backend = await open(path);
  await backend.write([putLater('p1', 'red'), putLater('p2', 'red')]);
  writeFileSync(join(path, 't/papers/p1.json'), '{}');
  expect(await search(backend, 'red')).toEqual(['p2']);
  await backend.close();
});

test.each([1, 2, 3])(
  'a store of version %i is opened and raised, so that the older ctx leaves it alone',
  async (version) => {
    const path = freshFolder();
    const before = await open(path);
    await before.write([putLater('p1', 'red')]);
    await before.close();
    const mark = join(path, 'ctx-store.json');
    writeFileSync(
      mark,
      readFileSync(mark, 'utf8').replace('"version": 4', `"version": ${version}`),
    );
    const backend = await open(path);
    expect(await search(backend, 'red')).toEqual(['p1']);
    await backend.close();
    expect(JSON.parse(readFileSync(mark, 'utf8'))).toMatchObject({ version: 4 });
  },
);
