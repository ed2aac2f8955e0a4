import { join } from 'node:path';
import { defaultImportancePolicy, explainImportance, tierBorder, tierOf, tiers } from '@ctx/core';
import { openStore, storeCollections } from '@ctx/store';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadDriver } from './driver/driver.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { sqliteBackend } from './sqlite-backend.ts';
import { temporaryFolder } from './test-support/places.ts';

const policy = defaultImportancePolicy;
const hourMs = 3_600_000;
const start = Date.UTC(2026, 0, 1);

/** Reads the view as a person does who opens the file at another time. */
async function viewAt(path: string, now: number, agentId: string) {
  const database = (await loadDriver())(path);
  try {
    const made = database
      .prepare(`SELECT sql FROM sqlite_schema WHERE name = 'context_items'`)
      .get();
    const select = String(made?.['sql']).replace(/^CREATE VIEW "?context_items"? AS /, '');
    const moment = `'${new Date(now).toISOString().replace('T', ' ').replace('Z', '')}'`;
    const asked = select.replaceAll(`'now'`, moment);
    expect(asked).not.toBe(select);
    const sql = `SELECT id, tier, importance_score FROM (${asked}) WHERE agent_id = ? ORDER BY id`;
    return database
      .prepare(sql)
      .all(agentId)
      .map((row) => ({
        id: String(row['id']),
        tier: String(row['tier']).toLowerCase(),
        importance: Number(row['importance_score']),
      }));
  } finally {
    database.close();
  }
}

interface Life {
  readonly kind: string;
  readonly savedAt: number;
  readonly reads: readonly number[];
  readonly importance: number | undefined;
  readonly end: 'finish' | 'pin' | 'none';
}

const decades = fc.integer({ min: start, max: Date.UTC(2080, 0, 1) });

const life: fc.Arbitrary<Life> = fc.record({
  kind: fc.constantFrom('TASK', 'CODE', 'ERROR', 'TEST_RESULT', 'PRD_SECTION', 'constructor'),
  savedAt: decades,
  reads: fc.array(fc.integer({ min: 0, max: 60 * hourMs }), { maxLength: 3 }),
  importance: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  end: fc.constantFrom('finish', 'pin', 'none', 'none', 'none'),
});

/** Moments that lie on the borders of tiers, beside them, and anywhere. */
function momentsOf(next: number | undefined, random: number): number[] {
  return next === undefined ? [random] : [next - 1, next, next + 1, random];
}

test('tier by query, by formula and by SQL view are one, at the borders and decades ahead', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  let now = start;
  let run = 0;
  const store = await openSqliteStore({
    path,
    clock: () => now,
    importance: { pauseMs: Number.POSITIVE_INFINITY },
  });
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), decades, async (lives, at) => {
      run += 1;
      const agentId = `agent ${run}`;
      for (const { kind, savedAt, reads, importance, end } of lives) {
        now = savedAt;
        const given = importance === undefined ? {} : { importance };
        const saved = await store.items.save({ agentId, kind, content: 'x', ...given });
        for (const later of reads) {
          now += later;
          await store.items.get(agentId, saved.item.id);
        }
        if (end !== 'none') await store.items[end](agentId, saved.item.id);
      }
      const all = (await store.items.list(agentId)).entries;
      const borders = all.map((item) => explainImportance(item, policy, item.lastAccessedAt).next);
      const moments = borders.flatMap((next) => momentsOf(next?.at, at));
      for (const moment of moments) {
        now = moment;
        const shown = await viewAt(path, now, agentId);
        expect(shown).toHaveLength(all.length);
        for (const tier of tiers) {
          const { entries } = await store.items.inTier(agentId, tier);
          const byFormula = all.filter(({ rank }) => tierOf(rank, now, policy) === tier);
          const byView = shown.filter((row) => row.tier === tier);
          expect(entries.map(({ id }) => id).sort()).toEqual(byFormula.map(({ id }) => id).sort());
          expect(byView.map(({ id }) => id)).toEqual(byFormula.map(({ id }) => id).sort());
        }
        for (const { id, importance } of shown) {
          const item = all.find((one) => one.id === id);
          const parts = item && explainImportance(item, policy, now);
          expect(importance).toBeCloseTo(parts?.importance ?? Number.NaN, 9);
        }
      }
    }),
    { numRuns: 40 },
  );
  await store.close();
});

test('the view reads the clock to the ms', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const store = await openSqliteStore({ path });
  await store.close();
  const database = (await loadDriver())(path);
  const sql = `SELECT CAST(round((julianday(?) - 2440587.5) * 86400000.0) AS INTEGER) AS ms`;
  const clock = database.prepare(sql);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) }), (at) => {
      const text = new Date(at).toISOString().replace('T', ' ').replace('Z', '');
      expect(clock.get(text)?.['ms']).toBe(at);
    }),
  );
  database.close();
});

test('hot and warm borders of the view carry every digit of the policy', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  await (await openSqliteStore({ path })).close();
  const database = (await loadDriver())(path);
  const made = database.prepare(`SELECT sql FROM sqlite_schema WHERE name = 'context_items'`).get();
  const sql = String(made?.['sql']);
  database.close();
  for (const [tier, from] of [['hot', 0.795] as const, ['warm', 0.395] as const]) {
    const border = Math.log(from);
    expect(sql).toContain(`rank >= (${border} + `);
    expect(tierBorder(tier, 1_577_836_800_000, policy)).toBe(border);
  }
});

test('items of a store from before weights, sources and kinds by rank stay as they were', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const later = ['updated_at', 'ranked_at', 'finished_at', 'weight', 'source', 'trust'];
  const before = storeCollections.map((definition) => {
    if (definition.name !== 'items') return definition;
    const columns = Object.entries(definition.columns).filter(
      ([name]) => ![...later, 'session_id'].includes(name),
    );
    const indexes = definition.indexes.filter(({ name }) => name === 'by_rank');
    return { ...definition, columns: Object.fromEntries(columns), indexes };
  });
  const old = sqliteBackend({ path });
  await old.open(before);
  const put = (id: string, rank: number) => ({
    type: 'put' as const,
    collection: 'items',
    key: ['default', 'a', id],
    columns: {
      kind: 'CODE',
      rank,
      access_count: 0,
      created_at: start,
      last_accessed_at: start,
      pinned: 0,
      archived: 0,
      fingerprint: id,
      tokens: 5,
    },
    body: JSON.stringify({ content: `red ${id}` }),
    words: { content: 'red' },
  });
  const fresh = Math.log(0.8) + (start - 1_577_836_800_000) / policy.decayMs;
  await old.write([put('one', fresh), put('two', fresh - 1)]);
  await old.close();
  const store = await openStore(sqliteBackend({ path }), { clock: () => start });
  const { entries } = await store.items.list('a', { kind: 'CODE' });
  expect(entries.map(({ id }) => id)).toEqual(['one', 'two']);
  expect(entries[0]).toMatchObject({ source: 'unknown', trust: 'untrusted', updatedAt: start });
  expect(entries[0]).not.toHaveProperty('weight');
  expect((await store.items.stats('a')).tiers).toMatchObject([
    { items: 1, tokens: 5 },
    { items: 0 },
    { items: 1, tokens: 5 },
  ]);
  expect((await store.items.search('a', { text: 'red' })).hits).toHaveLength(2);
  await store.items.touch('a', 'two');
  expect((await store.items.get('a', 'two'))?.accessCount).toBe(3);
  await store.close();
  expect(await viewAt(path, start, 'a')).toMatchObject([{ tier: 'hot' }, { tier: 'hot' }]);
});
