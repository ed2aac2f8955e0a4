/**
 * How long a search of one agent's items takes beside raw FTS5 on the same words, by the ratio of their medians: for a word of one item, of
 * a hundredth of them, and of all. Once the search of the backend, beside the 20 best row ids; once `items.search`, beside the 20 best rows
 * with all columns of an item and its body parsed. `npm run bench -- search [--agents n] [items…]` spreads the items over so many agents (default 1).
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
/** At least so many rounds, and as many as fit into so long, ms. */
const rounds = 15;
const timeMs = 600;
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

function contentOf(at: number): string {
  const rare = at === 7 * agents ? 'needle' : '';
  const some = at % 100 === 0 ? 'seldom' : '';
  return `common word${at % 50} part${at % 997} ${rare} ${some} ${'filler '.repeat(at % 37)}`;
}

const keyOf = (at: number) =>
  ['default', `agent-${String(at % agents)}`, `i${String(at)}`] as const;
const bodyOf = (at: number): string => JSON.stringify({ content: contentOf(at) });
const wordsOf = (at: number): string => searchWords(contentOf(at)).join(' ');

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const parsed = (body: unknown): unknown => JSON.parse(String(body));

function rawTable(path: string, items: number) {
  const database = new DatabaseSync(path);
  database.exec(`CREATE VIRTUAL TABLE words USING fts5(content, content='', tokenize='ascii')`);
  const names = Object.keys(columns);
  database.exec(
    `CREATE TABLE items (id INTEGER PRIMARY KEY, tenant, agent, item, ${names.join(', ')}, body)`,
  );
  const insert = database.prepare('INSERT INTO words (rowid, content) VALUES (?, ?)');
  const places = names.map(() => '?').join(', ');
  const insertItem = database.prepare(`INSERT INTO items VALUES (?, ?, ?, ?, ${places}, ?)`);
  database.exec('BEGIN');
  for (let at = 0; at < items; at += 1) {
    insert.run(at + 1, wordsOf(at));
    const [tenant, agent, item] = keyOf(at);
    insertItem.run(at + 1, tenant, agent, item, ...Object.values(columns), bodyOf(at));
  }
  database.exec('COMMIT');
  const best =
    'SELECT rowid AS hit, bm25(words) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT 20';
  const select = database.prepare(best);
  const selectItems = database.prepare(`SELECT * FROM (${best}) CROSS JOIN items ON id = hit`);
  selectItems.setReturnArrays(true);
  return {
    search: (word: string): number => select.all(`"${word}"`).length,
    items: (word: string): unknown[] =>
      selectItems.all(`"${word}"`).map((row: object) => parsed(Object.values(row).at(-1))),
    close: (): void => {
      database.close();
    },
  };
}

async function fill(path: string, items: number): Promise<void> {
  const backend = sqliteBackend({ path });
  await backend.open(storeCollections);
  for (let from = 0; from < items; from += batch) {
    const puts = Array.from({ length: Math.min(batch, items - from) }, (_, step) => {
      const at = from + step;
      const key = keyOf(at);
      const body = bodyOf(at);
      const words = { content: wordsOf(at) };
      return { type: 'put', collection: 'items', key, columns, body, words } as const;
    });
    await backend.write(puts);
  }
  await backend.close();
}

async function compare(
  name: string,
  ours: () => Promise<unknown>,
  raw: () => unknown,
): Promise<void> {
  const [mine, bare]: [number[], number[]] = [[], []];
  const end = performance.now() + timeMs;
  for (let round = 0; round < rounds || performance.now() < end; round += 1) {
    mine.push(await timeOf(ours));
    bare.push(await timeOf(raw));
  }
  const ratio = (median(mine) / median(bare)).toFixed(2);
  process.stdout.write(
    `${name}: ${median(mine).toFixed(2)} ms, raw ${median(bare).toFixed(2)} ms, ${ratio} ×\n`,
  );
}

for (const items of (positionals.length > 0 ? positionals : ['10000', '100000', '300000']).map(
  Number,
)) {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-search-'));
  const path = join(folder, 'ctx.db');
  await fill(path, items);
  const backend = sqliteBackend({ path });
  await backend.open(storeCollections);
  const store = await openStore(sqliteBackend({ path }));
  const raw = rawTable(join(folder, 'raw.db'), items);
  const agent = 'agent-0';
  for (const text of ['needle', 'seldom', 'common']) {
    const [word = ''] = searchWords(text);
    const query = { collection: 'items', equal: ['default', agent], words: [word], limit: 20 };
    const name = `${items} items, ${text}`;
    await compare(
      `${name}, backend`,
      () => backend.search(query),
      () => raw.search(word),
    );
    await compare(
      `${name}, items.search`,
      () => store.items.search(agent, { text, peek: true }),
      () => raw.items(word),
    );
  }
  raw.close();
  await store.close();
  await backend.close();
  rmSync(folder, { recursive: true });
}
