import { join } from 'node:path';
import type { OpenOptions, PutOperation, StoreBackend } from '@ctx/core';
import { expect, test } from 'vitest';
import { loadDriver } from './driver.ts';
import { newWordsTableName, quoteName } from './names.ts';
import { sqliteBackend } from './sqlite-backend.ts';
import { temporaryFolder } from './test-support/places.ts';
import { papers, putPaper } from './test-support/records.ts';

const options: OpenOptions = {
  wordsOf: { papers: ({ body }) => ({ text: String(JSON.parse(body)) }) },
};

function putLater(id: string, text: string): PutOperation {
  return { ...putPaper(id, { body: JSON.stringify(text) }), wordsLater: true };
}

async function search(backend: StoreBackend, word: string): Promise<(string | undefined)[]> {
  const hits = await backend.search({
    collection: 'papers',
    equal: ['t'],
    words: [word],
    limit: 999,
  });
  return hits.map(({ key }) => key[2]);
}

/** Runs SQL on the file beside the store. */
async function runBeside<T>(path: string, sql: string, read: (value: unknown) => T): Promise<T> {
  const database = (await loadDriver())(path);
  try {
    return read(Object.values(database.prepare(sql).get() ?? {})[0]);
  } finally {
    database.close();
  }
}

const countOfWaiting = `SELECT count(*) FROM ${quoteName(newWordsTableName('papers'))}`;

test('opens a store of the layout before, keeps what is in it and raises the layout', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const before = sqliteBackend({ path });
  await before.open([papers]);
  await before.write([putPaper('p1', { words: { text: 'red' } })]);
  await before.close();
  await runBeside(path, 'PRAGMA user_version = 1', () => undefined);
  const backend = sqliteBackend({ path });
  await backend.open([papers], options);
  await backend.write([putLater('p2', 'red')]);
  expect((await search(backend, 'red')).sort()).toEqual(['p1', 'p2']);
  await backend.close();
  expect(await runBeside(path, 'PRAGMA user_version', Number)).toBe(2);
});

test('takes words in by one transaction, of the one collection that has any', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const backend = sqliteBackend({ path });
  await backend.open([papers, { ...papers, name: 'others' }], options);
  const transactions = (): number => Number(backend.mark?.()?.split(' ')[1]);
  const before = transactions();
  await backend.write(Array.from({ length: 40 }, (_, at) => putLater(`p${String(at)}`, 'red')));
  await expect.poll(() => runBeside(path, countOfWaiting, Number)).toBe(0);
  await new Promise((resolve) => setImmediate(resolve));
  await backend.get('others', []);
  expect(transactions() - before).toBe(2);
  await backend.close();
});

test('words that wait outlive a change of the search fields', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const before = sqliteBackend({ path });
  await before.open([papers], options);
  await before.write([putLater('p1', 'red'), putPaper('p2', { words: { text: 'red' } })]);
  await before.close();
  const backend = sqliteBackend({ path });
  const fields = [...papers.search, { name: 'notes', weight: 1 }];
  await backend.open([{ ...papers, search: fields }], options);
  expect((await search(backend, 'red')).sort()).toEqual(['p1', 'p2']);
  await backend.close();
});

test('few words wait behind many saves, whether they leave the loop free or not', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const backend = sqliteBackend({ path });
  await backend.open([papers], options);
  for (let number = 0; number < 200; number++) await backend.write([putLater(`a${number}`, 'red')]);
  expect(await runBeside(path, countOfWaiting, Number)).toBeLessThan(64);
  for (let number = 0; number < 200; number++) {
    await backend.write([putLater(`b${number}`, 'red')]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await runBeside(path, countOfWaiting, Number)).toBeLessThan(64);
  expect(await search(backend, 'red')).toHaveLength(400);
  await backend.close();
});

test('a damaged record that waits stops no search', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const backend = sqliteBackend({ path });
  await backend.open([papers], options);
  await backend.write([putLater('p1', 'red'), putLater('p2', 'red')]);
  const damage = `UPDATE papers SET _body = x'00' WHERE paper_id = 'p1' RETURNING 1`;
  await runBeside(path, damage, () => undefined);
  expect(await search(backend, 'red')).toEqual(['p2']);
  expect(await search(backend, 'red')).toEqual(['p2']);
  await backend.close();
});
