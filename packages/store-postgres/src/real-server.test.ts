import { describeStoreBackend } from '@ctx/core/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { pgDriver } from './pg-driver.ts';
import { postgresBackend } from './postgres-backend.ts';
import { realServer, whyNoServer } from './test-support/real-server.ts';

const server = await realServer();

if (server === undefined) {
  describe('store-postgres on a server', () => {
    it.skip(whyNoServer, () => undefined);
    it('is tested where that is asked for', () => {
      expect(process.env['CTX_NEEDS_POSTGRES'] ?? '').not.toBe('1');
    });
  });
} else {
  const { url } = server;
  const driver = pgDriver(url);
  let places = 0;
  afterAll(async () => {
    await driver.close();
    await server.stop();
  });
  describeStoreBackend({
    runner: { describe, it },
    title: 'store-postgres on a server',
    create: ({ place }) => postgresBackend({ url, schema: place, maxConnections: 4 }),
    places: {
      make: () => {
        places += 1;
        return Promise.resolve(`kit_${String(process.pid)}_${String(places)}`);
      },
      remove: async (place) => {
        await driver.query(`DROP SCHEMA IF EXISTS "${place}" CASCADE`);
      },
    },
  });
}
