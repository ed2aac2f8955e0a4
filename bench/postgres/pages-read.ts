import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';

/** Pages of a schema's tables and indexes that all statements since the server began have asked for, from memory or from the disk. */
async function pagesSoFar(pool: Pool, schema: string): Promise<number> {
  const { rows } = await pool.query<{ n: string }>(
    `SELECT (SELECT sum(coalesce(heap_blks_read, 0) + coalesce(heap_blks_hit, 0) + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0)
       + coalesce(toast_blks_read, 0) + coalesce(toast_blks_hit, 0) + coalesce(tidx_blks_read, 0) + coalesce(tidx_blks_hit, 0))
     FROM pg_statio_user_tables WHERE schemaname = $1) AS n`,
    [schema],
  );
  return Number(rows[0]?.n ?? 0);
}

/** Connections tell what they read when they end, and a moment later it can be seen. */
const tellingMs = 300;

/** Pages that work has asked for; its connections have to be closed when it resolves. */
export async function pagesOf(
  { pool, schema }: { readonly pool: Pool; readonly schema: string },
  work: () => Promise<void>,
): Promise<number> {
  const before = await pagesSoFar(pool, schema);
  await work();
  await wait(tellingMs);
  return (await pagesSoFar(pool, schema)) - before;
}

/** Bytes of the rows and of each index of a table, by record. */
export async function bytesEach(
  { pool, schema }: { readonly pool: Pool; readonly schema: string },
  table: string,
): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string; bytes: string; records: string }>(
    `SELECT name, bytes, (SELECT greatest(1, reltuples) FROM pg_class WHERE oid = '"${schema}".${table}'::regclass) AS records FROM (
       SELECT 'rows' AS name, pg_table_size('"${schema}".${table}') AS bytes
       UNION ALL SELECT indexrelname, pg_relation_size(indexrelid) FROM pg_stat_user_indexes WHERE schemaname = $1 AND relname = $2) AS sizes`,
    [schema, table],
  );
  return Object.fromEntries(
    rows.map(({ name, bytes, records }) => [name, Math.round(Number(bytes) / Number(records))]),
  );
}
