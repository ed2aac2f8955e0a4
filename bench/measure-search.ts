/**
 * How long a search of one agent's items takes beside raw FTS5 on the same words, by the ratio of their medians: for a word of one item, of
 * a hundredth of them, and of all. `npm run bench -- search [items…]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchWords } from '@ctx/relevance';
import { storeCollections } from '@ctx/store';
import { sqliteBackend } from '@ctx/store-sqlite';
import { DatabaseSync } from '@photostructure/sqlite';

const rounds = 15;
const batch = 1_000;
const columns = {
  kind: 'TASK',
  rank: 0,
  access_count: 0,
  created_at: 0,
  last_accessed_at: 0,
  pinned: 0,
  archived: 0,
  fingerprint: '',
  tokens: 1,
};

function wordsOf(at: number): string {
  const rare = at === 7 ? 'needle' : '';
  const some = at % 100 === 0 ? 'seldom' : '';
  return searchWords(
    `common word${at % 50} part${at % 997} ${rare} ${some} ${'filler '.repeat(at % 37)}`,
  ).join(' ');
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function rawTable(path: string, items: number) {
  const database = new DatabaseSync(path);
  database.exec(`CREATE VIRTUAL TABLE words USING fts5(content, content='', tokenize='ascii')`);
  const insert = database.prepare('INSERT INTO words (rowid, content) VALUES (?, ?)');
  database.exec('BEGIN');
  for (let at = 0; at < items; at += 1) insert.run(at + 1, wordsOf(at));
  database.exec('COMMIT');
  const select = database.prepare(
    'SELECT rowid, bm25(words) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT 20',
  );
  return {
    search: (word: string): number => select.all(`"${word}"`).length,
    close: (): void => {
      database.close();
    },
  };
}

async function fill(path: string, items: number) {
  const backend = sqliteBackend({ path });
  await backend.open(storeCollections);
  for (let from = 0; from < items; from += batch) {
    const puts = Array.from({ length: Math.min(batch, items - from) }, (_, step) => {
      const key = ['default', 'agent', `i${String(from + step)}`];
      const words = { content: wordsOf(from + step) };
      return { type: 'put', collection: 'items', key, columns, body: '{}', words } as const;
    });
    await backend.write(puts);
  }
  return backend;
}

for (const items of (process.argv.length > 2
  ? process.argv.slice(2)
  : ['10000', '100000', '300000']
).map(Number)) {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-search-'));
  const backend = await fill(join(folder, 'ctx.db'), items);
  const raw = rawTable(join(folder, 'raw.db'), items);
  for (const given of ['needle', 'seldom', 'common']) {
    const [word = ''] = searchWords(given);
    const query = { collection: 'items', equal: ['default', 'agent'], words: [word], limit: 20 };
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await timeOf(() => backend.search(query)));
      theirs.push(await timeOf(() => raw.search(word)));
    }
    const [mine, bare] = [median(ours), median(theirs)];
    process.stdout.write(
      `${items} items, ${given}: ${mine.toFixed(2)} ms, raw ${bare.toFixed(2)} ms, ${(mine / bare).toFixed(2)} ×\n`,
    );
  }
  raw.close();
  await backend.close();
  rmSync(folder, { recursive: true });
}
