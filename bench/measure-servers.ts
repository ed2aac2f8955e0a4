/**
 * What 1, 2 and 4 server processes over one PostgreSQL answer together: saves and reads of items, spread over 16 tenants and in one.
 * The load, the servers and the database share this machine: with fewer cores than processes the sum cannot grow, and what is told
 * then is what several cost, by the processor's time of a request.
 * Run: `npm run bench -- servers --url postgres://ctx@127.0.0.1:5432/ctx [--json] [--counts 1,2,4] [--seconds 5]
 * [--connections 32] [--each] [--schema ctx_servers]`. The connections are shared by the servers; with `--each` every server has so many. The schema is dropped at the end.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openTenants } from '@ctx/server/records';
import { postgresBackend } from '@ctx/store-postgres';
import autocannon from 'autocannon';
import { Pool } from 'pg';
import { type ChildServer, startChild } from './server/child-server.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    url: { type: 'string', default: process.env['CTX_TEST_POSTGRES'] ?? '' },
    counts: { type: 'string', default: '1,2,4' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    each: { type: 'boolean', default: false },
    schema: { type: 'string', default: 'ctx_servers' },
  },
});

const { url, schema } = values;
const connections = Number(values.connections);
const program = fileURLToPath(new URL('./server/ctx-server.js', import.meta.url));

/** One kind of request, with the keys that send it in turn. */
interface Load {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly keys: readonly string[];
}

interface Report {
  readonly servers: number;
  readonly load: string;
  readonly perSecond: number;
  /** Microseconds of the servers' processors for a request. */
  readonly cpu: number;
  readonly p99Ms: number;
  readonly failed: number;
}

async function makeKeys(tenants: number): Promise<string[]> {
  const stores = await openTenants(postgresBackend({ url, schema, maxConnections: 2 }));
  const keys: string[] = [];
  for (let number = 0; number < tenants; number += 1) {
    const tenant = `tenant-${String(number)}`;
    await (await stores.store(tenant)).items.save({
      agentId: 'ada',
      kind: 'TASK',
      content: 'first',
    });
    keys.push((await stores.keys.create({ tenant, scope: 'write' })).text);
  }
  await stores.close();
  return keys;
}

function loadsOf(keys: readonly string[]): Load[] {
  const save = {
    method: 'POST',
    path: '/v1/agents/ada/items',
    body: JSON.stringify({ kind: 'TASK', content: 'words '.repeat(40) }),
  } as const;
  const read = { method: 'GET', path: '/v1/agents/ada/items?limit=20' } as const;
  return [
    { name: 'save, 16 tenants', ...save, keys },
    { name: 'save, one tenant', ...save, keys: keys.slice(0, 1) },
    { name: 'read 20, 16 tenants', ...read, keys },
  ];
}

async function cpuOf(servers: readonly ChildServer[]): Promise<number> {
  const taken = await Promise.all(servers.map((server) => server.cpu()));
  return taken.reduce((sum, cpu) => sum + cpu, 0);
}

async function measure(
  servers: readonly ChildServer[],
  { name, method, path, body, keys }: Load,
  duration: number,
): Promise<Report> {
  const requests = keys.map((key) => ({
    method,
    path,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  }));
  const ownConnections = values.each ? connections : connections / servers.length;
  const each = { requests, duration, connections: ownConnections };
  const before = await cpuOf(servers);
  const results = await Promise.all(
    servers.map((server) => autocannon({ url: server.url, ...each })),
  );
  const cpu = (await cpuOf(servers)) - before;
  const sum = (of: (result: autocannon.Result) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  return {
    servers: servers.length,
    load: name,
    perSecond: sum(({ requests: { average } }) => average),
    cpu:
      cpu /
      Math.max(
        1,
        sum(({ requests: { total } }) => total),
      ),
    p99Ms: Math.max(...results.map(({ latency }) => latency.p99)),
    failed: sum(({ non2xx, errors }) => non2xx + errors),
  };
}

function print({ servers, load, perSecond, cpu, p99Ms, failed }: Report): void {
  const rate = `${perSecond.toFixed(0)}/s, ${cpu.toFixed(0)} µs of the servers' processors each`;
  console.log(
    `${String(servers)} servers, ${load.padEnd(20)} ${rate}, p99 ${String(p99Ms)} ms, ${String(failed)} failed`,
  );
}

async function measureAll(): Promise<Report[]> {
  const loads = loadsOf(await makeKeys(16));
  const reports: Report[] = [];
  for (const count of values.counts.split(',').map(Number)) {
    const start = (): Promise<ChildServer> => startChild(program, { args: [url, schema] });
    const servers = await Promise.all(Array.from({ length: count }, start));
    for (const load of loads) {
      // A server that just began has still to be compiled.
      await measure(servers, load, 1);
      const report = await measure(servers, load, Number(values.seconds));
      reports.push(report);
      if (!values.json) print(report);
    }
    await Promise.all(servers.map((server) => server.stop()));
  }
  return reports;
}

if (url === '') {
  console.error('No PostgreSQL: name one by --url or CTX_TEST_POSTGRES.');
  process.exitCode = 2;
} else {
  const reports = await measureAll();
  if (values.json) console.log(JSON.stringify(reports, null, 2));
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
  await pool.end();
}
