import { openStore, storeCollections } from '@ctx/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlDriver } from '../driver/sql-driver.ts';
import { postgresBackend } from '../postgres-backend.ts';
import { countingDriver } from '../test-support/counting-driver.ts';
import { makePglite, pgliteDriver } from '../test-support/pglite-driver.ts';

const schema = 'counted';
const many = 3000;
let base: SqlDriver;
let end: () => Promise<void>;

beforeAll(async () => {
  const database = await makePglite();
  base = pgliteDriver(database);
  end = () => database.close();
  await fill();
}, 60_000);
afterAll(async () => {
  await end();
});

/** Rows of 1 KB, written by hand; in two sessions of one tenant. */
async function fill(): Promise<void> {
  const backend = postgresBackend({ driver: base, schema });
  await backend.open(storeCollections);
  await backend.close();
  const body = `repeat(md5(n::text), 32)`;
  await base.script(
    `INSERT INTO ${schema}.outputs (tenant, session_id, output_id, created_at, sequence, bytes, tokens, fingerprint, _version, _body)
       SELECT 'default', 's' || n % 2, n::text, n, n, 3, 2, md5(n::text), 1, ${body} FROM generate_series(1, ${String(many)}) AS n;
     INSERT INTO ${schema}.events (tenant, session_id, sequence, type, at, tokens, _version, _body)
       SELECT 'default', 's', lpad((n - 1)::text, 16, '0'), 'message', n, 5, 1, ${body} FROM generate_series(1, ${String(many)}) AS n`,
  );
  for (const table of ['outputs', 'events']) {
    await base.script(`VACUUM (ANALYZE) ${schema}.${table}`);
  }
}

/** Pages of the table and of its indexes that a plan and all below it touch, and rows that it looked for in the table. */
function touchedBy(plan: object): { pages: number; heap: number; nodes: string[] } {
  const read = (name: string): unknown => new Map(Object.entries(plan)).get(name);
  const below = (read('Plans') ?? []) as object[];
  const found = below.map(touchedBy);
  return {
    pages: Number(read('Shared Hit Blocks') ?? 0) + Number(read('Shared Read Blocks') ?? 0),
    heap: found.reduce((sum, { heap }) => sum + heap, Number(read('Heap Fetches') ?? 0)),
    nodes: [String(read('Node Type')), ...found.flatMap(({ nodes }) => nodes)],
  };
}

async function pagesOf(sql: string, values: readonly string[]) {
  const [row] = await base.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, values);
  const [plan] = row?.['QUERY PLAN'] as { Plan: object }[];
  return touchedBy(plan?.Plan ?? {});
}

async function pagesOfTable(table: string): Promise<number> {
  const [row] = await base.query(`SELECT pg_relation_size('${schema}.${table}') / 8192 AS pages`);
  return Number(row?.['pages']);
}

test.for([
  ['all outputs of a tenant', 'outputs', many, ['default']],
  ['the outputs of a session', 'outputs', many / 2, ['default', 's1']],
  ['the events of a log', 'events', many, ['default', 's']],
] as const)(
  '%s are counted from an index, and no row is read',
  async ([, table, count, values]) => {
    const driver = countingDriver(base);
    const store = await openStore(postgresBackend({ driver, schema }));
    const [, session = ''] = values;
    const all = session === '' ? {} : { sessionId: session };
    const found =
      table === 'events' ? await store.events.tally(session) : await store.outputs.tally(all);
    const expected =
      table === 'events'
        ? { events: count, tokens: 5 * count }
        : { outputs: count, bytes: 3 * count, tokens: 2 * count };
    expect(found).toEqual(expected);
    const sql = driver.sent.find((sent) => sent.includes('sum(')) ?? '';
    await store.close();
    const { pages, heap, nodes } = await pagesOf(sql, values);
    expect(nodes).toContain('Index Only Scan');
    expect(heap).toBe(0);
    expect(pages).toBeLessThan((await pagesOfTable(table)) / 4);
  },
);
