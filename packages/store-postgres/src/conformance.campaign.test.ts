import { describeStoreBackend } from '@ctx/store/testing';
import { describe, it } from 'vitest';
import { postgresBackend } from './postgres-backend.ts';
import { makePglite, pgliteDriver } from './test-support/pglite-driver.ts';

const database = await makePglite();
const driver = pgliteDriver(database);
let places = 0;

describeStoreBackend({
  runner: { describe, it },
  title: 'store-postgres on PGlite',
  create: ({ place }) => postgresBackend({ driver, schema: place }),
  places: {
    make: () => {
      places += 1;
      return Promise.resolve(`place_${String(places)}`);
    },
    remove: async (place) => {
      await driver.query(`DROP SCHEMA IF EXISTS "${place}" CASCADE`);
    },
  },
});
