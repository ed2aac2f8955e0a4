import { randomBytes } from 'node:crypto';
import { defaultImportancePolicy, explainImportance, isCtxError } from '@ctx/core';
import { openStore, storeCollections } from '@ctx/store';
import type { StoreBackend, WriteOperation } from '@ctx/store/backend';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlDriver } from './driver/sql-driver.ts';
import { postgresBackend } from './postgres-backend.ts';
import { searchRecords } from './read/search-records.ts';
import { collectionTable } from './schema/collection-table.ts';
import { viewMoment, viewsOf } from './schema/views.ts';
import type { PostgresStoreOptions } from './store-place.ts';
import { type CountingDriver, countingDriver } from './test-support/counting-driver.ts';
import { papers } from './test-support/papers.ts';
import { makePglite, pgliteDriver } from './test-support/pglite-driver.ts';
import { forgetWrites, writeId } from './write/notes.ts';

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

interface Opened {
  readonly backend: StoreBackend;
  readonly driver: CountingDriver;
  readonly schema: string;
}

async function openPapers(options: PostgresStoreOptions = {}): Promise<Opened> {
  schemas += 1;
  const { schema = `own_${String(schemas)}` } = options;
  const driver = countingDriver(base);
  const backend = postgresBackend({ ...options, driver, schema });
  await backend.open([papers]);
  return { backend, driver, schema };
}

function put(id: string, more: Partial<WriteOperation> = {}): WriteOperation {
  const key = ['t', 's', id];
  return {
    ...{ type: 'put', collection: 'papers', key, columns: { year: 1 }, body: '{}' },
    ...more,
  } as WriteOperation;
}

test.each([
  ['a new record', put('new', { expectVersion: 0 })],
  ['any record', put('old')],
  ['a version', put('old', { expectVersion: 1 })],
  [
    'a patch',
    { type: 'patch', collection: 'papers', key: ['t', 's', 'old'], columns: { year: 5 } },
  ],
  ['a delete', { type: 'delete', collection: 'papers', key: ['t', 's', 'old'], expectVersion: 1 }],
] as const)('a write of one operation is one round trip: %s', async (_, operation) => {
  const { backend, driver, schema } = await openPapers();
  await backend.write([put('old')]);
  // The first write also looks for old notes.
  await backend.close();
  const again = await openPapers({ schema });
  again.driver.sent.length = 0;
  await again.backend.write([operation]);
  const [first, ...others] = again.driver.sent;
  expect(first).toMatch(/^WITH done AS/);
  expect(others.filter((sql) => !sql.startsWith('WITH gone AS'))).toEqual([]);
  const notes = await driver.query(`SELECT count(*) AS n FROM ${schema}."ctx$$writes"`);
  expect(notes).toEqual([{ n: 2 }]);
});

test('a write that has to outlive a power cut asks for it, whatever the server is set to', async () => {
  const { backend, driver } = await openPapers();
  await backend.write([put('a')], { durability: 'power' });
  const begun = driver.sent.filter((sql) => sql.startsWith('BEGIN; SET LOCAL synchronous_commit'));
  expect(begun).toEqual(['BEGIN; SET LOCAL synchronous_commit = on']);
  driver.sent.length = 0;
  await backend.write([put('a')]);
  expect(driver.sent.join()).not.toContain('synchronous_commit');
});

test('a write of one operation whose version does not hold changes nothing and says so', async () => {
  const { backend } = await openPapers();
  await backend.write([put('a')]);
  for (const operation of [put('a', { expectVersion: 0 }), put('a', { expectVersion: 7 })]) {
    const error: unknown = await backend.write([operation]).catch((thrown: unknown) => thrown);
    expect(isCtxError(error, 'CTX_STORE_CONFLICT')).toBe(true);
  }
  const [found] = await backend.get('papers', [['t', 's', 'a']]);
  expect(found?.version).toBe(1);
});

test('a store that is as it should be is opened with one query', async () => {
  const { schema } = await openPapers();
  const { driver } = await openPapers({ schema });
  expect(driver.sent).toHaveLength(1);
});

test('a store that is only read is neither made, changed nor written', async () => {
  const missing = openPapers({ readOnly: true });
  await expect(missing).rejects.toMatchObject({ code: 'CTX_STORE_READ_ONLY' });
  const { backend, schema } = await openPapers();
  await backend.write([put('a')]);
  const reading = await openPapers({ schema, readOnly: true });
  expect(await reading.backend.get('papers', [['t', 's', 'a']])).toHaveLength(1);
  const error: unknown = await reading.backend.write([put('b')]).catch((thrown: unknown) => thrown);
  expect(isCtxError(error, 'CTX_STORE_READ_ONLY')).toBe(true);
});

test('ids that are too long together are refused, and nothing of the write is done', async () => {
  const { backend } = await openPapers();
  const unpacked = Array.from({ length: 3 }, () =>
    [...randomBytes(510)].map((byte) => String.fromCodePoint(0x100 + byte)).join(''),
  );
  const tooLong = backend.write([put('first'), { ...put('x'), key: unpacked }]);
  await expect(tooLong).rejects.toMatchObject({
    code: 'CTX_TOO_LARGE',
    message: expect.stringContaining('ids of one record') as string,
  });
  await expect(backend.write([{ ...put('x'), key: unpacked }])).rejects.toMatchObject({
    code: 'CTX_TOO_LARGE',
  });
  expect(await backend.get('papers', [['t', 's', 'first']])).toEqual([undefined]);
});

test('old notes of writes go, those of the last hour stay', async () => {
  const { backend, driver, schema } = await openPapers();
  await backend.write([put('a')]);
  await backend.close();
  const table = `"${schema}"."ctx$$writes"`;
  const twoHoursAgo = Date.now() - 2 * 3_600_000;
  for (let count = 0; count < 50; count += 1)
    await driver.query(`INSERT INTO ${table} (tenant, id, at) VALUES ($1, $2, $3)`, [
      count % 2 === 0 ? 't' : 'other',
      writeId(twoHoursAgo),
      // One of them was made now, by a machine whose clock is late.
      count === 0 ? Date.now() : twoHoursAgo,
    ]);
  expect(await forgetWrites({ driver, schema: `"${schema}"` }, 't', Date.now())).toBe(24);
  const left = await driver.query(
    `SELECT tenant, count(*) AS n FROM ${table} GROUP BY tenant ORDER BY tenant`,
  );
  expect(left).toEqual([
    { tenant: 'other', n: 25 },
    { tenant: 't', n: 2 },
  ]);
});

test('context_items shows importance and tier as the formula has them, now and decades ahead', async () => {
  schemas += 1;
  const schema = `own_${String(schemas)}`;
  const saved = Date.UTC(2026, 0, 1);
  let now = saved;
  const backend = postgresBackend({ driver: countingDriver(base), schema });
  const store = await openStore(backend, {
    clock: () => now,
    importance: { pauseMs: Number.POSITIVE_INFINITY },
  });
  const kinds = ['TASK', 'CODE', 'ERROR', 'PRD_SECTION'];
  for (const [at, kind] of kinds.entries()) {
    now = saved + at * 3_600_000;
    const content = `${kind} \u0000`.slice(0, at === 0 ? undefined : -1);
    await store.items.save({ agentId: 'ada', kind, content, pinned: at === 3 });
  }
  const items = (await store.items.list('ada')).entries;
  const [view] = viewsOf(storeCollections, `"${schema}"`);
  const borders = items.flatMap((item) => {
    const next = explainImportance(item, defaultImportancePolicy, item.lastAccessedAt).next?.at;
    return next === undefined ? [] : [next - 1, next, next + 1];
  });
  for (const moment of [now, ...borders, Date.UTC(2080, 0, 1)]) {
    const asked = view?.select.replaceAll(viewMoment, `to_timestamp(${String(moment)} / 1000.0)`);
    const rows = await base.query(
      `SELECT id, tier, importance_score AS score FROM (${asked ?? ''}) AS shown ORDER BY id`,
    );
    const expected = items
      .map((item) => ({
        id: item.id,
        why: explainImportance(item, defaultImportancePolicy, moment),
      }))
      .sort((left, right) => (left.id < right.id ? -1 : 1));
    expect(rows.map(({ id, tier }) => [id, String(tier).toLowerCase()])).toEqual(
      expected.map(({ id, why }) => [id, why.tier]),
    );
    for (const [at, { why }] of expected.entries())
      expect(Number(rows[at]?.['score'])).toBeCloseTo(why.importance, 9);
  }
  const shown = await base.query(
    `SELECT content FROM "${schema}".context_items ORDER BY created_at`,
  );
  expect(shown.map((row) => row['content'])).toEqual([
    null,
    ...kinds.slice(1).map((kind) => `${kind} `),
  ]);
  expect(await base.query(`SELECT * FROM "${schema}".tool_outputs`)).toEqual([]);
  await store.close();
});

test("context_items counts in the agent's own time, as the store does", async () => {
  schemas += 1;
  const schema = `own_${String(schemas)}`;
  const hour = 3_600_000;
  const start = Date.now() - 100 * hour;
  let now = start;
  const backend = postgresBackend({ driver: countingDriver(base), schema });
  const store = await openStore(backend, { clock: () => now });
  for (const [at, kind] of ['TASK', 'CODE', 'ERROR', 'PRD_SECTION'].entries()) {
    now = start + at * 20 * hour;
    await store.items.save({ agentId: 'ada', kind, content: kind });
  }
  now = Date.now();
  const { entries } = await store.items.list('ada');
  const expected = entries.map((item) => {
    const { tier, importance } = store.items.explain(item);
    return [item.kind, tier.toUpperCase(), importance.toFixed(4)];
  });
  expect(expected.map(([, tier]) => tier)).toEqual(['HOT', 'WARM', 'WARM', 'WARM']);
  const rows = await base.query(
    `SELECT item_type, tier, importance_score AS score FROM "${schema}".context_items ORDER BY importance_score DESC`,
  );
  const shown = rows.map((row) => [row['item_type'], row['tier'], Number(row['score']).toFixed(4)]);
  expect(shown).toEqual(expected);
  await store.close();
});

test('a search in many records looks at few, and at all that hold a rare word', async () => {
  const { backend, schema } = await openPapers();
  const ids = Array.from({ length: 60 }, (_, at) => String(at + 10));
  const titleOf = (at: number): string =>
    `common ${at % 20 === 7 ? `rare ${'more '.repeat(at)}` : 'plain'}`.trimEnd();
  await backend.write(ids.map((id, at) => put(id, { words: { title: titleOf(at) } })));
  const query = { collection: 'papers', equal: ['t'], words: ['common', 'rare'], limit: 5 };
  const table = collectionTable(papers, `"${schema}"`);
  const all = await backend.search(query);
  const bounds = { candidates: 10, records: 1000 };
  const some = await searchRecords(base, table, { ...query, bounds });
  const idsOf = (hits: typeof all): unknown[] => hits.map(({ key }) => key[2]);
  expect(idsOf(all).slice(0, 3)).toEqual(['17', '37', '57']);
  expect(idsOf(some).slice(0, 3)).toEqual(['17', '37', '57']);
  expect(some).toHaveLength(5);
  const common = await searchRecords(base, table, { ...query, words: ['common'], bounds });
  expect(common).toHaveLength(5);
});

test('a search counts the records that it is among from an index alone', async () => {
  const { backend, driver, schema } = await openPapers();
  const words = { title: 'parser of lines' };
  const body = JSON.stringify({ text: 'long '.repeat(400) });
  const all = Array.from({ length: 500 }, (_, at) => put(`p${String(at)}`, { body, words }));
  await backend.write(all);
  await base.query(`VACUUM (ANALYZE) "${schema}".papers`, []);
  driver.sent.length = 0;
  const query = { collection: 'papers', equal: ['t'], words: ['parser'], limit: 1 };
  expect(await backend.search(query)).toHaveLength(1);
  const counting = driver.sent.find((sql) => sql.startsWith('SELECT count(*) AS n FROM'));
  const plan = await base.query(`EXPLAIN ${String(counting)}`, ['t']);
  expect(JSON.stringify(plan)).toContain('Index Only Scan');
});
