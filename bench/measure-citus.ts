/**
 * Checks the store on Citus. Runs the conformance kit on distributed tables, then writers on several servers while it kills servers,
 * stops machines at once, interrupts workers, moves shards, isolates tenants and raises the schema. Then runs purge and retention and
 * checks every record. Ends with 1 where an acknowledged write is lost or doubled, or anything fails.
 * Run: `npm run bench -- citus [--url postgres://ctx@127.0.0.1:5432/ctx] [--crash COMMAND]… [--json] [--only kit|load]
 * [--tenants 1000] [--writers 24] [--servers 3] [--rounds 2] [--schema ctx_citus]`. Without a URL it starts a coordinator and two
 * workers from local binaries. With one, `--crash` names a command that ends a machine and starts it again. The user has to be a
 * superuser; the schema is dropped at the end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { randomIds } from '@ctx/core';
import { openTenants } from '@ctx/server/records';
import { openStore, purges, storeCollections, verifyStore } from '@ctx/store';
import { distributePostgresStore, dropPostgresStore, postgresBackend } from '@ctx/store-postgres';
import {
  type Cluster,
  givenCluster,
  interruptWorkers,
  isolateTenant,
  moveShards,
  ownCluster,
} from './citus/cluster.ts';
import { messageOf, runKit } from './citus/kit.ts';
import { lookFor, startWriters, type WriteLoad, type Written } from './citus/writers.ts';
import { type ChildServer, startChild } from './server/child-server.ts';
import { type Reading, readAll } from './soak/live-readers.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    url: { type: 'string', default: '' },
    crash: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: '' },
    tenants: { type: 'string', default: '1000' },
    writers: { type: 'string', default: '24' },
    servers: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '2' },
    schema: { type: 'string', default: 'ctx_citus' },
  },
});

const { schema } = values;
const program = fileURLToPath(new URL('./server/ctx-server.js', import.meta.url));
const pauseMs = 2000;

/** What happens beside the writes, and what it said where it failed. */
interface Happened {
  readonly what: string;
  readonly seconds: number;
  readonly error?: string;
}

function log(line: string): void {
  if (!values.json) console.log(line);
}

/** Makes the store and its tenants, and spreads it. Gives a key of each writer. */
async function makeStore({ url }: Cluster): Promise<string[]> {
  const stores = await openTenants(postgresBackend({ url, schema, maxConnections: 4 }));
  await stores.store('tenant-0');
  const { citus = 'no', steps } = await distributePostgresStore({ url, schema });
  log(`Citus ${citus}: ${String(steps.length)} tables distributed`);
  const keys: string[] = [];
  for (let number = 0; number < Number(values.tenants); number += 1) {
    const tenant = `tenant-${String(number)}`;
    const store = await stores.store(tenant);
    await store.items.save({ agentId: 'ada', kind: 'TASK', content: 'first' });
    if (keys.length < Number(values.writers))
      keys.push((await stores.keys.create({ tenant, scope: 'write' })).text);
  }
  await stores.close();
  return keys;
}

const startServer = (url: string): Promise<ChildServer> =>
  startChild(program, { args: [url, schema] });

/** Opens the store as a later version would, with one column and one table more, and spreads that. */
async function raise(url: string): Promise<void> {
  const later = storeCollections.map((one) =>
    one.name === 'items'
      ? { ...one, columns: { ...one.columns, later: { type: 'integer', nullable: true } as const } }
      : one,
  );
  const backend = postgresBackend({ url, schema, maxConnections: 1 });
  const [first] = storeCollections;
  await backend.open(first === undefined ? later : [...later, { ...first, name: 'later' }]);
  await backend.close();
  await distributePostgresStore({ url, schema });
}

type Disturb = readonly [what: string, disturb: () => Promise<unknown>];

function disturbances({ url, crashes }: Cluster, servers: ChildServer[], round: number): Disturb[] {
  const kill = async (): Promise<void> => {
    const at = round % servers.length;
    await servers[at]?.kill();
    servers[at] = await startServer(url);
  };
  return [
    ['a server killed', kill],
    ...crashes.map(({ name, crash }): Disturb => [name, crash]),
    ['connections of workers ended', () => interruptWorkers(url, 'terminate')],
    ['statements of workers cancelled', () => interruptWorkers(url, 'cancel')],
    ['rebalance_table_shards', () => moveShards(url)],
    ['isolate_tenant_to_new_shard', () => isolateTenant(url, schema, `tenant-${String(round)}`)],
    ['the schema raised', () => raise(url)],
  ];
}

async function disturb(cluster: Cluster, servers: ChildServer[], written: Written) {
  const happened: Happened[] = [];
  const count = (): number => written.acknowledged.reduce((sum, { size }) => sum + size, 0);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [what, work] of disturbances(cluster, servers, round)) {
      await sleep(pauseMs);
      const began = performance.now();
      const error = await work().then(() => undefined, messageOf);
      const seconds = (performance.now() - began) / 1000;
      happened.push({ what, seconds, ...(error === undefined ? {} : { error }) });
      log(`${what}: ${seconds.toFixed(1)} s, ${error ?? 'done'}; ${String(count())} writes so far`);
    }
  }
  await sleep(pauseMs);
  return happened;
}

/** A reader of the first tenant's live events at each server, also behind its restart. */
function readEvents({ servers, keys: [key = ''] }: WriteLoad) {
  const stop = new AbortController();
  const readings = servers.map((): Reading => ({ last: [], wrong: 0, reconnects: 0 }));
  const running = readings.map((reading, at) => {
    const server = {
      key,
      get url() {
        return servers[at]?.url ?? '';
      },
    };
    return readAll({ server, readers: 1, keepMs: 5000, signal: stop.signal }, reading);
  });
  return async () => {
    // Events are written down behind the writes that they tell of.
    await sleep(6000);
    stop.abort();
    await Promise.all(running);
    const last = readings.map(({ last: [newest = 0] }) => newest);
    const wrong = readings.reduce((sum, reading) => sum + reading.wrong, 0);
    return { last, wrong, isAlike: wrong === 0 && new Set(last).size === 1 };
  };
}

/** Destroys an agent of one tenant and lets the outputs of all of them go; then looks at every record. */
async function purgeAndCheck({ url }: Cluster) {
  const backend = postgresBackend({ url, schema, maxConnections: 4 });
  let left = 0;
  for (let number = 0; number < 10; number += 1) {
    const store = await openStore(postgresBackend({ url, schema, maxConnections: 2 }), {
      tenant: `tenant-${String(number)}`,
    });
    const results = Array.from({ length: 20 }, (_, at) => `result ${String(at)} `.repeat(40));
    await store.outputs.saveAll(
      results.map((result) => ({ sessionId: 'one', toolName: 'read', args: {}, result })),
    );
    const policy = { maxTotalBytes: 0 };
    await store.retention.apply(await store.retention.plan(policy), policy);
    left += (await store.outputs.pointers({ sessionId: 'one' })).entries.length;
    await store.close();
  }
  await backend.open(storeCollections);
  const place = { backend, tenant: 'tenant-0', clock: Date.now, worker: randomIds()() };
  const id = await purges.begin({ ...place, ids: randomIds() }, { agent: 'writer-0' });
  await purges.work(place, id);
  const [purge] = await purges.list(place);
  const { findings, records, tenants } = await verifyStore(backend);
  await backend.close();
  log(`purge: ${String(purge?.records)} records; retention left ${String(left)} outputs of 200`);
  log(
    `checked ${String(records)} records of ${String(tenants)} tenants: ${String(findings.length)} findings`,
  );
  return { purged: purge?.records, left, records, tenants, findings };
}

async function load(cluster: Cluster) {
  const keys = await makeStore(cluster);
  const servers = await Promise.all(
    Array.from({ length: Number(values.servers) }, () => startServer(cluster.url)),
  );
  const writing = { servers, keys };
  const endReading = readEvents(writing);
  const written = startWriters(writing);
  const happened = await disturb(cluster, servers, written);
  await written.end();
  const found = await lookFor(writing, written);
  const events = await endReading();
  await Promise.all(servers.map((server) => server.stop()));
  const writes = written.acknowledged.reduce((sum, { size }) => sum + size, 0);
  const refused = Object.fromEntries(written.refused);
  log(
    `${String(writes)} writes acknowledged: ${String(found.lost)} lost, ${String(found.doubled)} doubled`,
  );
  log(
    `sent again for another answer: ${JSON.stringify(refused)}; live events ${JSON.stringify(events)}`,
  );
  const checked = await purgeAndCheck(cluster);
  await dropPostgresStore({ url: cluster.url, schema });
  return { writes, ...found, refused, events, happened, ...checked };
}

function isWhole(loaded: Awaited<ReturnType<typeof load>>): boolean {
  const { lost, doubled, refused, events, happened, findings, left } = loaded;
  const isDone = happened.every(({ error }) => error === undefined);
  // A server that cannot reach its store for a while says 503; 500 is an error that it does not know.
  const isKnown = Object.keys(refused).every((said) => !said.startsWith('500'));
  return lost + doubled + findings.length + left === 0 && events.isAlike && isDone && isKnown;
}

const cluster = values.url === '' ? await ownCluster() : givenCluster(values.url, values.crash);
try {
  const conformance =
    values.only === 'load' ? undefined : await runKit({ url: cluster.url, schema }, log);
  const loaded = values.only === 'kit' ? undefined : await load(cluster);
  if (values.json) console.log(JSON.stringify({ conformance, loaded }, null, 2));
  const isGood = (conformance?.failed ?? 0) === 0 && (loaded === undefined || isWhole(loaded));
  process.exitCode = isGood ? 0 : 1;
} finally {
  await cluster.stop();
}
