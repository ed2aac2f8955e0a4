import { join } from 'node:path';
import { storeCollections } from '@ctx/store';
import { expect, test } from 'vitest';
import { loadDriver } from '../driver/driver.ts';
import type { SqliteRow } from '../driver/sqlite-driver.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import { sqliteBackend } from '../sqlite-backend.ts';
import { temporaryFolder } from '../test-support/places.ts';
import { papers } from '../test-support/records.ts';

const hourMs = 3_600_000;

/** What a person sees who opens the file with a SQLite shell. */
async function look(path: string, sql: string): Promise<SqliteRow[]> {
  const database = (await loadDriver())(path);
  const rows = database.prepare(sql).all();
  database.close();
  return rows.map((row) => ({ ...row }));
}

test('context_items shows each item with its importance and tier of this moment', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const now = Date.now();
  const importance = { pauseMs: Number.POSITIVE_INFINITY };
  for (const [agentId, ageMs, pinned] of [
    ['fresh', 0, false],
    ['day', 24 * hourMs, false],
    ['pin', 900 * hourMs, true],
  ] as const) {
    const store = await openSqliteStore({ path, importance, clock: () => now - ageMs });
    await store.items.save({ agentId, kind: 'TASK', content: `of ${agentId}`, pinned });
    await store.close();
  }
  const rows = await look(
    path,
    `SELECT agent_id, item_type, content, round(importance_score, 2) AS score, tier, access_count, created_at = last_accessed AS same
     FROM context_items ORDER BY agent_id`,
  );
  const shared = { item_type: 'TASK', access_count: 0, same: 1 };
  expect(rows).toEqual([
    { agent_id: 'day', content: 'of day', score: 0.37, tier: 'COLD', ...shared },
    { agent_id: 'fresh', content: 'of fresh', score: 1, tier: 'HOT', ...shared },
    { agent_id: 'pin', content: 'of pin', score: 1, tier: 'HOT', ...shared },
  ]);
});

test("context_items counts in the agent's own time, as the store does", async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const start = Date.now() - 100 * hourMs;
  const time = { now: start };
  const store = await openSqliteStore({ path, clock: () => time.now });
  for (const [at, kind] of ['TASK', 'CODE', 'ERROR', 'PRD_SECTION'].entries()) {
    time.now = start + at * 20 * hourMs;
    await store.items.save({ agentId: 'a', kind, content: kind });
  }
  await store.items.save({ agentId: 'b', kind: 'TASK', content: 'another agent' });
  time.now = Date.now();
  const items = (await store.items.list('a')).entries;
  const expected = items.map((item) => {
    const { tier, importance } = store.items.explain(item);
    return { item_type: item.kind, tier: tier.toUpperCase(), score: importance.toFixed(4) };
  });
  await store.close();
  expect(expected.map(({ tier }) => tier)).toEqual(['HOT', 'WARM', 'WARM', 'WARM']);
  const rows = await look(
    path,
    `SELECT item_type, tier, printf('%.4f', importance_score) AS score FROM context_items WHERE agent_id = 'a' ORDER BY importance_score DESC`,
  );
  expect(rows).toEqual(expected);
});

test('tool_outputs and sessions read well', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const backend = sqliteBackend({ path });
  await backend.open(storeCollections);
  await backend.close();
  const columns = async (name: string): Promise<unknown[]> =>
    (await look(path, `SELECT name FROM pragma_table_info('${name}')`)).map((row) => row['name']);
  expect(await columns('tool_outputs')).toEqual([
    ...['tenant', 'id', 'session_id', 'tool_name', 'description', 'path', 'query_id', 'task_id'],
    ...['created_at', 'bytes', 'tokens', 'lines', 'fingerprint', 'preview'],
  ]);
  expect(await columns('sessions')).toContain('updated_at');
});

test('a collection that is named as a view is goes before the view', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const first = sqliteBackend({ path });
  await first.open(storeCollections);
  await first.close();
  const second = sqliteBackend({ path });
  await second.open([...storeCollections, { ...papers, name: 'tool_outputs' }]);
  await second.close();
  expect(await look(path, `SELECT type FROM sqlite_schema WHERE name = 'tool_outputs'`)).toEqual([
    { type: 'table' },
  ]);
});

test('no view is made over a collection of other columns', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const backend = sqliteBackend({ path });
  await backend.open([{ ...papers, name: 'items' }]);
  await backend.close();
  expect(await look(path, `SELECT name FROM sqlite_schema WHERE type = 'view'`)).toEqual([]);
});
