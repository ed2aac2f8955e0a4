import { storeCollections } from '@ctx/store';
import type { ScanQuery, WriteOperation } from '@ctx/store/backend';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlDriver, SqlSession, SqlValue } from './driver/sql-driver.ts';
import { postgresBackend } from './postgres-backend.ts';
import { papers } from './test-support/papers.ts';
import { makePglite, pgliteDriver } from './test-support/pglite-driver.ts';

let base: SqlDriver;
let end: () => Promise<void>;

beforeAll(async () => {
  const database = await makePglite();
  base = pgliteDriver(database);
  end = () => database.close();
}, 60_000);
afterAll(async () => {
  await end();
});

test('the tenant leads every key and every ordered index, and no sequence, trigger or foreign key is there', async () => {
  const backend = postgresBackend({ driver: base, schema: 'real' });
  await backend.open(storeCollections);
  const indexes = await base.query(
    `SELECT c.relname AS name, t.relname AS table, am.amname AS method, a.attname AS first
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
     JOIN pg_am am ON am.oid = c.relam JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = 1
     JOIN pg_namespace n ON n.oid = t.relnamespace WHERE n.nspname = 'real'`,
  );
  const declared = storeCollections.reduce((sum, { indexes: own }) => sum + own.length + 1, 0);
  // Null comes first in each declared index, as queries order it: else they would have to sort.
  const orders = await base.query(
    `SELECT DISTINCT unnest(indoption) AS bits FROM pg_index JOIN pg_class c ON c.oid = indexrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_am am ON am.oid = c.relam
     WHERE nspname = 'real' AND amname = 'btree' AND NOT indisprimary`,
  );
  expect(orders.map(({ bits }) => Number(bits))).toEqual([2]);
  const ordered = indexes.filter(({ method }) => method === 'btree');
  // Those of the collections, of the table of writes and of what describes the schema, which belongs to no tenant.
  expect(ordered).toHaveLength(declared + 2);
  const others = ordered.filter(({ first }) => first !== 'tenant');
  expect(others.map(({ table }) => table)).toEqual(['ctx$$meta']);
  // Words are found by the tenant's own token, which every search names beside them.
  const words = indexes.filter(({ method }) => method !== 'btree');
  expect(words.map(({ first }) => first)).toEqual(
    storeCollections.filter(({ search }) => search.length > 0).map(() => '_words'),
  );
  const constraints = await base.query(
    `SELECT t.relname AS table, k.contype AS type, a.attname AS first FROM pg_constraint k
     JOIN pg_class t ON t.oid = k.conrelid JOIN pg_namespace n ON n.oid = k.connamespace
     JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.conkey[1] WHERE n.nspname = 'real' AND k.contype <> 'n'`,
  );
  expect(constraints).toHaveLength(storeCollections.length + 2);
  expect(new Set(constraints.map(({ type }) => type))).toEqual(new Set(['p']));
  expect(constraints.filter(({ first }) => first !== 'tenant').map(({ table }) => table)).toEqual([
    'ctx$$meta',
  ]);
  const kinds = await base.query(
    `SELECT DISTINCT relkind AS kind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE nspname = 'real' ORDER BY 1`,
  );
  // Indexes, tables, views; 'S' would be a sequence.
  expect(kinds.map(({ kind }) => kind)).toEqual(['i', 'r', 'v']);
  expect(await base.query('SELECT tgname FROM pg_trigger WHERE NOT tgisinternal')).toEqual([]);
  await backend.close();
});

interface Sent {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Keeps the statements on the tables of records, with their values. */
function recording(driver: SqlDriver): { readonly driver: SqlDriver; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const kept = (session: SqlSession): SqlSession => ({
    query: (sql, values = []) => {
      if (/"(papers|more|ctx\$\$writes)"/.test(sql)) sent.push({ sql, values });
      return session.query(sql, values);
    },
    lists: (sql, values) => {
      if (/"(papers|more|ctx\$\$writes)"/.test(sql)) sent.push({ sql, values });
      return session.lists(sql, values);
    },
    script: (sql) => {
      if (/"(papers|more|ctx\$\$writes)"/.test(sql)) sent.push({ sql, values: [] });
      return session.script(sql);
    },
  });
  return {
    driver: {
      ...driver,
      ...kept(driver),
      session: (work) => driver.session((one) => work(kept(one))),
    },
    sent,
  };
}

test('every statement names one tenant, as its first value', async () => {
  const { driver, sent } = recording(base);
  const backend = postgresBackend({ driver, schema: 'seen' });
  await backend.open([papers, { ...papers, name: 'more' }]);
  sent.length = 0;
  const put = (tenant: string, id: string, more = {}): WriteOperation => ({
    ...{ type: 'put', collection: 'papers', key: [tenant, 's', id], columns: { year: 1 } },
    ...{ body: '{}', words: { title: `title ${id}` }, ...more },
  });
  const place = { collection: 'papers', key: ['t', 's', '1'] };
  // Alone, together, for two tenants in two tables; new, again, with a version; patched, checked, deleted, kept missing.
  await backend.write([put('t', '1')]);
  await backend.write([put('t', '1', { expectVersion: 1 })]);
  await backend.write([{ type: 'patch', ...place, columns: { year: 2 } }]);
  await backend.write([
    put('t', '2', { expectVersion: 0 }),
    put('u', '1'),
    put('t', '1', { collection: 'more' }),
    { type: 'patch', ...place, columns: { year: 3 } },
    { type: 'check', collection: 'papers', key: ['u', 's', 'none'], expectVersion: 0 },
  ]);
  await backend.write([put('u', '1'), put('t', '2')], { durability: 'power' });
  const range = { collection: 'papers', index: 'by_year', equal: ['t', 99] };
  await backend.write([put('t', '3')], {
    emptyRanges: [range],
    patchRanges: [{ ...range, equal: ['t', 3], columns: { author: 'x' } }],
  });
  await backend.write([{ type: 'delete', ...place }]);
  await backend.write([{ type: 'delete', ...place }]);
  await backend.get('papers', [['t', 's', '2']]);
  await backend.get('papers', [
    ['t', 's', '2'],
    ['u', 's', '1'],
    ['t', 's', '9'],
  ]);
  const scan: ScanQuery = {
    collection: 'papers',
    index: 'by_year',
    equal: ['t'],
    descending: true,
  };
  const after = { values: ['t', 1], key: ['t', 's', '2'] };
  for (const query of [scan, { ...scan, range: { from: 1 } }, { ...scan, after }])
    for await (const record of backend.scan(query)) expect(record.key[0]).toBe('t');
  await backend.tally({ ...scan, groupBy: ['author'], sums: ['year'] });
  await backend.search({ collection: 'papers', equal: ['t'], words: ['title', '2'], limit: 5 });
  await backend.search({ collection: 'papers', equal: ['t', 's'], words: ['title'], limit: 5 });
  await backend.close();

  expect(sent.length).toBeGreaterThan(30);
  for (const { sql, values } of sent) {
    expect([sql, ['t', 'u']]).toEqual([sql, expect.arrayContaining([values[0]]) as unknown]);
    // What is read, changed or taken away is of that tenant; what is made is put into its rows.
    const isNamed = /"tenant" = \$1|\(tenant, id, at\) VALUES \(\$1|tenant = \$1/.test(sql);
    const isMade = /INSERT INTO \S+ \("tenant", .*?(SELECT \$1::text|VALUES \(\$1)/s.test(sql);
    expect([sql, isNamed || isMade]).toEqual([sql, true]);
  }
});
