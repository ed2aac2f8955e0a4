/**
 * How the cost of each call of the PostgreSQL store grows, as pages that the server reads for it: at 1 %, 10 % and all of `--scale`
 * times 10,000 tenants, 10,000,000 items and 1,000,000 outputs, of which one tenant has half. Prints what a record takes with each
 * index, how long searches take, and what it costs to delete half of the large tenant's outputs while 24 writers go on.
 * Run: `npm run bench -- postgres-scale --url postgres://ctx@127.0.0.1:5432/ctx [--scale 0.01] [--shares 0.01,0.1,1]
 * [--schema ctx_scale] [--keep] [--json]`. The default takes a minute; `--scale 1` about 30 and 20 GB on the server.
 */
import { parseArgs } from 'node:util';
import { type ContextStore, openStore, storeCollections } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { postgresBackend } from '@ctx/store-postgres';
import { Pool } from 'pg';
import { benchAgent } from './items/fill-items.ts';
import {
  fillOutputs,
  largeTenant,
  outputSession,
  rareWord,
  wordOfRank,
} from './postgres/fill-outputs.ts';
import { fillTenants, makePlainTable } from './postgres/fill-tenants.ts';
import { benchNow, type Measured, openStores } from './postgres/measure-size.ts';
import { bytesEach, pagesOf } from './postgres/pages-read.ts';
import { retainUnderLoad } from './postgres/retention-under-load.ts';
import { timeEach } from './stores/timing.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: process.env['CTX_TEST_POSTGRES'] ?? '' },
    scale: { type: 'string', default: '0.01' },
    shares: { type: 'string', default: '0.01,0.1,1' },
    schema: { type: 'string', default: 'ctx_scale' },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const { url, schema } = values;
const calls = 100;

/** The stores that are asked: of tenants from all over, and of the large one. */
interface Asked {
  readonly small: readonly Measured[];
  readonly large: ContextStore;
  /** Copies of the first session in the large tenant. */
  readonly copies: number;
}

type Call = (asked: Asked, at: number) => Promise<unknown>;

const storeAt = ({ small }: Asked, at: number): ContextStore => {
  const found = small[at % small.length];
  if (found === undefined) throw new Error('there is no store');
  return found.store;
};

const searchOf = (text: string) => ({ text, limit: 10, peek: true });

const measured: Readonly<Record<string, Call>> = {
  'a page of 100 HOT items': (asked, at) =>
    storeAt(asked, at).items.inTier(benchAgent, 'hot', { limit: 100 }),
  'one item': (asked, at) =>
    storeAt(asked, at).items.get(benchAgent, `item-${String(at)}`, { peek: true }),
  'a save': (asked, at) =>
    storeAt(asked, at).items.save({
      ...{
        agentId: benchAgent,
        kind: 'CODE',
        content: `const scaled = ${String(at + Math.random())}`,
      },
    }),
  'the counts of an agent': (asked, at) => storeAt(asked, at).items.stats(benchAgent),
  'a search of items': (asked, at) =>
    storeAt(asked, at).items.search(benchAgent, searchOf(String(at))),
  'a result stored': (asked, at) =>
    storeAt(asked, at).outputs.save({
      ...{
        sessionId: 'saved',
        toolName: 'read',
        args: { at },
        result: `saved ${String(Math.random())}`,
      },
    }),
  'a page of 50 results': (asked, at) =>
    storeAt(asked, at).outputs.pointers({ sessionId: outputSession, limit: 50 }),
  'a search of results': (asked, at) => storeAt(asked, at).outputs.search(searchOf(wordOfRank(30))),
  'an event of a log': (asked, at) =>
    storeAt(asked, at).events.append('logged', [{ type: 'note', payload: { at } }]),
  'large: one result': async (asked, at) => {
    const { entries } = await asked.large.outputs.pointers({
      ...{ sessionId: `s-${String((at * 7919) % asked.copies)}`, limit: 1 },
    });
    const [first] = entries;
    return first === undefined
      ? undefined
      : asked.large.outputs.load({ id: first.id, sessionId: first.sessionId });
  },
  'large: a search, 50 of all': (asked, at) =>
    asked.large.outputs.search(searchOf(rareWord((at * 7919) % asked.copies))),
  'large: a search, 1 in 50': (asked) => asked.large.outputs.search(searchOf(wordOfRank(2000))),
  'large: a result stored': (asked, at) =>
    asked.large.outputs.save({
      ...{
        sessionId: 'saved',
        toolName: 'read',
        args: { at },
        result: `saved ${String(Math.random())}`,
      },
    }),
  'large: number and bytes': (asked) => asked.large.outputs.tally(),
};

/** How often a call is made that reads a share of the large tenant. */
const slow: ReadonlySet<string> = new Set(['large: a search, 1 in 50', 'large: number and bytes']);

async function opened(tenants: number, copies: number) {
  const backend: StoreBackend = postgresBackend({ url, schema, maxConnections: 2 });
  await backend.open(storeCollections);
  const shared = { ...backend, open: () => Promise.resolve(), close: () => Promise.resolve() };
  const large = await openStore(shared, { tenant: largeTenant, clock: () => benchNow });
  const asked: Asked = { small: await openStores(backend, tenants), large, copies };
  return { asked, close: () => backend.close() };
}

interface Cost {
  readonly pages: number;
  readonly p50: number;
}

/** Pages and time of a call: many of them, less what opening and a first call take. */
async function costOf(
  place: { pool: Pool; schema: string },
  call: Call,
  given: readonly [number, number, number],
) {
  const [tenants, copies, times] = given;
  let p50 = 0;
  const run = (count: number) => async (): Promise<void> => {
    const { asked, close } = await opened(tenants, copies);
    await call(asked, 0);
    if (count > 0) ({ p50 } = await timeEach(count, (at) => call(asked, at)));
    await close();
  };
  const opening = await pagesOf(place, run(0));
  const all = await pagesOf(place, run(times));
  // The calls that warm up are calls as well.
  return { pages: (all - opening) / (times + Math.ceil(times / 10)), p50 };
}

async function measureShare(pool: Pool, share: number) {
  const tenants = Math.max(10, Math.round(10_000 * share));
  const outputs = Math.max(1000, Math.round(1_000_000 * share));
  const place = { url, pool, schema };
  const start = performance.now();
  await makePlainTable(place);
  await fillTenants(place, { tenants, itemsInTenant: 1000, now: benchNow });
  await fillOutputs(place, outputs, tenants);
  const fillSeconds = (performance.now() - start) / 1000;
  const costs: Record<string, Cost> = {};
  for (const [name, call] of Object.entries(measured)) {
    const times = slow.has(name) ? 5 : calls;
    costs[name] = await costOf(place, call, [tenants, Math.floor(outputs / 100), times]);
  }
  const bytes = {
    items: await bytesEach(place, 'items'),
    outputs: await bytesEach(place, 'outputs'),
  };
  return { tenants, items: tenants * 1000, outputs, fillSeconds, costs, bytes };
}

type Report = Awaited<ReturnType<typeof measureShare>>;

function print(reports: readonly Report[]): void {
  for (const name of Object.keys(measured)) {
    const cells = reports.map(({ costs }) => {
      const { pages = 0, p50 = 0 } = costs[name] ?? {};
      return `${pages.toFixed(1)} pages ${p50.toFixed(1)} ms`;
    });
    console.log(`| ${[name, ...cells].join(' | ')} |`);
  }
}

async function measure(pool: Pool): Promise<void> {
  const reports: Report[] = [];
  for (const share of values.shares.split(',')) {
    reports.push(await measureShare(pool, Number(share) * Number(values.scale)));
    if (!values.json) console.log(`${String(reports.at(-1)?.items)} items filled`);
  }
  if (!values.json) print(reports);
  const retention = await retainUnderLoad({ url, pool, schema });
  const last = reports.at(-1);
  console.log(
    JSON.stringify(values.json ? { reports, retention } : { bytes: last?.bytes, retention }),
  );
  process.exitCode = retention.lost === 0 ? 0 : 1;
}

if (url === '') {
  console.error('No PostgreSQL: name one by --url or CTX_TEST_POSTGRES.');
  process.exitCode = 2;
} else {
  const pool = new Pool({ connectionString: url, max: 2 });
  await measure(pool);
  if (!values.keep) await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
  await pool.end();
}
