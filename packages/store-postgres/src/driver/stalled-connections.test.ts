import { afterAll, describe, expect, it } from 'vitest';
import { startProxy } from '../test-support/proxy.ts';
import { realServer, whyNoServer } from '../test-support/real-server.ts';
import { pgDriver } from './pg-driver.ts';
import { isLostConnection } from './postgres-errors.ts';

const server = await realServer();
const url = server?.url ?? '';

afterAll(async () => {
  await server?.stop();
});

describe.skipIf(server === undefined)(
  `connections that say nothing${server === undefined ? ` (${whyNoServer})` : ''}`,
  () => {
    it('are ended where they hang half open, long before a statement may not take longer', async () => {
      const proxy = await startProxy(url);
      const driver = pgDriver(proxy.url, { maxConnections: 1 });
      await driver.query('SELECT 1');
      proxy.hold();
      // A minute is what a statement may take; a test has 30 s.
      const asked = driver.query('SELECT 2 AS n').catch((error: unknown) => error);
      expect(isLostConnection(await asked)).toBe(true);
      expect(await driver.query('SELECT 3 AS n')).toEqual([{ n: 3 }]);
      await driver.close();
      proxy.close();
    }, 30_000);

    it('cost the time of finding out once, however many hang', async () => {
      const proxy = await startProxy(url);
      const driver = pgDriver(proxy.url, { maxConnections: 8 });
      const all = Array.from({ length: 8 }, () => driver.query('SELECT pg_sleep(0.1)'));
      await Promise.all(all);
      proxy.hold();
      let lost = 0;
      for (let count = 0; count < 8; count += 1) {
        await driver.query('SELECT 1').catch(() => (lost += 1));
      }
      expect(lost).toBe(1);
      await driver.close();
      proxy.close();
    }, 30_000);
  },
);
