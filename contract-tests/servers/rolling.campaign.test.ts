import { openTenants } from '@ctx/server/records';
import type { CollectionDefinition, StoreBackend } from '@ctx/store/backend';
import { postgresBackend } from '@ctx/store-postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { startLiveReader } from './live-reader.ts';
import { realDatabase, whyNoDatabase } from './real-database.ts';
import { numbers, saveMany } from './save-many.ts';
import { endServers, openSchema, startBalancer, startServerProcess } from './start-servers.ts';

const database = await realDatabase();
const url = database?.url ?? '';

/** Processes start and stop one after the other; a busy machine takes its time. */
const limitMs = 240_000;

afterAll(async () => {
  await endServers();
  await database?.end();
}, limitMs);

/** An older version of ctx: it knows fewer columns, indexes and collections. */
function older(backend: StoreBackend): StoreBackend {
  const shrunk = (all: readonly CollectionDefinition[]): CollectionDefinition[] =>
    all
      .filter(({ name }) => name !== 'live_events')
      .map((one) => {
        if (one.name !== 'items') return one;
        const { weight: _weight, trust: _trust, ...columns } = one.columns;
        return { ...one, columns, indexes: one.indexes.filter(({ name }) => name !== 'by_place') };
      });
  return { ...backend, open: (all, options) => backend.open(shrunk(all), options) };
}

/** Columns and indexes of a schema, by table. */
async function shapeOf(schema: string): Promise<unknown> {
  const columns = await database?.query(
    `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns WHERE table_schema = '${schema}' ORDER BY 1, 2`,
  );
  const indexes = await database?.query(
    `SELECT tablename, indexname, replace(indexdef, '${schema}', '') AS text FROM pg_indexes WHERE schemaname = '${schema}' ORDER BY 1, 2`,
  );
  return { columns, indexes };
}

describe.skipIf(database === undefined)(
  `servers that come and go${database === undefined ? ` (${whyNoDatabase})` : ''}`,
  () => {
    it(
      'no request fails and no event is lost while each server gives way to one of a newer version',
      async () => {
        const schema = database?.newSchema() ?? '';
        const old = await Promise.all(numbers(4).map(() => startServerProcess(url, schema)));
        const stores = await openSchema(url, schema);
        const { text: key } = await stores.keys.create({ tenant: 'default', scope: 'write' });
        const balancer = startBalancer(old.map(({ port }) => port));
        const readers = numbers(10).map(() =>
          startLiveReader({ key, next: balancer.next, moveAfter: Infinity }),
        );
        let isOver = false;
        const saving = saveMany({ next: balancer.next, key, atOnce: 4, until: () => isOver });
        for (const server of old) {
          // The first of these raises the schema under the old ones.
          balancer.add((await startServerProcess(url, schema, { version: 'newer' })).port);
          await server.stop();
        }
        isOver = true;
        const sent = await saving;
        await balancer.close();
        expect(sent.filter(({ status }) => status !== 201)).toEqual([]);
        const { newest } = await stores.liveLog('default').bounds();
        expect(newest).toBe(sent.length);
        await Promise.all(readers.map((reader) => reader.until(newest)));
        for (const reader of readers) {
          reader.close();
          expect(reader.sequences).toEqual(numbers(newest));
          expect(new Set(reader.codes)).toEqual(new Set([1001]));
        }
        expect((await (await stores.store('default')).items.stats('a')).items).toBe(sent.length);
        await stores.close();
        await endServers();
      },
      limitMs,
    );

    it(
      'two that raise an old schema at once end in one that is as good as new, with what it held',
      async () => {
        const [schema = '', fresh = ''] = [database?.newSchema(), database?.newSchema()];
        const before = await openTenants(
          older(postgresBackend({ url, schema, maxConnections: 1 })),
          {},
        );
        await before.keys.create({ tenant: 'default', scope: 'write', label: 'kept' });
        await before.close();
        await Promise.all([startServerProcess(url, schema), startServerProcess(url, schema)]);
        await (await openSchema(url, fresh)).close();
        expect(await shapeOf(schema)).toEqual(await shapeOf(fresh));
        const stores = await openSchema(url, schema);
        expect((await stores.keys.list()).entries.map(({ label }) => label)).toEqual(['kept']);
        const store = await stores.store('default');
        await store.items.save({ agentId: 'a', kind: 'TASK', content: 'new' });
        await stores.close();
        await endServers();
      },
      limitMs,
    );
  },
);
