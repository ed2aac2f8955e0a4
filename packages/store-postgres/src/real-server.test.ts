import { describeStoreBackend } from '@ctx/core/testing';
import { describe, it } from 'vitest';
import { pgDriver } from './pg-driver.ts';
import { postgresBackend } from './postgres-backend.ts';

const url = process.env['CTX_TEST_POSTGRES'];

if (url === undefined) {
  describe('store-postgres on a server', () => {
    it.skip('no server: give its URL as CTX_TEST_POSTGRES', () => undefined);
  });
} else {
  const driver = pgDriver(url);
  let places = 0;
  describeStoreBackend({
    runner: { describe, it },
    title: 'store-postgres on a server',
    create: ({ place }) => postgresBackend({ url, schema: place }),
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
