import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlDriver } from '../driver/sql-driver.ts';
import { postgresBackend } from '../postgres-backend.ts';
import { countingDriver } from '../test-support/counting-driver.ts';
import { papers } from '../test-support/papers.ts';
import { makePglite, pgliteDriver } from '../test-support/pglite-driver.ts';
import { lockPostgresTenants } from './lock-tenants.ts';

let base: SqlDriver;
let end: () => Promise<void>;

beforeAll(async () => {
  const database = await makePglite();
  base = pgliteDriver(database);
  // The owner of the tables is a user like any other: who may pass every lock would see no difference.
  await base.script(
    'CREATE ROLE plain; GRANT CREATE ON DATABASE postgres TO plain; SET ROLE plain',
  );
  end = () => database.close();
}, 60_000);
afterAll(async () => {
  await end();
});

const put = (tenant: string, id: string) => ({
  ...{ type: 'put', collection: 'papers', key: [tenant, 's', id], columns: { year: 1 } },
  ...({ body: '{}', words: { title: 'same word' } } as const),
});

async function openLocked(schema: string) {
  const first = postgresBackend({ driver: countingDriver(base), schema });
  await first.open([papers]);
  await first.write([{ ...put('before', 'x'), type: 'put' }]);
  await first.close();
  const driver = countingDriver(base);
  const receipt = await lockPostgresTenants({ driver, schema, isLocked: true });
  const backend = postgresBackend({ driver, schema });
  await backend.open([papers, { ...papers, name: 'later' }]);
  return { backend, driver, receipt };
}

/** Runs a statement of a person who speaks for one tenant, in a transaction that is given up. */
function speakingFor(tenant: string, sql: string): Promise<readonly unknown[]> {
  return base.session(async (session) => {
    await session.script('BEGIN');
    try {
      await session.query(`SELECT set_config('ctx.tenant', $1, true)`, [JSON.stringify([tenant])]);
      return await session.query(sql);
    } finally {
      await session.script('ROLLBACK');
    }
  });
}

test('SQL by hand sees, changes and makes nothing of another tenant', async () => {
  const { backend, receipt } = await openLocked('hand');
  expect(receipt).toEqual({ isLocked: true, tables: 2, isBypassed: false });
  const hostile = `o'"\\Brien ["x"] %_ é`;
  for (const tenant of ['a', 'b', hostile]) {
    await backend.write([{ ...put(tenant, '1'), type: 'put' }]);
    await backend.write([{ ...put(tenant, '1'), type: 'put', collection: 'later' }]);
  }
  const all = ['papers', 'later', 'ctx$$writes'];
  for (const table of all) {
    const seen = await speakingFor('a', `SELECT DISTINCT tenant FROM hand."${table}"`);
    expect([table, seen]).toEqual([table, [{ tenant: 'a' }]]);
  }
  expect(await speakingFor(hostile, 'SELECT tenant FROM hand.papers')).toEqual([
    { tenant: hostile },
  ]);
  const foreign = `UPDATE hand.papers SET year = 9 WHERE tenant = 'b' RETURNING 1`;
  expect(await speakingFor('a', foreign)).toEqual([]);
  expect(await speakingFor('a', `DELETE FROM hand.papers WHERE tenant = 'b' RETURNING 1`)).toEqual(
    [],
  );
  const moved = speakingFor('a', `UPDATE hand.papers SET tenant = 'b', id = '2'`);
  await expect(moved).rejects.toMatchObject({ code: '42501' });
  const made = speakingFor(
    'a',
    `INSERT INTO hand.papers (tenant, shelf, id, _version) VALUES ('b', 's', '3', 1)`,
  );
  await expect(made).rejects.toMatchObject({ code: '42501' });
  await backend.close();
});

test('who names no tenant is refused, and not told that there is nothing', async () => {
  const { backend } = await openLocked('nobody');
  await backend.write([{ ...put('', '1'), type: 'put' }]);
  const unnamed = base.query('SELECT * FROM nobody.papers');
  await expect(unnamed).rejects.toThrow();
  // A setting that was made and is gone again reads as empty, which is no tenant either.
  await speakingFor('a', 'SELECT 1');
  await expect(base.query('SELECT * FROM nobody.papers')).rejects.toMatchObject({ code: '22P02' });
  await backend.close();
});

test('everything works under the lock, also a write for two tenants', async () => {
  const { backend } = await openLocked('works');
  await backend.write(
    [put('a', '1'), put('b', '1'), put('a', '2')].map((one) => ({ ...one, type: 'put' })),
  );
  const keys = [
    ['b', 's', '1'],
    ['a', 's', '2'],
    ['c', 's', '1'],
    ['a', 's', '1'],
  ];
  const found = await backend.get('papers', keys);
  expect(found.map((record) => record?.key)).toEqual([keys[0], keys[1], undefined, keys[3]]);
  const ids: unknown[] = [];
  for await (const { key } of backend.scan({
    collection: 'papers',
    index: 'by_year',
    equal: ['a'],
  }))
    ids.push(key[2]);
  expect(ids).toEqual(['1', '2']);
  expect(await backend.tally({ collection: 'papers', index: 'key', equal: ['b'] })).toMatchObject([
    { count: 1 },
  ]);
  const hits = await backend.search({
    collection: 'papers',
    equal: ['a'],
    words: ['word'],
    limit: 9,
  });
  expect(hits).toHaveLength(2);
  await backend.write([
    { type: 'patch', collection: 'papers', key: ['a', 's', '1'], columns: { year: 3 } },
  ]);
  await backend.write([
    { type: 'delete', collection: 'papers', key: ['a', 's', '1'] },
    { type: 'delete', collection: 'papers', key: ['b', 's', '1'] },
  ]);
  expect(await backend.get('papers', keys)).toMatchObject([
    undefined,
    { version: 1 },
    undefined,
    undefined,
  ]);
  await backend.close();
});

test('a read under the lock is one transaction that names its tenant before it reads', async () => {
  const { backend, driver } = await openLocked('order');
  driver.sent.length = 0;
  await backend.get('papers', [['a', 's', '1']]);
  expect(driver.sent.map((sql) => sql.split(' ')[0])).toEqual([
    'BEGIN',
    'SELECT',
    'SELECT',
    'COMMIT',
  ]);
  expect(driver.sent[1]).toContain('set_config');
  await backend.close();
});

test('the lock comes off again, and takes nothing with it', async () => {
  const schema = 'off';
  const { backend } = await openLocked(schema);
  await backend.write([{ ...put('a', '1'), type: 'put' }]);
  await backend.close();
  const driver = countingDriver(base);
  expect(await lockPostgresTenants({ driver, schema, isLocked: false })).toMatchObject({
    isLocked: false,
  });
  expect(await base.query('SELECT tenant FROM off.papers ORDER BY tenant')).toEqual([
    { tenant: 'a' },
    { tenant: 'before' },
  ]);
  const again = postgresBackend({ driver, schema });
  await again.open([papers]);
  driver.sent.length = 0;
  await again.get('papers', [['a', 's', '1']]);
  expect(driver.sent).toHaveLength(1);
  await again.close();
});

test('a store that is not there has no lock', async () => {
  const missing = lockPostgresTenants({
    driver: countingDriver(base),
    schema: 'missing',
    isLocked: true,
  });
  await expect(missing).rejects.toMatchObject({ code: 'CTX_NOT_FOUND' });
});
