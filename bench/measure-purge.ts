/**
 * What it takes to destroy an agent with many records: how long until that is planned and done, in how many batches, how much memory,
 * and how long the same rows take to be deleted by the store itself in writes of 500.
 * Run: `npm run bench -- purge [--json] [--records 100000] [--url postgres://ctx@127.0.0.1:5432/ctx] [--schema ctx_purge]`.
 * SQLite lies in a temporary folder; PostgreSQL is measured where a URL is given. The schema is dropped at the end.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { randomIds } from '@ctx/core';
import { type ContextStore, openStore, purges } from '@ctx/store';
import type { StoreBackend, WriteOperation } from '@ctx/store/backend';
import { dropPostgresStore, postgresBackend } from '@ctx/store-postgres';
import { sqliteBackend } from '@ctx/store-sqlite';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    records: { type: 'string', default: '100000' },
    url: { type: 'string', default: process.env['CTX_TEST_POSTGRES'] ?? '' },
    schema: { type: 'string', default: 'ctx_purge' },
  },
});

interface Report {
  readonly store: string;
  readonly records: number;
  readonly batches: number;
  /** Seconds until the plan stands in the store. */
  readonly planned: number;
  /** Seconds until all is destroyed. */
  readonly destroyed: number;
  /** Seconds of deleting as many rows of the same table in writes of 500, and nothing more. */
  readonly bare: number;
  /** Most memory beyond that before the purge, MB. */
  readonly memory: number;
}

const inSession = 300;

/** Half of the records are items, the others stand in logs of the agent's sessions. */
async function fill(store: ContextStore, records: number): Promise<void> {
  const content = 'what a tool has returned, some words of it. '.repeat(8);
  for (let from = 0; from < records / 2; from += 1000) {
    const many = Math.min(1000, records / 2 - from);
    await store.items.saveMany(
      Array.from({ length: many }, () => ({ agentId: 'ada', kind: 'TASK', content })),
    );
  }
  const sessions = Math.ceil(records / 2 / inSession);
  for (let number = 0; number < sessions; number += 1) {
    const sessionId = `session-${String(number)}`;
    await store.sessions.update(sessionId, (before) => ({ ...before, agentId: 'ada' }));
    const event = { type: 'note', payload: content };
    await store.events.append(
      sessionId,
      Array.from({ length: inSession - 1 }, () => event),
    );
  }
}

/** A table of as many rows, deleted in writes of 500 as the batches of a purge are. */
async function bareSeconds(backend: StoreBackend, records: number): Promise<number> {
  const keys = Array.from({ length: records }, (_, at) => ['t', 's', String(at)]);
  const write = async (operationOf: (key: string[]) => WriteOperation): Promise<void> => {
    for (let from = 0; from < records; from += 500) {
      const operations = keys.slice(from, from + 500).map(operationOf);
      await backend.write(operations, { durability: 'power' });
    }
  };
  const body = JSON.stringify({ text: 'x'.repeat(350) });
  const columns = { type: 'note', at: 1, tokens: 1 };
  await write((key) => ({ type: 'put', collection: 'events', key, columns, body }));
  const began = performance.now();
  await write((key) => ({ type: 'delete', collection: 'events', key }));
  return (performance.now() - began) / 1000;
}

async function measure(make: () => StoreBackend, records: number): Promise<Report> {
  const backend = make();
  const store = await openStore(backend, { tenant: 'acme' });
  await fill(store, records);
  const place = { backend, tenant: 'acme', clock: store.clock, worker: randomIds()() };
  const before = process.memoryUsage().rss;
  let most = before;
  const look = (): void => {
    most = Math.max(most, process.memoryUsage().rss);
  };
  const timer = setInterval(look, 20);
  const began = performance.now();
  const id = await purges.begin({ ...place, ids: randomIds() }, { agent: 'ada' });
  let planned = 0;
  const onBatch = (): void => {
    if (planned === 0) planned = (performance.now() - began) / 1000;
    look();
  };
  await purges.work(place, id, { onBatch });
  const destroyed = (performance.now() - began) / 1000;
  clearInterval(timer);
  const [purge] = await purges.list(place);
  const bare = await bareSeconds(backend, records);
  await store.close();
  const memory = Math.round((most - before) / 1e6);
  const { records: all = 0, batches = 0 } = purge ?? {};
  return { store: backend.name, records: all, batches, planned, destroyed, bare, memory };
}

function print({ store, records, batches, planned, destroyed, bare, memory }: Report): void {
  const ratio = (destroyed / bare).toFixed(1);
  console.log(
    `${store}: ${String(records)} records in ${String(batches)} batches; planned after ${planned.toFixed(1)} s, destroyed after ${destroyed.toFixed(1)} s; as many rows alone ${bare.toFixed(1)} s (${ratio}); ${String(memory)} MB beyond what was there`,
  );
}

const records = Number(values.records);
const { url, schema } = values;
const folder = mkdtempSync(join(tmpdir(), 'ctx-purge-'));
const reports = [await measure(() => sqliteBackend({ path: join(folder, 'ctx.db') }), records)];
rmSync(folder, { recursive: true, force: true });
if (url !== '') {
  reports.push(await measure(() => postgresBackend({ url, schema }), records));
  await dropPostgresStore({ url, schema });
}
if (values.json) console.log(JSON.stringify(reports, null, 2));
else for (const report of reports) print(report);
