import { describeStoreBackend } from '@ctx/store/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { pgDriver } from './driver/pg-driver.ts';
import { lockPostgresTenants } from './lock/lock-tenants.ts';
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
    await driver.script(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
    await driver.close();
    await server.stop();
  });
  const newPlace = (name: string): string => {
    places += 1;
    return `${name}_${String(process.pid)}_${String(places)}`;
  };
  const remove = async (place: string): Promise<void> => {
    await driver.query(`DROP SCHEMA IF EXISTS "${place}" CASCADE`);
  };
  describeStoreBackend({
    runner: { describe, it },
    title: 'store-postgres on a server',
    create: ({ place }) => postgresBackend({ url, schema: place, maxConnections: 4 }),
    places: { make: () => Promise.resolve(newPlace('kit')), remove },
  });

  // Whom the lock holds: a user who is no superuser, also where the tables are his own.
  const user = `kit_${String(process.pid)}`;
  const as = new URL(url);
  as.username = user;
  const lockedUrl = as.href;
  const database = decodeURIComponent(as.pathname.slice(1));
  await driver.script(
    `CREATE ROLE ${user} LOGIN; GRANT CREATE ON DATABASE "${database}" TO ${user}`,
  );
  describeStoreBackend({
    runner: { describe, it },
    title: 'store-postgres on a server that keeps tenants apart',
    create: ({ place }) => postgresBackend({ url: lockedUrl, schema: place, maxConnections: 4 }),
    places: {
      make: async () => {
        const place = newPlace('locked');
        const empty = postgresBackend({ url: lockedUrl, schema: place });
        await empty.open([]);
        await empty.close();
        await lockPostgresTenants({ url: lockedUrl, schema: place, isLocked: true });
        return place;
      },
      remove,
    },
  });
}
