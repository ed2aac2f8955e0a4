import { afterAll, describe, expect, it } from 'vitest';
import { pgDriver } from './driver/pg-driver.ts';
import { isLostConnection } from './driver/postgres-errors.ts';
import { postgresBackend } from './postgres-backend.ts';
import { dropPostgresStore } from './schema/drop-store.ts';
import { papers } from './test-support/papers.ts';
import { startPooler, whyNoPooler } from './test-support/pooler.ts';
import { startProxy } from './test-support/proxy.ts';
import { realServer } from './test-support/real-server.ts';

const server = await realServer(true);
const pooler = server && (await startPooler(server.url, 'extra_float_digits, statement_timeout'));

afterAll(async () => {
  await pooler?.stop();
  await server?.stop();
});

describe.skipIf(pooler === undefined)(
  `a store behind a pooler in transaction mode${pooler === undefined ? ` (${whyNoPooler})` : ''}`,
  () => {
    const url = pooler?.url ?? '';
    const log = {
      ...papers,
      name: 'log',
      key: ['tenant', 'at'],
      columns: {},
      indexes: [],
    } as const;

    it('is opened by several at once: who waited sees what another made', async () => {
      for (let round = 0; round < 15; round += 1) {
        const schema = `pooled_${String(process.pid)}_${String(round)}`;
        const backends = [1, 2, 3].map(() => postgresBackend({ url, schema, maxConnections: 2 }));
        await Promise.all(backends.map((backend) => backend.open([papers])));
        await Promise.all(backends.map((backend) => backend.close()));
        await dropPostgresStore({ url, schema });
      }
    });

    it('loses and doubles nothing where several write and append at once', async () => {
      const schema = `pooled_${String(process.pid)}`;
      const backends = [1, 2, 3].map(() => postgresBackend({ url, schema, maxConnections: 4 }));
      const collections = [papers, { ...log, search: [] }];
      for (const backend of backends) await backend.open(collections);
      const record = { columns: {}, body: '{}' };
      const write = async (backend: (typeof backends)[number], id: string): Promise<void> => {
        const key = ['t', 's', id];
        await backend.write(
          [{ ...record, type: 'put', collection: 'papers', key, expectVersion: 0 }],
          { appends: [{ collection: 'log', place: ['t'], records: [record] }] },
        );
      };
      const ids = Array.from({ length: 60 }, (_, at) => String(at));
      await Promise.all(
        ids.flatMap((id, at) => backends.slice(at % 3, (at % 3) + 1).map((one) => write(one, id))),
      );
      const numbers: number[] = [];
      const query = { collection: 'log', index: 'key', equal: ['t'] };
      for await (const { key } of backends[0]?.scan(query) ?? []) numbers.push(Number(key[1]));
      expect(numbers).toEqual(ids.map((_, at) => at + 1));
      for (const backend of backends) await backend.close();
      await dropPostgresStore({ url, schema });
    });

    it('has connections to it ended that hang half open, long before a statement may not take longer', async () => {
      const proxy = await startProxy(url);
      const driver = pgDriver(proxy.url, { maxConnections: 2 });
      await Promise.all([driver.query('SELECT pg_sleep(0.1)'), driver.query('SELECT 1')]);
      proxy.hold();
      // A minute is what a statement may take; a test has 30 s.
      const asked = driver.query('SELECT 2 AS n').catch((error: unknown) => error);
      expect(isLostConnection(await asked)).toBe(true);
      expect(await driver.query('SELECT 3 AS n')).toEqual([{ n: 3 }]);
      await driver.close();
      proxy.close();
    });

    it('keeps no statement there: the next transaction may be given to another process of the server', async () => {
      const driver = pgDriver(url, { maxConnections: 1 });
      const repeat = () => driver.lists('SELECT 5', [], { isRepeated: true });
      for (let round = 0; round < 4; round += 1) expect(await repeat()).toEqual([[5]]);
      const kept = `SELECT name FROM pg_prepared_statements WHERE statement = 'SELECT 5'`;
      expect(await driver.query(kept)).toEqual([]);
      await driver.close();
    });

    it('leaves alone who works long, and who waits in line for a connection of the pooler', async () => {
      const driver = pgDriver(url, { maxConnections: 8 });
      // The pooler has four.
      const all = Array.from({ length: 8 }, (_, at) =>
        driver.query(`SELECT ${String(at)} AS n, pg_sleep(2)`),
      );
      const answers = await Promise.all(all);
      expect(answers.map(([row]) => row?.['n'])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      await driver.close();
    });

    it('says what to set where the pooler refuses how long statements may take', async () => {
      const strict = await startPooler(server?.url ?? '', 'extra_float_digits');
      const backend = postgresBackend({ url: strict?.url ?? '' });
      await expect(backend.open([papers])).rejects.toThrow(/ignore_startup_parameters/);
      await backend.close();
      await strict?.stop();
    });
  },
);
