/**
 * How long `items.search` takes for one agent beside raw FTS5 on the same database file, by the ratio of the medians of their processor
 * time: for a word of one item, of a hundredth of them, of all, and for two words. Raw is one prepared statement per ranking, which gives
 * the 20 best rows with all columns of an item; their bodies are parsed. Words that no 20 items hold together are ranked apart, too.
 * `npm run bench -- search [--agents n] [items…]` spreads the items over so many agents (default 1).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { searchWords } from '@ctx/relevance';
import { openStore, storeCollections } from '@ctx/store';
import { sqliteBackend } from '@ctx/store-sqlite';
import { DatabaseSync } from '@photostructure/sqlite';

const { values, positionals } = parseArgs({
  options: { agents: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const agents = Number(values.agents);
/** At least so many rounds, and as many as fit into so long, ms. The first fifth warms up. */
const rounds = 15;
const timeMs = 2500;
const batch = 1_000;
const now = Date.UTC(2026, 5, 1);

function contentOf(at: number): string {
  const rare = at === 7 * agents ? 'needle' : '';
  const some = at % 100 === 0 ? 'seldom' : '';
  return `common word${at % 50} part${at % 997} ${rare} ${some} ${'filler '.repeat(at % 37)}`;
}

function putOf(at: number) {
  const content = contentOf(at);
  const createdAt = now - at * 1_000;
  return {
    type: 'put',
    collection: 'items',
    key: ['default', `agent-${String(at % agents)}`, `i${String(at)}`],
    columns: {
      kind: 'TASK',
      rank: createdAt + 0.5,
      access_count: 0,
      created_at: createdAt,
      last_accessed_at: createdAt,
      pinned: 0,
      archived: 0,
      fingerprint: at.toString(16).padStart(64, '0'),
      tokens: 100,
      updated_at: createdAt,
      ranked_at: createdAt,
      source: 'assistant',
      trust: 'derived',
    },
    body: JSON.stringify({ content }),
    words: { content: searchWords(content).join(' ') },
  } as const;
}

async function fill(path: string, items: number): Promise<void> {
  const backend = sqliteBackend({ path });
  await backend.open(storeCollections);
  for (let from = 0; from < items; from += batch) {
    const count = Math.min(batch, items - from);
    await backend.write(Array.from({ length: count }, (_, step) => putOf(from + step)));
  }
  await backend.close();
}

function rawSearch(path: string) {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA cache_size = -16000');
  const table = '"items$$words"';
  const best = `SELECT rowid AS hit, bm25(${table}, 0, 1) AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY score LIMIT 20`;
  const select = database.prepare(
    `SELECT items.*, score FROM (${best}) CROSS JOIN items ON _id = hit`,
  );
  select.setReturnArrays(true);
  const look = (words: readonly string[], how: string): number => {
    const rows = select.all(words.map((word) => `"${word}"`).join(how));
    for (const row of rows) JSON.parse(String(Object.values(row as object).at(-2)));
    return rows.length;
  };
  return {
    search: (words: readonly string[]): void => {
      if (look(words, ' AND ') < 20 && words.length > 1) look(words, ' OR ');
    },
    close: (): void => {
      database.close();
    },
  };
}

function median(times: readonly number[]): number {
  const sorted = times.slice(Math.floor(times.length / 5)).toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

async function timeOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

async function compare(name: string, ours: () => unknown, raw: () => unknown): Promise<void> {
  const [mine, bare]: [number[], number[]] = [[], []];
  const end = performance.now() + timeMs;
  while (mine.length < rounds || performance.now() < end) {
    mine.push(await timeOf(ours));
    bare.push(await timeOf(raw));
  }
  const [left, right] = [median(mine), median(bare)];
  const ratio = (left / right).toFixed(2);
  console.log(
    `${name.padEnd(28)} ${String(left)} µs, raw ${String(right)} µs, ${ratio} × (${String(mine.length)} runs)`,
  );
}

for (const items of (positionals.length > 0 ? positionals : ['10000', '100000', '300000']).map(
  Number,
)) {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-search-'));
  const path = join(folder, 'ctx.db');
  await fill(path, items);
  const store = await openStore(sqliteBackend({ path }));
  const raw = rawSearch(path);
  for (const text of ['needle', 'seldom', 'common', 'common word3', 'seldom needle']) {
    const words = searchWords(text);
    await compare(
      `${String(items)} items, ${text}`,
      () => store.items.search('agent-0', { text, peek: true }),
      () => {
        raw.search(words);
      },
    );
  }
  raw.close();
  await store.close();
  rmSync(folder, { recursive: true });
}
