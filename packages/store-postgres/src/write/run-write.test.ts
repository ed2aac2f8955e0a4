import type { CollectionDefinition, StoreBackend, WriteOperation } from '@ctx/store/backend';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlDriver, SqlSession } from '../driver/sql-driver.ts';
import { postgresBackend } from '../postgres-backend.ts';
import { papers } from '../test-support/papers.ts';
import { makePglite, pgliteDriver } from '../test-support/pglite-driver.ts';

let base: SqlDriver;
let end: () => Promise<void>;
let schemas = 0;

beforeAll(async () => {
  const database = await makePglite();
  base = pgliteDriver(database);
  end = () => database.close();
}, 60_000);
afterAll(async () => {
  await end();
});

/** A driver that counts round trips: statements that are sent while no answer is owed. Those that let old notes go do not count. */
function trippingDriver(): { readonly driver: SqlDriver; readonly trips: () => number } {
  let trips = 0;
  let owed = 0;
  const counted = <Answer>(sql: string, send: () => Promise<Answer>): Promise<Answer> => {
    if (sql.startsWith('WITH gone AS')) return send();
    if (owed === 0) trips += 1;
    owed += 1;
    return send().finally(() => {
      owed -= 1;
    });
  };
  const counting = (session: SqlSession): SqlSession => ({
    query: (sql, values) => counted(sql, () => session.query(sql, values)),
    lists: (sql, values, options) => counted(sql, () => session.lists(sql, values, options)),
    script: (sql) => counted(sql, () => session.script(sql)),
  });
  const driver: SqlDriver = {
    ...base,
    ...counting(base),
    session: (work) => base.session((session) => work(counting(session))),
  };
  return { driver, trips: () => trips };
}

const log: CollectionDefinition = {
  ...papers,
  ...{ name: 'log', key: ['tenant', 'number'], columns: {}, indexes: [], search: [] },
};

interface Place {
  readonly backend: StoreBackend;
  /** How many round trips a work took. */
  readonly tripsOf: (work: () => Promise<unknown>) => Promise<number>;
}

async function openPlace(): Promise<Place> {
  schemas += 1;
  const { driver, trips } = trippingDriver();
  const backend = postgresBackend({ driver, schema: `trips_${String(schemas)}` });
  await backend.open([papers, { ...papers, name: 'more' }, log]);
  const tripsOf: Place['tripsOf'] = async (work) => {
    const before = trips();
    await work();
    return trips() - before;
  };
  return { backend, tripsOf };
}

const put = (id: string, expectVersion: number, collection = 'papers'): WriteOperation => ({
  ...{ type: 'put', collection, key: ['t', 's', id], columns: { year: 1 }, body: '{}' },
  expectVersion,
});
const appends = [{ collection: 'log', place: ['t'], records: [{ columns: {}, body: '{}' }] }];

test('new records and what is appended with them are one round trip, the commit included', async () => {
  const { backend, tripsOf } = await openPlace();
  const operations = [put('a', 0), put('b', 0), put('a', 0, 'more')];
  expect(await tripsOf(() => backend.write(operations, { appends }))).toBe(1);
  expect(await tripsOf(() => backend.write([put('c', 0)], { appends }))).toBe(1);
});

const check = (id: string, expectVersion: number): WriteOperation => ({
  ...{ type: 'check', collection: 'papers', key: ['t', 's', id], expectVersion },
});
const emptyYear = (year: number) => [
  { collection: 'papers', index: 'by_year', equal: ['t', year] },
];

test('new records behind others that must be as they were, and where ranges must be empty, are one round trip', async () => {
  const { backend, tripsOf } = await openPlace();
  await backend.write([put('a', 0), put('b', 0)]);
  const emptyRanges = [...emptyYear(2), ...emptyYear(3)];
  const one = [check('a', 1), put('c', 0)];
  expect(await tripsOf(() => backend.write(one, { appends, emptyRanges }))).toBe(1);
  const two = [check('a', 1), check('b', 1), put('d', 0)];
  expect(await tripsOf(() => backend.write(two, { appends }))).toBe(1);
  expect(await backend.get('log', [['t', '000000000002']])).toMatchObject([{ version: 1 }]);
});

test.each([
  ['another version', [check('a', 2)], {}],
  ['one of two with another version', [check('a', 1), check('b', 2)], {}],
  ['a missing record', [check('a', 1), check('gone', 1)], {}],
  ['a range that is not empty', [check('a', 1)], { emptyRanges: emptyYear(1) }],
])(
  'what was taken for as it was is a conflict for %s, and nothing of the write is done',
  async (_, checks, options) => {
    const { backend } = await openPlace();
    await backend.write([put('a', 0), put('b', 0)]);
    const failed = backend.write([...checks, put('c', 0)], { appends, ...options });
    await expect(failed).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
    expect(await backend.get('papers', [['t', 's', 'c']])).toEqual([undefined]);
    expect(await backend.get('log', [['t', '000000000001']])).toEqual([undefined]);
  },
);

test('a write that has to look at records first is two, whatever it changes in how many tables', async () => {
  const { backend, tripsOf } = await openPlace();
  await backend.write([put('a', 0), put('b', 0), put('a', 0, 'more')]);
  const operations: WriteOperation[] = [
    ...[put('a', 1), put('a', 1, 'more'), put('new', 0, 'more')],
    { type: 'patch', collection: 'papers', key: ['t', 's', 'b'], columns: { year: 2 } },
    { type: 'delete', collection: 'papers', key: ['t', 's', 'missing'] },
  ];
  expect(await tripsOf(() => backend.write(operations, { appends }))).toBe(2);
});

test('what was taken for new and is there is a conflict, and nothing of the write is done', async () => {
  const { backend } = await openPlace();
  await backend.write([put('a', 0)]);
  const failed = backend.write([put('b', 0), put('a', 0), put('c', 0, 'more')], { appends });
  await expect(failed).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
  expect(await backend.get('papers', [['t', 's', 'b']])).toEqual([undefined]);
  expect(await backend.get('more', [['t', 's', 'c']])).toEqual([undefined]);
  expect(await backend.get('log', [['t', '000000000001']])).toEqual([undefined]);
  expect(await backend.get('papers', [['t', 's', 'a']])).toMatchObject([{ version: 1 }]);
});

/** Citus hands on what a worker says with the names of its shards, and without the table's as a field of its own. */
function asFromShard(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return Object.assign(new Error(error.message.replace(/_pkey"$/, '_pkey_102008"')), {
    code: error.code,
  });
}

test.each([
  ['one record', [put('a', 0)]],
  ['two records', [put('a', 0), put('b', 0)]],
])(
  'a write of %s whose answer was lost is done once where the note lies in a shard',
  async (_, operations) => {
    schemas += 1;
    let isLost = false;
    const losing = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
      const answer = await work().catch((error: unknown) => {
        throw asFromShard(error);
      });
      if (isLost) return answer;
      isLost = true;
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    };
    const driver: SqlDriver = {
      ...base,
      lists: (sql, values, options) => losing(() => base.lists(sql, values, options)),
      session: (work) => losing(() => base.session(work)),
    };
    const schema = `shard_${String(schemas)}`;
    const made = postgresBackend({ driver: base, schema });
    await made.open([papers]);
    const backend = postgresBackend({ driver, schema });
    await backend.open([papers]);
    await backend.write(operations);
    expect(isLost).toBe(true);
    expect(await backend.get('papers', [['t', 's', 'a']])).toMatchObject([{ version: 1 }]);
  },
);
