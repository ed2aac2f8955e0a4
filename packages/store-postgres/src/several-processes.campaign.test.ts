import { setTimeout as pause } from 'node:timers/promises';
import { isCtxError } from '@ctx/core';
import type { StoreBackend } from '@ctx/store/backend';
import { afterAll, describe, expect, it } from 'vitest';
import { pgDriver } from './driver/pg-driver.ts';
import { postgresBackend } from './postgres-backend.ts';
import type { PostgresStoreOptions } from './store-place.ts';
import { changeSchema } from './schema/open-tables.ts';
import { papers } from './test-support/papers.ts';
import { startProxy } from './test-support/proxy.ts';
import { realServer, whyNoServer } from './test-support/real-server.ts';
import { writeId } from './write/notes.ts';

const server = await realServer();
const url = server?.url ?? '';
let schemas = 0;

afterAll(async () => {
  await server?.stop();
});

function newSchema(): string {
  schemas += 1;
  return `many_${String(process.pid)}_${String(schemas)}`;
}

async function dropSchema(schema: string): Promise<void> {
  const driver = pgDriver(url, { maxConnections: 1 });
  await driver.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  await driver.close();
}

async function countUp(backend: StoreBackend, id: string): Promise<void> {
  const key = ['t', 's', id];
  const [found] = await backend.get('papers', [key]);
  const year = Number(found?.columns['year'] ?? 0) + 1;
  const expectVersion = found?.version ?? 0;
  await backend.write([
    { ...{ type: 'put', collection: 'papers', key, body: '{}' }, columns: { year }, expectVersion },
  ]);
}

/** Closes a backend that erases, as often as it takes: transactions of other tests on the server keep deleted records, too. */
async function closeErasing(place: PostgresStoreOptions, backend: StoreBackend): Promise<void> {
  let error: unknown = await backend.close().catch((thrown: unknown) => thrown);
  for (let tries = 0; error !== undefined && tries < 12; tries += 1) {
    expect(isCtxError(error, 'CTX_STORE_BUSY')).toBe(true);
    const again = postgresBackend(place);
    await again.open([papers]);
    error = await again.close().catch((thrown: unknown) => thrown);
  }
  expect(error).toBeUndefined();
}

describe.skipIf(server === undefined)(
  `several processes${server === undefined ? ` (${whyNoServer})` : ''}`,
  () => {
    it('loses and doubles nothing through a proxy that cuts connections', async () => {
      const schema = newSchema();
      const proxy = await startProxy(url);
      const backend = postgresBackend({ url: proxy.url, schema, maxConnections: 4 });
      await backend.open([papers]);
      for (let round = 0; round < 40; round += 1) {
        const writes = ['a', 'b', 'c'].map((id) => countUp(backend, id));
        if (round % 2 === 0) setTimeout(proxy.cut, round % 8);
        await Promise.all(writes);
      }
      const keys = ['a', 'b', 'c'].map((id) => ['t', 's', id]);
      const found = await backend.get('papers', keys);
      expect(found.map((record) => [record?.version, record?.columns['year']])).toEqual(
        keys.map(() => [40, 40]),
      );
      await backend.close();
      proxy.close();
      await dropSchema(schema);
    });

    it('goes on where connections hang half open', async () => {
      const schema = newSchema();
      const proxy = await startProxy(url);
      const options = { url: proxy.url, schema, maxConnections: 2, statementTimeoutMs: 200 };
      const backend = postgresBackend({ ...options, answerGraceMs: 300 });
      await backend.open([papers]);
      await countUp(backend, 'a');
      proxy.hold();
      await countUp(backend, 'a');
      const [found] = await backend.get('papers', [['t', 's', 'a']]);
      expect([found?.version, found?.columns['year']]).toEqual([2, 2]);
      await backend.close();
      proxy.close();
      await dropSchema(schema);
    });

    it('sees what another made while it waited for its turn, also on a connection that others share', async () => {
      const schema = newSchema();
      const [first, looking] = [pgDriver(url, { maxConnections: 1 }), pgDriver(url)];
      // As behind a pooler: what one of them looked for is known to the connection of the other.
      const shared = pgDriver(url, { maxConnections: 1 });
      const backends = [1, 2, 3].map(() => postgresBackend({ driver: shared, schema }));
      const opening: Promise<void>[] = [];
      await changeSchema({ driver: first, schemaName: schema }, async (session) => {
        opening.push(...backends.map((backend) => backend.open([papers])));
        const waits = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND query LIKE '%pg_advisory_xact_lock%'`;
        while ((await looking.query(waits)).length === 0);
        await session.query(`CREATE SCHEMA "${schema}"`);
      });
      await Promise.all(opening);
      for (const backend of backends) await countUp(backend, 'a');
      // The connection is theirs together, and ends with the first.
      await backends[0]?.close();
      await Promise.all([first.close(), looking.close()]);
      await dropSchema(schema);
    });

    it('ends in one clean schema where several raise an old one at once', async () => {
      const schema = newSchema();
      const old = postgresBackend({ url, schema });
      await old.open([papers]);
      await countUp(old, 'a');
      const wanted = {
        ...papers,
        columns: { ...papers.columns, pages: { type: 'integer', nullable: true } },
        indexes: [...papers.indexes, { name: 'by_pages', fields: ['tenant', 'pages'] }],
      } as const;
      const backends = Array.from({ length: 4 }, () => postgresBackend({ url, schema }));
      await Promise.all(
        backends.map((backend) => backend.open([wanted, { ...papers, name: 'more' }])),
      );
      await countUp(old, 'a');
      for (const backend of backends) {
        const [found] = await backend.get('papers', [['t', 's', 'a']]);
        expect(found?.columns).toEqual({ year: 2, author: null, pages: null });
        await backend.close();
      }
      await old.close();
      await dropSchema(schema);
    });

    it('opens as a user who may not make tables, and says where that user may not write', async () => {
      const schema = newSchema();
      const user = `reader_${String(process.pid)}`;
      const own = postgresBackend({ url, schema });
      await own.open([papers]);
      await countUp(own, 'a');
      const driver = pgDriver(url, { maxConnections: 1 });
      const grants = `GRANT USAGE ON SCHEMA "${schema}" TO ${user}; GRANT SELECT ON ALL TABLES IN SCHEMA "${schema}" TO ${user}`;
      await driver.script(`DROP ROLE IF EXISTS ${user}; CREATE ROLE ${user} LOGIN; ${grants}`);
      const as = new URL(url);
      as.username = user;
      const refused = postgresBackend({ url: as.href, schema });
      const error: unknown = await refused.open([papers]).catch((thrown: unknown) => thrown);
      expect(isCtxError(error, 'CTX_STORE_READ_ONLY')).toBe(true);
      await refused.close();
      const reading = postgresBackend({ url: as.href, schema, readOnly: true });
      await reading.open([papers]);
      expect(await reading.get('papers', [['t', 's', 'a']])).toMatchObject([{ version: 1 }]);
      await reading.close();
      await own.close();
      await dropSchema(schema);
      await driver.script(`DROP ROLE ${user}`);
      await driver.close();
    });

    it('takes the bytes of deleted records out of its tables where that is asked for', async () => {
      const schema = newSchema();
      // A database of its own: dead rows stay as long as an older transaction of the same database might read them.
      const server = pgDriver(url, { maxConnections: 1 });
      await server.query(`CREATE DATABASE "${schema}"`);
      const own = new URL(url);
      own.pathname = `/${schema}`;
      const place = { url: own.href, schema, eraseOnClose: true };
      const backend = postgresBackend(place);
      await backend.open([papers]);
      const ids = Array.from({ length: 40 }, (_, at) => String(at));
      await Promise.all(ids.map((id) => countUp(backend, id)));
      const driver = pgDriver(own.href, { maxConnections: 1 });
      const size = async (): Promise<unknown> => {
        const rows = await driver.query(`SELECT pg_relation_size('"${schema}".papers') AS size`);
        return rows[0]?.['size'];
      };
      expect(await size()).toBeGreaterThan(0);
      const notes = `"${schema}"."ctx$$writes"`;
      // Of a tenant that is gone: it writes no more, so that no write of its own lets go of it.
      const hoursAgo = Date.now() - 2 * 3_600_000;
      await driver.query(`INSERT INTO ${notes} (tenant, id, at) VALUES ('gone', $1, $2)`, [
        writeId(hoursAgo),
        hoursAgo,
      ]);
      await backend.write(
        ids.map((id) => ({ type: 'delete', collection: 'papers', key: ['t', 's', id] }) as const),
      );
      await closeErasing(place, backend);
      expect(await size()).toBe(0);
      const left = await driver.query(`SELECT DISTINCT tenant FROM ${notes}`);
      expect(left).toEqual([{ tenant: 't' }]);
      await driver.close();
      await server.query(`DROP DATABASE "${schema}"`);
      await server.close();
    });

    it('waits with that for who still reads what was deleted, and says so where they go on', async () => {
      const schema = newSchema();
      const server = pgDriver(url, { maxConnections: 1 });
      await server.query(`CREATE DATABASE "${schema}"`);
      const own = new URL(url);
      own.pathname = `/${schema}`;
      const place = { url: own.href, schema, eraseOnClose: true };
      const driver = pgDriver(own.href, { maxConnections: 2 });
      const rows = async (): Promise<unknown> => {
        const size = `SELECT pg_relation_size('"${schema}".papers') AS size`;
        return (await driver.query(size))[0]?.['size'];
      };
      await driver.session(async (reader) => {
        const deleteBeside = async (id: string): Promise<StoreBackend> => {
          const backend = postgresBackend(place);
          await backend.open([papers]);
          await countUp(backend, id);
          await reader.script(`BEGIN ISOLATION LEVEL REPEATABLE READ`);
          await reader.query(`SELECT 1 FROM pg_class LIMIT 1`);
          await backend.write([{ type: 'delete', collection: 'papers', key: ['t', 's', id] }]);
          return backend;
        };
        const stopped: unknown = await (await deleteBeside('a'))
          .close()
          .catch((thrown: unknown) => thrown);
        expect(isCtxError(stopped, 'CTX_STORE_BUSY')).toBe(true);
        await reader.script('COMMIT');
        const patient = closeErasing(place, await deleteBeside('b'));
        await pause(300);
        await reader.script('COMMIT');
        await patient;
      });
      expect(await rows()).toBe(0);
      // Who writes in another database began before, too.
      await server.session(async (writer) => {
        await writer.script('BEGIN');
        await writer.query('SELECT pg_current_xact_id()');
        const backend = postgresBackend(place);
        await backend.open([papers]);
        await countUp(backend, 'c');
        await backend.write([{ type: 'delete', collection: 'papers', key: ['t', 's', 'c'] }]);
        const patient = closeErasing(place, backend);
        await pause(300);
        await writer.script('COMMIT');
        await patient;
      });
      expect(await rows()).toBe(0);
      await driver.close();
      await server.query(`DROP DATABASE "${schema}"`);
      await server.close();
    });
  },
);
