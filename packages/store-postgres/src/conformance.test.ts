import { describeStoreBackend } from '@ctx/core/testing';
import { describe, it } from 'vitest';
import { postgresBackend } from './postgres-backend.ts';
import { makePglite, pgliteDriver } from './test-support/pglite-driver.ts';
import { hasRealServer } from './test-support/real-server.ts';

const database = await makePglite();
const driver = pgliteDriver(database);
let places = 0;

/** Where a server runs the whole kit, PGlite runs what its own types and texts could get wrong. */
const ofPglite = ['bodies', 'keys', 'open', 'write', 'patching', 'empty', 'watch'];
const isShort = await hasRealServer();

describeStoreBackend({
  runner: { describe, it },
  title: isShort ? 'store-postgres on PGlite, in part' : 'store-postgres on PGlite',
  filter: ({ group }) => !isShort || ofPglite.includes(group),
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
