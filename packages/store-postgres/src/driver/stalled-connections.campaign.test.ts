import { afterAll, describe, expect, it } from 'vitest';
import { postgresBackend } from '../postgres-backend.ts';
import { papers } from '../test-support/papers.ts';
import { startProxy } from '../test-support/proxy.ts';
import { realServer, whyNoServer } from '../test-support/real-server.ts';
import { pgDriver } from './pg-driver.ts';
import { isLostConnection } from './postgres-errors.ts';

const server = await realServer();
const url = server?.url ?? '';
const schema = `silent_${String(process.pid)}`;

afterAll(async () => {
  const driver = pgDriver(url, { maxConnections: 1 });
  if (server !== undefined) await driver.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  await driver.close();
  await server?.stop();
});

describe.skipIf(server === undefined)(
  `connections that say nothing${server === undefined ? ` (${whyNoServer})` : ''}`,
  () => {
    it('are left alone while the server is at work for them', async () => {
      const driver = pgDriver(url, { maxConnections: 1 });
      const [before] = await driver.query('SELECT pg_backend_pid() AS pid');
      await driver.query('SELECT pg_sleep(2.5)');
      expect(await driver.query('SELECT pg_backend_pid() AS pid')).toEqual([before]);
      await driver.close();
    });

    it('are left alone while the server is at work, also where something between gives them its own numbers, as poolers do', async () => {
      const proxy = await startProxy(url, { hidesProcesses: true });
      const driver = pgDriver(proxy.url, { maxConnections: 1 });
      const [before] = await driver.query('SELECT pg_backend_pid() AS pid');
      await driver.query('SELECT pg_sleep(2)');
      expect(await driver.query('SELECT pg_backend_pid() AS pid')).toEqual([before]);
      await driver.close();
      proxy.close();
    });

    it('are ended where something between gives them its own numbers: the server knows their names', async () => {
      const proxy = await startProxy(url, { hidesProcesses: true });
      const driver = pgDriver(proxy.url, { maxConnections: 1 });
      await driver.query('SELECT 1');
      proxy.hold();
      const asked = driver.query('SELECT 2 AS n').catch((error: unknown) => error);
      expect(isLostConnection(await asked)).toBe(true);
      await driver.close();
      proxy.close();
    }, 30_000);

    it('are left alone where neither their numbers nor their names are known', async () => {
      const proxy = await startProxy(url, { hidesProcesses: true });
      const named = new URL(proxy.url);
      named.searchParams.set('application_name', 'theirs');
      const driver = pgDriver(named.href, { maxConnections: 1 });
      const [before] = await driver.query('SELECT pg_backend_pid() AS pid');
      await driver.query('SELECT pg_sleep(2)');
      expect(await driver.query('SELECT pg_backend_pid() AS pid')).toEqual([before]);
      await driver.close();
      proxy.close();
    });

    it('are asked about twice before they are ended: an answer may be under way', async () => {
      const proxy = await startProxy(url);
      const driver = pgDriver(proxy.url, { maxConnections: 1 });
      await driver.query('SELECT 1');
      const before = proxy.opened();
      proxy.hold();
      await driver.query('SELECT 2 AS n').catch(() => undefined);
      // Each question is a connection of its own.
      expect(proxy.opened() - before).toBe(2);
      await driver.close();
      proxy.close();
    }, 30_000);

    it('lose and double no write with the settings that are usual', async () => {
      const proxy = await startProxy(url);
      const backend = postgresBackend({ url: proxy.url, schema, maxConnections: 4 });
      await backend.open([papers]);
      const put = (id: string) => ({
        ...({ type: 'put', collection: 'papers', columns: {}, body: '{}' } as const),
        key: ['t', 's', id],
      });
      for (let round = 0; round < 3; round += 1) {
        const writes = ['a', 'b', 'c', 'd'].map((id) => backend.write([put(id)]));
        proxy.hold();
        await Promise.all(writes);
      }
      const keys = ['a', 'b', 'c', 'd'].map((id) => ['t', 's', id]);
      const found = await backend.get('papers', keys);
      expect(found.map((record) => record?.version)).toEqual([3, 3, 3, 3]);
      await backend.close();
      proxy.close();
    }, 60_000);
  },
);
