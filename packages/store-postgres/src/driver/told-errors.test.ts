import type { CollectionDefinition, StoreBackend } from '@ctx/store/backend';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { postgresBackend } from '../postgres-backend.ts';
import { papers } from '../test-support/papers.ts';
import { realServer, whyNoServer } from '../test-support/real-server.ts';
import { pgDriver } from './pg-driver.ts';
import type { SqlDriver } from './sql-driver.ts';

const log: CollectionDefinition = {
  name: 'log',
  key: ['tenant', 'number'],
  columns: {},
  indexes: [],
  search: [],
};

const server = await realServer();

describe.skipIf(server === undefined)(
  `what a server tells of its failures${server === undefined ? ` (${whyNoServer})` : ''}`,
  () => {
    const url = server?.url ?? '';
    const schema = `told_${String(process.pid)}`;
    let driver: SqlDriver;
    let backend: StoreBackend;
    let writes = 0;

    /** Makes the next insert into a table fail with this error. */
    const failOnce = (table: string, state: string, message: string): Promise<void> =>
      driver.script(`CREATE OR REPLACE FUNCTION "${schema}".fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('"${schema}".fails') = 1 THEN RAISE EXCEPTION USING ERRCODE = '${state}', MESSAGE = '${message}'; END IF;
        RETURN NEW; END $$;
        CREATE OR REPLACE TRIGGER fails BEFORE INSERT ON "${schema}".${table} FOR EACH ROW EXECUTE FUNCTION "${schema}".fail()`);

    /** Puts this many new records, behind one that is checked. */
    const put = (many: 1 | 2) => {
      writes += 1;
      const ids = Array.from({ length: many }, (_, at) => `${String(writes)} ${String(at)}`);
      return ids.map((id) => ({
        ...({ type: 'put', collection: 'papers', columns: {}, body: '{}' } as const),
        key: ['t', 's', id],
        expectVersion: 0,
      }));
    };

    beforeAll(async () => {
      driver = pgDriver(url, { maxConnections: 1 });
      backend = postgresBackend({ url, schema, maxConnections: 2 });
      await backend.open([papers, log]);
    });

    beforeEach(async () => {
      await driver.script(
        `DROP FUNCTION IF EXISTS "${schema}".fail CASCADE; DROP SEQUENCE IF EXISTS "${schema}".fails; CREATE SEQUENCE "${schema}".fails`,
      );
    });

    afterAll(async () => {
      await backend.close();
      await driver.script(`DROP SCHEMA "${schema}" CASCADE`);
      await driver.close();
      await server?.stop();
    });

    it.each([
      ['58030', 'failed to COPY to shard 102196 on 127.0.0.1:37183'],
      ['58030', 'failed to complete COPY on 127.0.0.1:37183'],
      ['XX000', 'terminating connection due to administrator command'],
      ['XX000', 'could not commit transaction for shard 102008 on at least one active node'],
      ['XX000', 'could not receive data from server: Connection reset by peer'],
      ['XX000', 'deadlock detected'],
      ['40003', 'result is ambiguous'],
      ['25P04', 'terminating connection due to transaction timeout'],
      ['57P02', 'terminating connection because of crash of another server process'],
    ])('%s %s: the write is done anew, once', async (state, message) => {
      for (const many of [1, 2] as const) {
        await failOnce('papers', state, message);
        const operations = put(many);
        await backend.write(operations);
        const found = await backend.get(
          'papers',
          operations.map(({ key }) => key),
        );
        expect(found.map((record) => record?.version)).toEqual(operations.map(() => 1));
        await driver.script(`SELECT setval('"${schema}".fails', 1, false)`);
      }
    });

    it.each([
      ['XX000', 'canceling statement due to user request', 'CTX_STORE_BUSY'],
      ['57014', 'canceling statement due to user request', 'CTX_STORE_BUSY'],
      ['53000', 'could not open file "x": Too many open files', 'CTX_STORE_BUSY'],
      ['53400', 'temporary file size exceeds temp_file_limit (0kB)', 'CTX_STORE_FULL'],
      ['XX000', 'could not extend file "x": No space left on device', 'CTX_STORE_FULL'],
      ['58030', 'could not read file "x": Input/output error', 'CTX_STORE_IO'],
      ['XX000', 'cache lookup failed for relation 1', 'CTX_STORE_IO'],
    ])('%s %s: told as %s, and nothing was written', async (state, message, code) => {
      await failOnce('papers', state, message);
      const operations = put(2);
      await expect(backend.write(operations)).rejects.toMatchObject({ code });
      const [found] = await backend.get('papers', [operations[0]?.key ?? []]);
      expect(found).toBeUndefined();
    });

    it('a number that Citus says was taken is given anew', async () => {
      await failOnce('log', 'XX000', 'duplicate key value violates unique constraint "log_pkey_1"');
      const appends = [{ collection: 'log', place: ['t'], records: [{ columns: {}, body: '{}' }] }];
      await backend.write(put(1), { appends });
      const all = await backend
        .scan({ collection: 'log', index: 'key', equal: ['t'] })
        .all?.((record) => record.key);
      expect(all).toEqual([['t', '000000000001']]);
    });
  },
);
