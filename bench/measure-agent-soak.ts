/**
 * Lets an agent work for long over one store: turns with tools and edits, compactions, flush saves, retention, purges, in a process that
 * is killed every few seconds and whose clock jumps back and forth by up to a day. At the end every acknowledged write has to be
 * readable, `verify` finds nothing, each request was valid, and neither the memory nor the store has grown behind the first third.
 * Run: `npm run bench -- agent-soak --store files|sqlite|postgres [--minutes 5] [--kill-every 8] [--seed 1] [--json]
 * [--url postgres://ctx@127.0.0.1:5432/ctx] [--schema ctx_agent_soak]`. Ends with 1 where a law does not hold.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openStore, storeCollections, verifyStore } from '@ctx/store';
import { dropPostgresStore } from '@ctx/store-postgres';
import { sessionLog } from '@ctx/truncation';
import { Pool } from 'pg';
import { endPurges, soakAgent, soakBackend, soakSession } from './agent-soak/open-soak-store.ts';
import type { SoakMessage, SoakPlace } from './agent-soak/soak-messages.ts';
import { createRandom } from './compaction/random.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    minutes: { type: 'string', default: '5' },
    'kill-every': { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    url: { type: 'string', default: process.env['CTX_TEST_POSTGRES'] ?? '' },
    schema: { type: 'string', default: 'ctx_agent_soak' },
    json: { type: 'boolean', default: false },
  },
});

const program = fileURLToPath(new URL('./agent-soak/soak-child.js', import.meta.url));
const dayMs = 86_400_000;
/** How much the store or the memory of the last third may exceed those of the first. */
const mostGrowth = 1.5;
const random = createRandom(Number(values.seed));
const folder = mkdtempSync(join(tmpdir(), 'ctx-agent-soak-'));
const { store: kind, schema, url } = values;
if (kind !== 'files' && kind !== 'sqlite' && kind !== 'postgres')
  throw new Error('--store is files, sqlite or postgres');
const place: SoakPlace = { store: kind, schema, place: kind === 'postgres' ? url : folder };

/** What the children told. */
const items = new Map<string, string>();
const results = new Map<string, string>();
const heaps: number[] = [];
const sizesOfStore: number[] = [];
const wrong: string[] = [];
let [turns, kills, session, messages, deaths] = [0, 0, 0, 0, 0];

function bytesBelow(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/**
 * The indexes of words on PostgreSQL, bytes: such an index (GIN) keeps each word that was ever in it, until the store rebuilds it. It may
 * wait until an index has 8 MB, and looks at it after 1,000 operations, in the mean.
 */
const wordBytes: number[] = [];
const mostWordBytes = 24_000_000;

/**
 * What the store takes. On PostgreSQL behind a vacuum, which comes once a minute by itself, without the notes of writes, which stay for
 * an hour, and without the indexes of words, which have a bound of their own.
 */
async function bytesNow(): Promise<number> {
  if (kind !== 'postgres') return bytesBelow(folder);
  const pool = new Pool({ connectionString: url, max: 1 });
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace($1) AND relname <> 'ctx$$writes'`,
    [schema],
  );
  for (const { name } of tables) await pool.query(`VACUUM "${schema}"."${name}"`);
  const { rows } = await pool.query<{ name: string; n: string }>(
    `SELECT relname AS name, pg_relation_size(oid) + CASE WHEN relkind = 'r' THEN pg_table_size(oid) - pg_relation_size(oid) ELSE 0 END AS n
     FROM pg_class WHERE relkind IN ('r', 'i') AND relnamespace = to_regnamespace($1) AND relname NOT LIKE 'ctx$$writes%'`,
    [schema],
  );
  await pool.end();
  const sumOf = (isWanted: (name: string) => boolean): number =>
    rows.filter(({ name }) => isWanted(name)).reduce((sum, { n }) => sum + Number(n), 0);
  const isOfWords = (name: string): boolean => name.endsWith('$_words');
  wordBytes.push(sumOf(isOfWords));
  return sumOf((name) => !isOfWords(name));
}

function forget(ids: readonly string[]): void {
  for (const id of ids) for (const known of [items, results]) known.delete(id);
}

const takers: {
  readonly [Kind in SoakMessage['kind']]: (message: Extract<SoakMessage, { kind: Kind }>) => void;
} = {
  item: ({ id, content }) => void items.set(id, content),
  result: ({ id, text }) => void results.set(id, text),
  leaving: ({ ids }) => {
    forget(ids);
  },
  messages: ({ count }) => {
    messages += count;
  },
  purging: ({ ids }) => {
    forget(ids);
    session += 1;
    messages = 0;
  },
  wrong: ({ what }) => void wrong.push(what),
  sizes: ({ heap }) => void heaps.push(heap),
  turn: () => {
    turns += 1;
  },
};

function start(): ChildProcess {
  // Days ahead or behind, as when a machine's clock was wrong.
  const offset = Math.floor((random.next() - 0.5) * 2 * dayMs);
  const run = { ...place, offset, seed: random.upTo(1e9), session };
  const child = fork(program, [JSON.stringify(run)], { execArgv: ['--expose-gc'] });
  child.on('message', (message: SoakMessage) => {
    (takers[message.kind] as (message: SoakMessage) => void)(message);
  });
  return child;
}

/** Lets children work one after the other until the time is over, and kills each at some moment. */
async function soak(): Promise<void> {
  const end = performance.now() + Number(values.minutes) * 60_000;
  while (performance.now() < end) {
    const child = start();
    const gone = once(child, 'close');
    await Promise.race([wait(random.next() * 2 * Number(values['kill-every']) * 1000), gone]);
    if (child.exitCode !== null) {
      deaths += 1;
      wrong.push(`a process ended with ${String(child.exitCode)}`);
      if (deaths > 3) return;
    }
    child.kill('SIGKILL');
    await gone;
    kills += 1;
    if (turns > 0) sizesOfStore.push(await bytesNow());
  }
}

/** What was acknowledged and is not there. */
async function lostOf(): Promise<string[]> {
  const backend = soakBackend(place);
  // Behind all clocks of before: what a killed process holds for a while is free then.
  const store = await openStore(backend, { clock: () => Date.now() + 9 * dayMs });
  await endPurges(backend, store);
  const lost: string[] = [];
  for (const [id, content] of items) {
    const item = await store.items.get(soakAgent, id, { peek: true });
    if (item?.content !== content) lost.push(`item ${id}`);
  }
  for (const [name, text] of results) {
    const [sessionId = '', id = ''] = name.split(' ');
    const output = await store.outputs.load({ id, sessionId });
    if (JSON.stringify(output?.result) !== text) lost.push(`result ${name}`);
  }
  const sessionId = soakSession(session);
  const { length } = await sessionLog(store, sessionId).history();
  if (length < messages) lost.push(`${String(messages - length)} messages of ${sessionId}`);
  await store.close();
  return lost;
}

async function findingsOf(): Promise<string[]> {
  const backend = soakBackend(place);
  await backend.open(storeCollections);
  const { findings } = await verifyStore(backend);
  await backend.close();
  return findings.map((finding) => JSON.stringify(finding));
}

function middleOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/** The middle of the first third and of the last, MB. */
function thirds(numbers: readonly number[]): readonly [first: number, last: number] {
  const third = Math.max(1, Math.floor(numbers.length / 3));
  return [middleOf(numbers.slice(0, third)) / 1e6, middleOf(numbers.slice(-third)) / 1e6];
}

await soak();
const lost = await lostOf();
const findings = await findingsOf();
const [firstHeap, lastHeap] = thirds(heaps);
const [firstBytes, lastBytes] = thirds(sizesOfStore);
const mostWords = Math.max(0, ...wordBytes);
const failures = [
  ...wrong,
  ...lost.map((what) => `lost: ${what}`),
  ...findings.map((what) => `verify: ${what}`),
  ...(lastHeap > firstHeap * mostGrowth ? ['the memory grows'] : []),
  ...(lastBytes > firstBytes * mostGrowth ? ['the store grows'] : []),
  ...(mostWords > mostWordBytes ? ['the indexes of words grow'] : []),
];
const counts = { turns, kills, sessions: session, items: items.size, results: results.size };
const words = { most: mostWords / 1e6, last: (wordBytes.at(-1) ?? 0) / 1e6 };
const sizes = { heap: [firstHeap, lastHeap], store: [firstBytes, lastBytes], words };
const report = {
  store: kind,
  minutes: Number(values.minutes),
  ...counts,
  sizes,
  failures: failures.slice(0, 20),
};
console.log(JSON.stringify(report, null, values.json ? undefined : 2));
if (kind === 'postgres') await dropPostgresStore({ url, schema });
rmSync(folder, { recursive: true });
process.exitCode = failures.length === 0 ? 0 : 1;
