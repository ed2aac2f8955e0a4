import { join } from 'node:path';
import { openStore } from '@ctx/store';
import { sqliteBackend } from '@ctx/store-sqlite';
import { DatabaseSync } from '@photostructure/sqlite';
import { fillItems } from '../items/fill-items.ts';
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

/** Fills a SQLite store with `items` and times the queries that every turn makes. */
export async function measureTiers(folder: string, items: number): Promise<TierTimings> {
  const path = join(folder, 'tiers.db');
  const now = Date.UTC(2026, 5, 1);
  const insertSeconds = await fillItems(path, items, now);
  const store = await openStore(sqliteBackend({ path }), { clock: () => now });
  const { tiers } = await store.items.stats('agent');
  const hot = tiers.find(({ tier }) => tier === 'hot')?.items ?? 0;
  if (hot === 0) throw new Error('no item is hot: give --items 1000 or more');
  const wanted = Math.min(100, hot);
  const hot100 = await timeEach(500, async () => {
    const page = await store.items.inTier('agent', 'hot', { limit: 100 });
    if (page.entries.length !== wanted) throw new Error('a page of hot items is not whole');
  });
  const tally = await timeEach(100, async () => {
    const stats = await store.items.stats('agent');
    if (stats.items !== items) throw new Error('a tally is off');
  });
  await store.close();
  return {
    items,
    insertSeconds,
    hot100,
    rawHot100: await timeRaw(path, Math.min(101, hot)),
    tally,
  };
}

/** Reads so many rows as the store does, one more than the page where there are more. */
async function timeRaw(path: string, limit: number): Promise<Timing> {
  const database = new DatabaseSync(path);
  const query = database.prepare(
    `SELECT * FROM items WHERE tenant = 'default' AND agent_id = 'agent' AND archived = 0
     AND rank >= 0 ORDER BY rank DESC LIMIT ${String(limit)}`,
  );
  const timing = await timeEach(500, () => {
    const rows: readonly unknown[] = query.all();
    for (const row of rows) {
      if (typeof row === 'object' && row !== null && '_body' in row) JSON.parse(String(row._body));
    }
  });
  database.close();
  return timing;
}
