import { join } from 'node:path';
import type { CollectionDefinition } from '@ctx/store/backend';
import { expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../driver/driver.ts';
import type { SqliteDriver } from '../driver/sqlite-driver.ts';
import { sqliteBackend } from '../sqlite-backend.ts';
import { temporaryFolder } from '../test-support/places.ts';

const items: CollectionDefinition = {
  name: 'items',
  key: ['tenant', 'agent', 'id'],
  columns: { rank: { type: 'integer' } },
  indexes: [],
  search: [{ name: 'content', weight: 1 }],
};

/** A driver that notes which statements read, how often, and each row that is taken of a ranked list. */
async function notingDriver(read: string[]): Promise<SqliteDriver> {
  const driver = await loadDriver();
  return (path) => {
    const database = driver(path);
    return {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => {
        const statement = database.prepare(sql);
        const note = (): void => {
          if (sql.startsWith('SELECT')) read.push(sql.includes('MATCH') ? 'ranked' : 'other');
        };
        return {
          run: (...values) => statement.run(...values),
          get: (...values) => (note(), statement.get(...values)),
          all: (...values) => (note(), statement.all(...values)),
          *iterate(...values) {
            note();
            for (const row of statement.iterate(...values)) {
              read.push('row');
              yield row;
            }
          },
          setReturnArrays: (isOn) => statement.setReturnArrays?.(isOn),
        };
      },
      close: () => database.close(),
    };
  };
}

async function opened(agents: number, read: string[]) {
  const backend = sqliteBackend({
    path: join(temporaryFolder(), 'ctx.db'),
    driver: await notingDriver(read),
  });
  onTestFinished(() => backend.close());
  await backend.open([items]);
  await backend.write(
    Array.from({ length: 40 * agents }, (_, at) => ({
      ...({ type: 'put', collection: 'items' } as const),
      key: ['t', `a${String(at % agents)}`, `i${String(at)}`],
      columns: { rank: at },
      body: JSON.stringify({ at }),
      words: { content: `red ${'filler '.repeat(at % 7)}` },
    })),
  );
  read.length = 0;
  return backend;
}

const query = { collection: 'items', equal: ['t', 'a0'], words: ['red'], limit: 20 };

/** What a search reads that ranks once for each of these numbers, and takes so many rows. */
function ranked(...rows: readonly number[]): string[] {
  return rows.flatMap((count) => ['ranked', ...Array.from({ length: count }, () => 'row')]);
}

test('a search that is asked for whole records is one statement that reads each hit once, and gives what a get gives', async () => {
  const read: string[] = [];
  const backend = await opened(1, read);
  const hits = await backend.search({ ...query, whole: true });
  expect(read).toEqual(ranked(20));
  const records = await backend.get(
    'items',
    hits.map(({ key }) => key),
  );
  expect(hits.map(({ record }) => record)).toEqual(records);
  expect((await backend.search(query)).map(({ key, score }) => ({ key, score }))).toEqual(
    hits.map(({ key, score }) => ({ key, score })),
  );
});

test('a search within one of three agents ranks once, and reads no body of the others', async () => {
  const read: string[] = [];
  const backend = await opened(3, read);
  const whole = await backend.search({ ...query, whole: true });
  expect(read).toEqual(ranked(read.length - 1));
  expect(read.length).toBeLessThan(1 + 4 * query.limit);
  expect(whole.map(({ record }) => record?.body)).toEqual(
    whole.map(({ key }) => JSON.stringify({ at: Number(key[2]?.slice(1)) })),
  );
});

test('a search of a rare word reads the one row that holds it, however many agents there are', async () => {
  const read: string[] = [];
  const backend = await opened(30, read);
  const words = { content: 'red needle' };
  const put = {
    type: 'put',
    collection: 'items',
    columns: { rank: 0 },
    body: '{}',
    words,
  } as const;
  await backend.write([{ ...put, key: ['t', 'a0', 'rare'] }]);
  read.length = 0;
  expect(await backend.search({ ...query, words: ['needle'], whole: true })).toHaveLength(1);
  expect(read).toEqual(ranked(1));
});

test('a scope of few records among many is ranked by itself at once after the first search, with the same answer', async () => {
  const read: string[] = [];
  const backend = await opened(30, read);
  const first = await backend.search(query);
  expect([first.length, read]).toEqual([20, ranked(20, 20)]);
  read.length = 0;
  expect(await backend.search(query)).toEqual(first);
  expect(read).toEqual(ranked(20));
});

test('a store of one agent reads the best matches at once from the second search on, and a second agent is told apart', async () => {
  const read: string[] = [];
  const backend = await opened(1, read);
  const first = await backend.search({ ...query, whole: true });
  read.length = 0;
  expect(await backend.search({ ...query, whole: true })).toEqual(first);
  expect(read).toEqual(ranked(0));
  const others = Array.from({ length: 40 }, (_, at) => ({
    ...({ type: 'put', collection: 'items', body: '{}' } as const),
    key: ['t', 'a1', `other${String(at)}`],
    columns: { rank: at },
    words: { content: 'red' },
  }));
  await backend.write(others);
  // At once, then one by one until too few are found, then within the agent; from then on within the agent alone.
  read.length = 0;
  expect((await backend.search(query)).map(({ key }) => key)).toEqual(first.map(({ key }) => key));
  const looks = read.filter((what) => what === 'ranked').length;
  expect(looks).toBeLessThanOrEqual(3);
  read.length = 0;
  expect((await backend.search(query)).map(({ key }) => key)).toEqual(first.map(({ key }) => key));
  expect(read.filter((what) => what === 'ranked')).toHaveLength(1);
});

test('of many candidates those come first that hold a word which is not common, then the newest that hold one that is', async () => {
  const backend = await opened(2, []);
  const put = (at: number) => ({
    ...({ type: 'put', collection: 'items', body: '{}' } as const),
    key: ['t', `a${String(at % 2)}`, `j${String(at)}`],
    columns: { rank: at },
    words: { content: `red ${at % 700 === 0 ? 'needle' : ''} ${'filler '.repeat(at % 5)}` },
  });
  for (let from = 0; from < 10_500; from += 1500) {
    await backend.write(Array.from({ length: 1500 }, (_, step) => put(from + step)));
  }
  const keysOf = async (words: readonly string[], limit: number) =>
    (await backend.search({ ...query, words, limit })).map(({ key }) => key.join(' '));
  const rare = await keysOf(['needle'], 600);
  expect(rare).toHaveLength(15);
  const found = await keysOf(['red', 'needle'], 600);
  expect(found.slice(0, 15)).toEqual(rare);
  expect(new Set(found).size).toBe(600);
  const newest = Array.from({ length: 600 }, (_, at) => `t a0 j${String(10_498 - 2 * at)}`);
  expect(new Set(found)).toEqual(
    new Set([...rare, ...newest.filter((key) => !rare.includes(key)).slice(0, 585)]),
  );
  expect(new Set(await keysOf(['red', 'absent'], 600))).toEqual(new Set(newest));
  expect(new Set(await keysOf(['red'], 600))).toEqual(new Set(newest));
  expect((await keysOf(['red', 'needle'], 15)).toSorted()).toEqual(rare.toSorted());
});
