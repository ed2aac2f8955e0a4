/**
 * What a search of the store for LangGraph takes as the store grows: by words, by a member, by both, and a page without either, in all
 * and in one user's namespace. Run: `npm run bench -- graph-store [--items 10000,100000] [--stores memory,sqlite]`. Takes two minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createStore } from '@ctx/agent-adapter/langchain';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openSqliteStore } from '@ctx/store-sqlite';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '10000,100000' },
    stores: { type: 'string', default: 'memory,sqlite' },
  },
});

/** Items of one user. */
const perUser = 100;
const repetitions = 20;
const topics = 'bread butter whales harbour lantern window ledger garden copper violin'.split(' ');

/** About 600 signs. One in 1,000 is a page, one in 5,000 speaks of a zebra. */
function itemAt(at: number): Record<string, unknown> {
  const words = Array.from({ length: 70 }, (_, place) => topics[(at * 7 + place * place) % 10]);
  const rare = at % 5000 === 7 ? ' zebra' : '';
  return { kind: at % 1000 === 3 ? 'page' : 'note', number: at, text: `${words.join(' ')}${rare}` };
}

const searches = {
  'a rare word': { namespacePrefix: [], query: 'zebra' },
  'a word of every item': { namespacePrefix: [], query: 'lantern' },
  'a member': { namespacePrefix: [], filter: { kind: 'page' } },
  'a word and a member': { namespacePrefix: [], query: 'lantern', filter: { kind: 'page' } },
  'a page': { namespacePrefix: [] },
  'a word, of one user': { namespacePrefix: ['users', 'u3'], query: 'lantern' },
};

/** What the class of LangGraph leaves open is what is measured. */
class Base {
  declare readonly batch: (operations: readonly object[]) => Promise<unknown[]>;
}

async function measure(store: ContextStore, count: number): Promise<Record<string, number>> {
  const items = createStore({ BaseStore: Base, store });
  for (let from = 0; from < count; from += 1000) {
    const puts = Array.from({ length: Math.min(1000, count - from) }, (_, at) => ({
      namespace: ['users', `u${String(Math.floor((from + at) / perUser))}`],
      ...{ key: `k${String(from + at)}`, value: itemAt(from + at) },
    }));
    await items.batch(puts);
  }
  const found: Record<string, number> = {};
  for (const [name, search] of Object.entries(searches)) {
    const times: number[] = [];
    for (let time = 0; time < repetitions; time += 1) {
      const cpu = process.cpuUsage();
      await items.batch([search]);
      const { user, system } = process.cpuUsage(cpu);
      times.push((user + system) / 1000);
    }
    found[name] = times.toSorted((a, b) => a - b)[repetitions / 2] ?? 0;
  }
  return found;
}

console.log(`| store | items | ${Object.keys(searches).join(' | ')} |`);
console.log(
  `| --- | --: | ${Object.keys(searches)
    .map(() => '--:')
    .join(' | ')} |`,
);
for (const name of values.stores.split(',')) {
  for (const count of values.items.split(',').map(Number)) {
    const folder = mkdtempSync(join(tmpdir(), 'ctx-graph-store-'));
    const path = join(folder, 'ctx.db');
    const store = await (name === 'sqlite'
      ? openSqliteStore({ path })
      : openStore(memoryBackend()));
    const times = Object.values(await measure(store, count)).map((ms) => `${ms.toFixed(1)} ms`);
    console.log(`| ${name} | ${String(count)} | ${times.join(' | ')} |`);
    await store.close();
    rmSync(folder, { recursive: true });
  }
}
