import { join } from 'node:path';
import type { CollectionDefinition, PutOperation, StoreBackend } from '@ctx/store/backend';
import { expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../driver/driver.ts';
import type { SqliteDriver } from '../driver/sqlite-driver.ts';
import { sqliteBackend } from '../sqlite-backend.ts';
import { temporaryFolder } from '../test-support/places.ts';

const items: CollectionDefinition = {
  name: 'items',
  key: ['tenant', 'agent', 'id'],
  columns: {},
  indexes: [],
  search: [{ name: 'content', weight: 1 }],
};

function putItem(id: string, content: string): PutOperation {
  const put = { type: 'put', collection: 'items', key: ['t', 'a', id], columns: {} } as const;
  return { ...put, body: JSON.stringify({ content }), words: { content } };
}

async function search(backend: StoreBackend, word: string): Promise<(string | undefined)[]> {
  const query = { collection: 'items', equal: ['t', 'a'], words: [word], limit: 999 };
  return (await backend.search(query)).map(({ key }) => key[2]);
}

interface Opened {
  readonly backend: StoreBackend;
  /** The reported counts of records that no search finds. */
  readonly told: number[];
}

async function open(
  path: string,
  options: { readOnly?: boolean; driver?: SqliteDriver } = {},
): Promise<Opened> {
  const backend = sqliteBackend({ path, ...options });
  onTestFinished(() => backend.close());
  const told: number[] = [];
  await backend.open([items], { onUnsearched: (records) => told.push(records) });
  return { backend, told };
}

async function runBeside(path: string, ...statements: string[]): Promise<void> {
  const database = (await loadDriver())(path);
  try {
    for (const sql of statements) database.exec(sql);
  } finally {
    database.close();
  }
}

/** A store of layout 2 in which records wait for their words; those of `found` have found them and wait to get in. */
async function oldStore(count: number, found = 0): Promise<string> {
  const path = join(temporaryFolder(), 'ctx.db');
  const { backend } = await open(path);
  const puts = Array.from({ length: count }, (_, at) => putItem(`p${at}`, `red ${at}`));
  await backend.write(puts);
  await backend.close();
  await runBeside(
    path,
    'CREATE TABLE "items$$new_words" (_id INTEGER PRIMARY KEY, scope TEXT NOT NULL, in_content TEXT NOT NULL)',
    `INSERT INTO "items$$new_words" SELECT _id, '', '' FROM items WHERE _id > ${found}`,
    'DELETE FROM "items$$words" WHERE rowid IN (SELECT _id FROM "items$$new_words")',
    'PRAGMA user_version = 2',
  );
  return path;
}

test('takes in the words that wait in a store of the layout before, 64 records at a time, and says what is left', async () => {
  const path = await oldStore(200, 20);
  const { backend, told } = await open(path);
  expect(told[0]).toBe(180);
  expect(await search(backend, '3')).toEqual(['p3']);
  await expect.poll(() => told.at(-1), { timeout: 30_000 }).toBe(0);
  expect(told).toEqual([180, 116, 52, 0]);
  expect(await search(backend, 'red')).toHaveLength(200);
  expect(await search(backend, '199')).toEqual(['p199']);
});

test('reads, writes and searches have their turn while old words are taken in', async () => {
  const { backend, told } = await open(await oldStore(640));
  const leftAt: (number | undefined)[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await backend.write([putItem(`new${turn}`, `green fresh${turn}`)]);
    expect(await search(backend, `fresh${turn}`)).toEqual([`new${turn}`]);
    leftAt.push(told.at(-1));
  }
  expect(leftAt.at(-1)).toBeGreaterThan(300);
  await expect.poll(() => told.at(-1), { timeout: 30_000 }).toBe(0);
  expect(await search(backend, 'red')).toHaveLength(640);
});

test('a record that is changed or deleted while it waits is found by what it holds now', async () => {
  const { backend, told } = await open(await oldStore(300));
  const gone = { type: 'delete', collection: 'items', key: ['t', 'a', 'p298'] } as const;
  await backend.write([putItem('p299', 'blue'), gone]);
  await expect.poll(() => told.at(-1), { timeout: 30_000 }).toBe(0);
  expect(await search(backend, '299')).toEqual([]);
  expect(await search(backend, '298')).toEqual([]);
  expect(await search(backend, 'blue')).toEqual(['p299']);
});

test('what a close leaves is indexed after the next open', async () => {
  const path = await oldStore(640);
  const first = await open(path);
  await first.backend.close();
  expect(first.told.at(-1)).toBeGreaterThan(0);
  const { backend, told } = await open(path);
  await expect.poll(() => told.at(-1), { timeout: 30_000 }).toBe(0);
  expect(await search(backend, 'red')).toHaveLength(640);
});

test('a damaged record that waits keeps no other from being found', async () => {
  const path = await oldStore(70);
  await runBeside(path, `UPDATE items SET _body = x'00' WHERE id = 'p1'`);
  const { backend, told } = await open(path);
  await expect.poll(() => told.at(-1), { timeout: 30_000 }).toBe(0);
  expect(await search(backend, 'red')).toHaveLength(69);
});

test('a store that is only read stays as it is and says what no search finds', async () => {
  const path = await oldStore(30, 10);
  await runBeside(path, 'PRAGMA user_version = 3', 'PRAGMA journal_mode = DELETE');
  const { backend, told } = await open(path, { readOnly: true });
  expect(await search(backend, 'red')).toHaveLength(10);
  expect(told).toEqual([20]);
});

test('the first search after a bulk save reads no record and has nothing to index', async () => {
  const driver = await loadDriver();
  let rows = 0;
  let changes = 0;
  const counting: SqliteDriver = (path) => {
    const database = driver(path);
    return {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => {
        const statement = database.prepare(sql);
        return {
          run: (...values) => {
            changes += 1;
            return statement.run(...values);
          },
          get: (...values) => {
            rows += 1;
            return statement.get(...values);
          },
          all: (...values) => {
            const all = statement.all(...values);
            rows += all.length;
            return all;
          },
          *iterate(...values) {
            for (const row of statement.iterate(...values)) {
              rows += 1;
              yield row;
            }
          },
        };
      },
      close: () => database.close(),
    };
  };
  const { backend } = await open(join(temporaryFolder(), 'ctx.db'), { driver: counting });
  const puts = Array.from({ length: 5_000 }, (_, at) => putItem(`p${at}`, `red ${at}`));
  await backend.write(puts);
  [rows, changes] = [0, 0];
  expect(await search(backend, '4999')).toEqual(['p4999']);
  // How many records there are, and the hit.
  expect({ rows, changes }).toEqual({ rows: 2, changes: 0 });
});
