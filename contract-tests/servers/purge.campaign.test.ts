import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { randomIds } from '@ctx/core';
import { openStore, purges, storeCollections } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleProgram, inFolder, startProgram } from '../child-program.ts';
import { backendAt } from './backend-at.ts';
import { realDatabase, whyNoDatabase } from './real-database.ts';
import { numbers } from './save-many.ts';
import { endServers, type ServerProcess, startServerProcess } from './start-servers.ts';

const database = await realDatabase();

/** Processes start and stop; a busy machine takes its time. */
const limitMs = 180_000;
/** So that a test sees several looks of a server. */
const wish = { worksEveryMs: 50 };

afterAll(async () => {
  await endServers();
  await database?.end();
}, limitMs);

interface Place {
  readonly url: string;
  readonly schema: string;
  readonly backend: StoreBackend;
}

/** Opens the store for the test itself. */
async function openPlace(url: string, schema: string): Promise<Place> {
  const backend = backendAt(url, schema);
  await backend.open(storeCollections);
  return { url, schema, backend };
}

async function fillLog({ url, schema }: Place, events: number): Promise<void> {
  const store = await openStore(backendAt(url, schema));
  for (let at = 0; at < events; at += 500) {
    await store.events.append(
      'long',
      numbers(500).map((number) => ({ type: 'note', payload: `xenolith ${String(number)}` })),
    );
  }
  await store.close();
}

async function leftEvents({ backend }: Place): Promise<number> {
  const query = { collection: 'events', index: 'key', equal: ['default', 'long'] };
  return (await backend.tally(query))[0]?.count ?? 0;
}

const tenantOf = ({ backend }: Place) => ({ backend, tenant: 'default', clock: Date.now });

/** Waits until as many purges of the store have ended, and none goes on. Gives the last one. */
async function untilEnded(
  place: Place,
  count = 1,
): Promise<Awaited<ReturnType<typeof purges.list>>[number]> {
  for (;;) {
    const listed = await purges.list(tenantOf(place));
    const last = listed.at(-1);
    const isOver = listed.length === count && listed.every(({ stage }) => stage === 'ended');
    if (last !== undefined && isOver) return last;
    await pause(20);
  }
}

function sumOf(server: ServerProcess, what: 'records' | 'batches'): number {
  return server.works().reduce((sum, work) => sum + work[what], 0);
}

/**
 * Two servers do together what somebody began who never works on it. A small purge may be over before the second one looks: then the
 * same comes again.
 */
async function sharedByTwo(place: Place, events: number): Promise<void> {
  const start = () => startServerProcess(place.url, place.schema, wish);
  const servers = await Promise.all([start(), start()]);
  const sums = (what: 'records' | 'batches'): number[] =>
    servers.map((server) => sumOf(server, what));
  const total = (what: 'records' | 'batches'): number => sums(what).reduce((sum, one) => sum + one);
  for (let round = 1; Math.min(...sums('batches')) === 0; round += 1) {
    expect(round).toBeLessThan(10);
    await fillLog(place, events);
    await purges.begin({ ...tenantOf(place), ids: randomIds() }, { sessions: ['long'] });
    const { records, batches } = await untilEnded(place, round);
    expect(await leftEvents(place)).toBe(0);
    expect([records, batches]).toEqual([events, events / 500]);
    // Each says what it did once it has looked to the end.
    while (total('batches') < round * batches) await pause(20);
    expect([total('records'), total('batches')]).toEqual([round * records, round * batches]);
  }
  await Promise.all(servers.map((server) => server.stop()));
}

let purging: Promise<string> | undefined;

/** One begins a purge and is killed in the middle of it; a server ends it, and nobody asks. */
async function endedByServer(place: Place, events: number): Promise<void> {
  await fillLog(place, events);
  purging ??= bundleProgram(new URL('purge-child.ts', import.meta.url));
  const begun = startProgram(await purging, [place.url, place.schema, 'long'], (line, child) => {
    if (line === 'batch 2') child.kill('SIGKILL');
  });
  await begun.ended;
  const left = await leftEvents(place);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(events - 1000);
  const [cut] = await purges.list(tenantOf(place));
  expect(cut?.stage).toBe('working');
  const { records } = await purges.progress(tenantOf(place), cut?.id ?? '');
  expect(records).toBe(left);
  const server = await startServerProcess(place.url, place.schema, wish);
  const purge = await untilEnded(place);
  expect(await leftEvents(place)).toBe(0);
  while (sumOf(server, 'records') < left) await pause(20);
  expect(sumOf(server, 'records')).toBe(left);
  expect(purge.records).toBe(events);
  await server.stop();
}

describe.skipIf(database === undefined)(
  `purges over PostgreSQL${database === undefined ? ` (${whyNoDatabase})` : ''}`,
  () => {
    const place = (): Promise<Place> => openPlace(database?.url ?? '', database?.newSchema() ?? '');

    it(
      'two servers purge one tenant together: each batch is done once, and both do some',
      async () => {
        const shared = await place();
        await sharedByTwo(shared, 20_000);
        await shared.backend.close();
      },
      limitMs,
    );

    it(
      'a server ends the purge of a process that was killed in the middle, and nobody asks',
      async () => {
        const shared = await place();
        await endedByServer(shared, 10_000);
        await shared.backend.close();
      },
      limitMs,
    );
  },
);

describe.each(['sqlite', 'fs'])('purges over %s', (kind) => {
  const inStore = (work: (place: Place) => Promise<void>): Promise<void> =>
    inFolder(async (folder) => {
      const place = await openPlace(`${kind}:${join(folder, 'store')}`, '');
      await work(place);
      await place.backend.close();
    });

  it(
    'two servers purge one tenant together: each batch is done once, and both do some',
    () => inStore((place) => sharedByTwo(place, 5_000)),
    limitMs,
  );

  it(
    'a server ends the purge of a process that was killed in the middle, and nobody asks',
    () => inStore((place) => endedByServer(place, 5_000)),
    limitMs,
  );
});
