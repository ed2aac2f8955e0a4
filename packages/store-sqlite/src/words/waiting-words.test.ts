import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenOptions, PutOperation, StoreBackend, StoredRecord } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { loadDriver } from '../driver/driver.ts';
import type { SqliteDriver } from '../driver/sqlite-driver.ts';
import { collectionTable } from '../schema/collection-table.ts';
import { newWordsTableName, quoteName } from '../schema/names.ts';
import { sqliteBackend } from '../sqlite-backend.ts';
import { temporaryFolder } from '../test-support/places.ts';
import { papers, putPaper } from '../test-support/records.ts';

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

test('finds words in the columns of a record, and reads no columns where nobody looks at them', async () => {
  const driver = await loadDriver();
  const prepared: string[] = [];
  const counting: SqliteDriver = (path) => {
    const database = driver(path);
    return {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => {
        prepared.push(sql);
        return database.prepare(sql);
      },
      close: () => database.close(),
    };
  };
  const byRow = collectionTable(papers).selectById;
  const backend = sqliteBackend({ path: join(temporaryFolder(), 'ctx.db'), driver: counting });
  const rows = { ...papers, name: 'rows' };
  const wordsOf = {
    ...options.wordsOf,
    rows: ({ columns }: StoredRecord) => ({ text: String(columns['kind']) }),
  };
  await backend.open([papers, rows], { wordsOf });
  await backend.write([
    putLater('p1', 'red'),
    { ...putLater('p2', 'red'), collection: 'rows', columns: { kind: 'blue', rank: 0, pages: 0 } },
  ]);
  expect(await search(backend, 'red')).toEqual(['p1']);
  expect(prepared).not.toContain(byRow);
  const hits = await backend.search({
    collection: 'rows',
    equal: ['t'],
    words: ['blue'],
    limit: 9,
  });
  expect(hits.map(({ key }) => key[2])).toEqual(['p2']);
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

/** A store that lets words wait, with so many records that do. */
async function openWaiting(path: string, count: number): Promise<StoreBackend> {
  const backend = sqliteBackend({ path, wordsWait: true });
  await backend.open([papers], options);
  const puts = Array.from({ length: count }, (_, at) => putLater(`p${at}`, `red only${at}`));
  for (let at = 0; at < count; at += 100) await backend.write(puts.slice(at, at + 100));
  return backend;
}

test('words wait for as long as a store is told to let them, and a step takes in no more than asked', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const backend = await openWaiting(path, 300);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await runBeside(path, countOfWaiting, Number)).toBe(300);
  expect(await backend.takeInWords?.(200)).toBe(100);
  expect(await runBeside(path, countOfWaiting, Number)).toBe(100);
  expect(await search(backend, 'only299')).toEqual(['p299']);
  expect(await runBeside(path, countOfWaiting, Number)).toBe(0);
  await backend.close();
});

test('a close takes in few words and leaves many to the next search', async () => {
  const [few, many] = [temporaryFolder(), temporaryFolder()].map((folder) =>
    join(folder, 'ctx.db'),
  );
  await (await openWaiting(few ?? '', 1_000)).close();
  await (await openWaiting(many ?? '', 1_100)).close();
  expect(await runBeside(few ?? '', countOfWaiting, Number)).toBe(0);
  expect(await runBeside(many ?? '', countOfWaiting, Number)).toBe(1_100);
  const backend = sqliteBackend({ path: many ?? '' });
  await backend.open([papers], options);
  expect(await search(backend, 'red')).toHaveLength(999);
  expect(await search(backend, 'only1099')).toEqual(['p1099']);
  await backend.close();
});

test('words that wait outlive the death of the process, in the middle of taking them in as well', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const killed = await openWaiting(path, 300);
  await killed.takeInWords?.(100);
  // A copy of the file and its log is what the death of the process leaves.
  const left = join(temporaryFolder(), 'ctx.db');
  for (const end of ['', '-wal']) copyFileSync(path + end, left + end);
  await killed.close();
  const backend = sqliteBackend({ path: left });
  await backend.open([papers], options);
  expect(await search(backend, 'red')).toHaveLength(300);
  expect(await search(backend, 'only250')).toEqual(['p250']);
  await backend.close();
});

test.each([0, -1, 1.5, Number.NaN])('refuses a step of %s records', async (limit) => {
  const backend = await openWaiting(join(temporaryFolder(), 'ctx.db'), 1);
  await expect(backend.takeInWords?.(limit)).rejects.toThrow(/whole number from 1/);
  await backend.close();
});

test('a search ends where somebody deleted a record by hand whose words had still to be found', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const backend = sqliteBackend({ path });
  await backend.open([papers], options);
  await backend.write([putLater('p1', 'red'), putLater('p2', 'red')]);
  await runBeside(
    path,
    `DELETE FROM papers WHERE paper_id = 'p2' RETURNING paper_id`,
    () => undefined,
  );
  expect(await search(backend, 'red')).toEqual(['p1']);
  expect(await runBeside(path, countOfWaiting, Number)).toBe(0);
  await backend.close();
});
