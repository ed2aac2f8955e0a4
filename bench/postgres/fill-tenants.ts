import { storeCollections } from '@ctx/store';
import { postgresBackend } from '@ctx/store-postgres';
import type { Pool } from 'pg';
import { benchAgent, itemOperation } from '../items/fill-items.ts';

/** Where the items are. */
export interface FillPlace {
  readonly url: string;
  readonly pool: Pool;
  readonly schema: string;
}

/** So many tenants are copied by one statement. */
const tenantsAtOnce = 50;

/** The name of a tenant, by its number from 0. */
export function tenantName(tenant: number): string {
  return `tenant-${String(tenant)}`;
}

/** The token under which a store finds a part of its keys, as SQL: see `scopeToken` of the store. */
export function scopeSql(list: string): string {
  return `'k:' || left(encode(sha256(convert_to(${list}, 'UTF8')), 'hex'), 22)`;
}

/** Columns of the items, but the tenant and the words, which name the tenant. */
async function copiedColumns({ pool, schema }: FillPlace): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = $1 AND table_name = 'items' AND column_name NOT IN ('tenant', '_words') ORDER BY ordinal_position`,
    [schema],
  );
  return rows.map(({ name }) => `"${name}"`).join(', ');
}

/** The items of the first tenant go through the store. */
async function makeFirst({ url, schema }: FillPlace, items: number, now: number): Promise<void> {
  const backend = postgresBackend({ url, schema });
  await backend.open(storeCollections);
  const operations = Array.from({ length: items }, (_, at) => {
    const operation = itemOperation(at, now);
    const [, ...rest] = operation.key;
    return { ...operation, key: [tenantName(0), ...rest] };
  });
  await backend.write(operations);
  await backend.close();
}

/** What is filled, and how far. */
export interface Filling {
  readonly tenants: number;
  readonly itemsInTenant: number;
  readonly now: number;
}

/**
 * Fills the store with tenants of so many items each, up to a number of tenants; those that are there stay. The first is written by
 * the store itself, the others are copied from it by the server, row by row into the same tables and indexes.
 * Gives how long that took, s.
 */
export async function fillTenants(place: FillPlace, filling: Filling): Promise<number> {
  const { pool, schema } = place;
  const { tenants, itemsInTenant, now } = filling;
  const start = performance.now();
  await makeFirst(place, itemsInTenant, now);
  const { rows } = await pool.query<{ n: string }>(
    `SELECT count(*) AS n FROM "${schema}".items WHERE item_id = 'item-0'`,
  );
  const columns = await copiedColumns(place);
  const words = `ARRAY[${scopeSql(`'["tenant-' || n || '"]'`)}, ${scopeSql(`'["tenant-' || n || '","${benchAgent}"]'`)}] || _words[3:]`;
  for (let from = Number(rows[0]?.n ?? 1); from < tenants; from += tenantsAtOnce) {
    const to = Math.min(tenants, from + tenantsAtOnce) - 1;
    await pool.query(
      `INSERT INTO "${schema}".items (tenant, _words, ${columns})
       SELECT 'tenant-' || n, ${words}, ${columns} FROM generate_series(${String(from)}, ${String(to)}) AS n, "${schema}".items WHERE tenant = 'tenant-0'`,
    );
    await pool.query(
      `INSERT INTO "${schema}".plain_items (tenant, agent_id, item_id, kind, rank, tokens, body)
       SELECT 'tenant-' || n, agent_id, item_id, kind, rank, tokens, _body FROM generate_series(${String(from)}, ${String(to)}) AS n, "${schema}".items WHERE tenant = 'tenant-0'`,
    );
  }
  await pool.query(`VACUUM (ANALYZE) "${schema}".items`);
  await pool.query(`VACUUM (ANALYZE) "${schema}".plain_items`);
  return (performance.now() - start) / 1000;
}

/** The plain table, which a program would have that has no ctx: a key, one index for the tiers, what a prompt needs. */
export async function makePlainTable({ pool, schema }: FillPlace): Promise<void> {
  await pool.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
  await pool.query(
    `CREATE TABLE IF NOT EXISTS "${schema}".plain_items (tenant text COLLATE "C", agent_id text COLLATE "C", item_id text COLLATE "C", kind text, rank double precision, tokens bigint, body text, PRIMARY KEY (tenant, agent_id, item_id))`,
  );
  await pool.query(
    `CREATE INDEX IF NOT EXISTS plain_items_rank ON "${schema}".plain_items (tenant, agent_id, rank)`,
  );
}

/** What the items take on the server, bytes: the rows, and each index. */
export async function sizesOf({ pool, schema }: FillPlace): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string; bytes: string }>(
    `SELECT 'rows' AS name, pg_table_size('"${schema}".items') AS bytes
     UNION ALL SELECT indexrelname, pg_relation_size(indexrelid) FROM pg_stat_user_indexes WHERE schemaname = $1 AND relname = 'items'`,
    [schema],
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}
