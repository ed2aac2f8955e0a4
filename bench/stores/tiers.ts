import { join } from 'node:path';
import {
  defaultImportancePolicy,
  openStore,
  rankOf,
  storeCollections,
  type WriteOperation,
} from '@ctx/core';
import { sqliteBackend } from '@ctx/store-sqlite';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Timing, timeEach } from './timing.ts';

/** What tier queries over many items cost. */
export interface TierTimings {
  readonly items: number;
  readonly insertSeconds: number;
  readonly hot100: Timing;
  /** The same query on the same file with the driver alone. */
  readonly rawHot100: Timing;
  readonly tally: Timing;
}

const batch = 2000;
const dayMs = 86_400_000;
const kinds = ['TASK', 'CODE', 'ERROR', 'TEST_RESULT', 'PRD_SECTION'];

/** Items of one agent, spread over thirty days; a fixed generator, so that every run has the same. */
function operation(index: number, now: number): WriteOperation {
  const spread = ((index * 2_654_435_761) % 1_000_003) / 1_000_003;
  const createdAt = Math.floor(now - spread * 30 * dayMs);
  const kind = kinds[index % kinds.length] ?? 'CODE';
  const ages = { createdAt, lastAccessedAt: createdAt, accessCount: index % 7 };
  const rank = rankOf({ kind, pinned: false, ...ages }, defaultImportancePolicy);
  return {
    type: 'put',
    collection: 'items',
    key: ['default', 'agent', `item-${String(index)}`],
    columns: {
      kind,
      rank,
      access_count: ages.accessCount,
      created_at: createdAt,
      last_accessed_at: createdAt,
      pinned: 0,
      archived: 0,
      fingerprint: String(index),
      tokens: 100,
    },
    body: JSON.stringify({ content: `content of item ${String(index)}` }),
  };
}

/** Fills a SQLite store with `items` and times the queries that every turn makes. */
export async function measureTiers(folder: string, items: number): Promise<TierTimings> {
  const path = join(folder, 'tiers.db');
  const now = Date.UTC(2026, 5, 1);
  const backend = sqliteBackend({ path });
  await backend.open(storeCollections);
  const start = performance.now();
  for (let first = 0; first < items; first += batch) {
    const count = Math.min(batch, items - first);
    await backend.write(Array.from({ length: count }, (_, index) => operation(first + index, now)));
  }
  const insertSeconds = (performance.now() - start) / 1000;
  await backend.close();
  const store = await openStore(sqliteBackend({ path }), { clock: () => now });
  const hot100 = await timeEach(500, async () => {
    const page = await store.items.inTier('agent', 'hot', { limit: 100 });
    if (page.entries.length !== 100) throw new Error('there are fewer than 100 hot items');
  });
  const tally = await timeEach(100, async () => {
    const stats = await store.items.stats('agent');
    if (stats.items !== items) throw new Error('a tally is off');
  });
  await store.close();
  return { items, insertSeconds, hot100, rawHot100: await timeRaw(path), tally };
}

async function timeRaw(path: string): Promise<Timing> {
  const database = new DatabaseSync(path);
  const query = database.prepare(
    `SELECT * FROM items WHERE tenant = 'default' AND agent_id = 'agent' AND archived = 0
     AND rank >= 0 ORDER BY rank DESC LIMIT 101`,
  );
  const timing = await timeEach(500, () => {
    const rows: readonly unknown[] = query.all();
    for (const row of rows) {
      if (typeof row === 'object' && row !== null && 'body' in row) JSON.parse(String(row.body));
    }
  });
  database.close();
  return timing;
}
