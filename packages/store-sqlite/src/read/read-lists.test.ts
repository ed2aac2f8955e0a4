import { join } from 'node:path';
import { storeCollections } from '@ctx/store';
import { expect, test } from 'vitest';
import { loadDriver } from '../driver/driver.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import { sqliteBackend } from '../sqlite-backend.ts';
import { temporaryFolder } from '../test-support/places.ts';

const now = Date.UTC(2026, 0, 1);

async function storeOf(count: number) {
  const path = join(temporaryFolder(), 'ctx.db');
  const clock = { now };
  const store = await openSqliteStore({ path, clock: () => clock.now });
  const input = (at: number) => ({
    agentId: 'agent',
    id: `item ${String(at)}`,
    kind: at % 2 === 0 ? 'TASK' : 'PRD_SECTION',
    content: `content ${String(at)}`,
    ...(at % 3 === 0 ? { importance: 1 / (at + 2) } : {}),
  });
  await store.items.saveMany(Array.from({ length: count }, (_, at) => input(at)));
  return { path, store, clock };
}

test('what another process writes while lists are read is in none of them or in all', async () => {
  const { path, store } = await storeOf(7000);
  await store.close();
  const backend = sqliteBackend({ path });
  await backend.open(storeCollections);
  const other = (await loadDriver())(path);
  const query = { collection: 'items', index: 'by_rank', equal: ['default', 'agent', 0] };
  const reading = backend.scan(query).lists?.(['kind', 'tokens'], 100);
  // The first turn of the loop that the reading leaves to others.
  await new Promise((resolve) => setImmediate(resolve));
  other.exec(`UPDATE items SET kind = 'CHANGED', tokens = tokens + 1`);
  const parts = (await reading) ?? [];
  const kinds = parts.map(({ lists }) => lists['kind']?.includes('CHANGED'));
  expect(parts).toHaveLength(70);
  expect(new Set(kinds).size).toBe(1);
  other.close();
  await backend.close();
});

test('a checkpoint over many parts holds each item as it was', async () => {
  const { store, clock } = await storeOf(1000);
  await store.items.touch('agent', 'item 500');
  await store.items.finish('agent', 'item 501');
  clock.now += 30 * 3_600_000;
  const { items } = await store.checkpoints.read({ agentId: 'agent' });
  const all = new Map(items.list().map(({ item }) => [item.id, item]));
  for (let at = 0; at < 1000; at += 1) {
    const { content: _content, ...item } = (await store.items.get('agent', `item ${String(at)}`, {
      peek: true,
    })) ?? { content: '' };
    expect(all.get(`item ${String(at)}`)).toEqual(item);
  }
  const receipt = await store.checkpoints.flashSave({ agentId: 'agent' });
  expect(receipt.itemsArchived).toBeGreaterThan(300);
  const manifest = await store.checkpoints.manifest(receipt.checkpointId ?? '');
  const archived = manifest.filter((item) => item.archived);
  expect(archived).toHaveLength(receipt.itemsArchived);
  expect(archived.every(({ tier, rankedAt }) => tier === 'cold' && rankedAt === clock.now)).toBe(
    true,
  );
  expect(manifest.map(({ rank }) => rank)).toEqual(items.ranks);
  await store.close();
});

test('a checkpoint is read with one row for each item and two for each part: the ranks come from the index', async () => {
  const { path, store } = await storeOf(1000);
  await store.close();
  const driver = await loadDriver();
  let rows = 0;
  const counted = await openSqliteStore({
    path,
    clock: () => now,
    driver: (file) => {
      const database = driver(file);
      return {
        exec: (sql) => database.exec(sql),
        close: () => database.close(),
        prepare: (sql) => {
          const statement = database.prepare(sql);
          const taken = <T>(found: T, count: number): T => ((rows += count), found);
          return {
            run: (...values) => statement.run(...values),
            get: (...values) => taken(statement.get(...values), 1),
            all: (...values) => {
              const found = statement.all(...values);
              return taken(found, found.length);
            },
            iterate: (...values) => statement.iterate(...values),
            setReturnArrays: (isOn) => statement.setReturnArrays?.(isOn),
          };
        },
      };
    },
  });
  rows = 0;
  const { items } = await counted.checkpoints.read({ agentId: 'agent' });
  expect(items.count).toBe(1000);
  // Each item's own rating is read beside: a third of them has one.
  expect(rows).toBeLessThan(2 * 1000 + 2 * items.parts.length + 20);
  await counted.close();
});

test('bytes that somebody else has put into a column are named as damage', async () => {
  const { path, store } = await storeOf(3);
  const database = (await loadDriver())(path);
  database.exec(`UPDATE items SET source = x'00ff' WHERE item_id = 'item 1'`);
  database.close();
  await expect(store.checkpoints.read({ agentId: 'agent' })).rejects.toMatchObject({
    code: 'CTX_STORE_CORRUPT',
  });
  expect((await store.items.stats('agent')).items).toBe(3);
  await store.close();
});

test('a store that cannot be written tells what a flash save would do', async () => {
  const { path, store } = await storeOf(10);
  await store.close();
  const later = now + 30 * 3_600_000;
  const readOnly = await openSqliteStore({ path, readOnly: true, clock: () => later });
  const state = await readOnly.checkpoints.read({ agentId: 'agent' });
  const plan = await readOnly.checkpoints.planFlashSave({ agentId: 'agent' });
  expect(state.items.count).toBe(10);
  expect(plan.archive + plan.warm + plan.retained.length).toBe(10);
  await readOnly.close();
});
