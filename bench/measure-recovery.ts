/**
 * How long it takes until a first and until every one of eight workers has a write acknowledged, after a disturbance of PostgreSQL has ended: backends that are terminated, a
 * proxy that cuts connections or holds them half open, a server that is stopped at once and started again; 1,000 writes and more
 * beside each, of which none may be lost or doubled.
 * Run: `npm run bench -- recovery [--json] [--rounds 5]`. It starts a server of its own from local binaries.
 */
import { parseArgs } from 'node:util';
import type { CollectionDefinition, StoreBackend } from '@ctx/store/backend';
import { postgresBackend } from '@ctx/store-postgres';
import { Pool } from 'pg';
import { storeTestHelp } from './postgres/store-test-help.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
  },
});

const counters: CollectionDefinition = {
  name: 'counters',
  key: ['tenant', 'id'],
  columns: { count: { type: 'integer' } },
  indexes: [],
  search: [],
};

/** Workers that write all the time, and what they know. */
interface Load {
  /** How long it takes from now until a first and until the last of the workers has a write acknowledged, ms. */
  readonly back: () => Promise<{ readonly first: number; readonly all: number }>;
  /** Acknowledged writes so far. */
  readonly count: () => number;
  /** Ends them. Gives how many writes failed, and how many counters are not what was acknowledged. */
  readonly end: () => Promise<{ readonly failed: number; readonly wrong: number }>;
}

const workers = 8;

async function addOne(backend: StoreBackend, id: string, count: number): Promise<void> {
  const operation = { type: 'put', collection: 'counters', key: ['t', id], body: '{}' } as const;
  await backend.write([{ ...operation, columns: { count }, expectVersion: count - 1 }]);
}

function startLoad(backend: StoreBackend): Load {
  const counts = Array.from({ length: workers }, () => 0);
  const listeners = new Set<(worker: number) => void>();
  let isOver = false;
  let failed = 0;
  const work = async (worker: number): Promise<void> => {
    while (!isOver) {
      const count = (counts[worker] ?? 0) + 1;
      try {
        await addOne(backend, String(worker), count);
      } catch {
        failed += 1;
        continue;
      }
      counts[worker] = count;
      for (const listener of listeners) listener(worker);
    }
  };
  const running = Promise.all(counts.map((_, worker) => work(worker)));
  return {
    count: () => counts.reduce((sum, count) => sum + count, 0),
    back: () => {
      const begun = performance.now();
      const seen = new Set<number>();
      let first = 0;
      return new Promise((resolve) => {
        const listener = (worker: number): void => {
          if (seen.size === 0) first = performance.now() - begun;
          seen.add(worker);
          if (seen.size < workers) return;
          listeners.delete(listener);
          resolve({ first, all: performance.now() - begun });
        };
        listeners.add(listener);
      });
    },
    end: async () => {
      isOver = true;
      await running;
      const keys = counts.map((_, worker) => ['t', String(worker)]);
      const found = await backend.get('counters', keys);
      const wrong = found.filter(
        (one, worker) =>
          one?.version !== counts[worker] || one?.columns['count'] !== counts[worker],
      );
      return { failed, wrong: wrong.length };
    },
  };
}

/** Disturbs, and resolves as the disturbance ends. */
type Disturb = () => Promise<void>;

interface Report {
  readonly disturbance: string;
  /** From the end of each disturbance. */
  readonly back: readonly { readonly first: number; readonly all: number }[];
  readonly writes: number;
  readonly failed: number;
  /** Counters that are not what was acknowledged. */
  readonly wrong: number;
}

/** So many writes are made at least. */
const leastWrites = 1000;
const pauseMs = 500;

async function measure(name: string, url: string, disturb: Disturb): Promise<Report> {
  const schema = `recovery_${name.replaceAll(/[^a-z]/g, '_')}`;
  const backend = postgresBackend({ url, schema, maxConnections: workers });
  await backend.open([counters]);
  const load = startLoad(backend);
  const back: { first: number; all: number }[] = [];
  while (back.length < Number(values.rounds) || load.count() < leastWrites) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await disturb();
    back.push(await load.back());
  }
  const writes = load.count();
  const { failed, wrong } = await load.end();
  await backend.close();
  return { disturbance: name, back, writes, failed, wrong };
}

function print({ disturbance, back, writes, failed, wrong }: Report): void {
  const times = back.map(({ first, all }) => `${first.toFixed(0)} to ${all.toFixed(0)}`);
  console.log(`${disturbance.padEnd(28)} back after ${times.join(', ')} ms`);
  console.log(
    `${''.padEnd(28)} ${String(writes)} writes, ${String(failed)} failed, ${String(wrong)} of ${String(workers)} counters lost or doubled`,
  );
}

async function measureAll(): Promise<Report[]> {
  const { realServer, startProxy } = await storeTestHelp();
  const server = await realServer(true);
  if (server?.crash === undefined) throw new Error('no binaries of PostgreSQL are here');
  const { url, crash } = server;
  const proxy = await startProxy(url);
  const killer = new Pool({ connectionString: url, max: 1 });
  killer.on('error', () => undefined);
  const disturbances: readonly (readonly [string, string, Disturb])[] = [
    [
      'backends terminated',
      url,
      async () => {
        await killer.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'ctx %'`,
        );
      },
    ],
    [
      'proxy cut',
      proxy.url,
      async () => {
        proxy.cut();
      },
    ],
    [
      'proxy half open',
      proxy.url,
      async () => {
        proxy.hold();
      },
    ],
    ['immediate stop and restart', url, crash],
  ];
  const reports: Report[] = [];
  for (const [name, through, disturb] of disturbances) {
    const report = await measure(name, through, disturb);
    reports.push(report);
    if (!values.json) print(report);
  }
  await killer.end().catch(() => undefined);
  proxy.close();
  await server.stop();
  return reports;
}

const reports = await measureAll();
if (values.json) console.log(JSON.stringify(reports, null, 2));
