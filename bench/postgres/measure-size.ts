import {
  type ContextStore,
  defaultImportancePolicy,
  openStore,
  rankAt,
  type StoreBackend,
  storeCollections,
} from '@ctx/core';
import { postgresBackend } from '@ctx/store-postgres';
import type { Pool } from 'pg';
import { benchAgent, itemOperation, kindOf } from '../items/fill-items.ts';
import { type Timing, timeInTurn } from '../stores/timing.ts';

/** A call of ctx beside plain SQL through the same driver, on the same server. */
export interface Compared {
  readonly ctx: Timing;
  readonly raw: Timing;
}

/** What is measured at one size. */
export interface SizeReport {
  readonly items: number;
  readonly tenants: number;
  readonly fillSeconds: number;
  readonly timings: Readonly<Record<string, Compared>>;
}

export interface MeasureSize {
  readonly url: string;
  readonly pool: Pool;
  readonly items: number;
  readonly tenants: number;
  readonly times: number;
}

const now = Date.UTC(2026, 5, 1);
const batch = 2000;

const tenantOf = (index: number, tenants: number): string => `tenant-${String(index % tenants)}`;

async function fill({ url, items, tenants }: MeasureSize, schema: string): Promise<number> {
  const backend = postgresBackend({ url, schema });
  await backend.open(storeCollections);
  const start = performance.now();
  for (let first = 0; first < items; first += batch) {
    const count = Math.min(batch, items - first);
    const operations = Array.from({ length: count }, (_, at) => {
      const operation = itemOperation(first + at, now);
      const [, ...rest] = operation.key;
      return { ...operation, key: [tenantOf(first + at, tenants), ...rest] };
    });
    await backend.write(operations);
  }
  await backend.close();
  return (performance.now() - start) / 1000;
}

/** The least SQL for a page of HOT items, a peek and a save; the save goes into a table with the same columns that matter. */
function plainSql(pool: Pool, schema: string) {
  const hotFrom = Math.log(defaultImportancePolicy.hotFrom);
  const hot = `SELECT item_id, kind, rank, tokens, _body FROM "${schema}".items
    WHERE tenant = $1 AND agent_id = $2 AND archived = 0 AND rank >= $3 ORDER BY rank DESC, item_id DESC LIMIT 101`;
  const border = hotFrom + rankAt(1, now, defaultImportancePolicy);
  return {
    hot: (tenant: string) => pool.query(hot, [tenant, benchAgent, border]),
    get: (tenant: string, id: string) =>
      pool.query(
        `SELECT * FROM "${schema}".items WHERE tenant = $1 AND agent_id = $2 AND item_id = $3`,
        [tenant, benchAgent, id],
      ),
    save: (tenant: string, id: string, content: string) =>
      pool.query(
        `INSERT INTO "${schema}".plain_items (tenant, agent_id, item_id, kind, rank, tokens, body) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [tenant, benchAgent, id, 'CODE', 1, 10, content],
      ),
  };
}

async function makePlainTable(pool: Pool, schema: string): Promise<void> {
  await pool.query(
    `CREATE TABLE "${schema}".plain_items (tenant text, agent_id text, item_id text, kind text, rank double precision, tokens bigint, body text, PRIMARY KEY (tenant, agent_id, item_id))`,
  );
  await pool.query(`CREATE INDEX ON "${schema}".plain_items (tenant, agent_id, rank)`);
  await pool.query(`ANALYZE "${schema}".items`);
}

/** Stores of the first tenants on one backend. */
function openStores(backend: StoreBackend, tenants: number): Promise<ContextStore[]> {
  const shared = { ...backend, open: () => Promise.resolve(), close: () => Promise.resolve() };
  const names = Array.from({ length: Math.min(tenants, 20) }, (_, at) => tenantOf(at, tenants));
  return Promise.all(names.map((tenant) => openStore(shared, { tenant, clock: () => now })));
}

/** Measures at one size, in a schema of its own that is dropped again. */
export async function measureSize(given: MeasureSize): Promise<SizeReport> {
  const { url, pool, items, tenants, times } = given;
  const schema = `bench_${String(items)}`;
  await pool.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  const fillSeconds = await fill(given, schema);
  await makePlainTable(pool, schema);
  const plain = plainSql(pool, schema);
  const indexOf = (index: number): number => (index * 7919) % items;
  const backend = postgresBackend({ url, schema });
  await backend.open(storeCollections);
  const stores = await openStores(backend, tenants);
  const storeOf = (index: number) => {
    const store = stores[index % stores.length];
    if (store === undefined) throw new Error('there is no store');
    return store;
  };
  const tenantAt = (index: number): string => tenantOf(index % stores.length, tenants);
  const idAt = (index: number): string => {
    const some = indexOf(index);
    return `item-${String(some - (some % tenants) + (index % stores.length))}`;
  };
  const content = (index: number): string => `const answer${String(index)} = compute(input);`;
  const twins = {
    'HOT page, 100': {
      ctx: (index: number) => storeOf(index).items.inTier(benchAgent, 'hot', { limit: 100 }),
      raw: (index: number) => plain.hot(tenantAt(index)),
    },
    'get, a peek': {
      ctx: (index: number) => storeOf(index).items.get(benchAgent, idAt(index), { peek: true }),
      raw: (index: number) => plain.get(tenantAt(index), idAt(index)),
    },
    'save, durable': {
      ctx: (index: number) =>
        storeOf(index).items.save({
          agentId: benchAgent,
          kind: kindOf(index),
          content: content(index),
        }),
      raw: (index: number) => plain.save(tenantAt(index), `raw-${String(index)}`, content(index)),
    },
  };
  const timings: Record<string, Compared> = {};
  for (const [name, twin] of Object.entries(twins)) timings[name] = await timeInTurn(times, twin);
  await backend.close();
  await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
  return { items, tenants, fillSeconds, timings };
}
