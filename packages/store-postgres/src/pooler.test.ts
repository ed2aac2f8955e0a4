import { afterAll, describe, expect, it } from 'vitest';
import { dropPostgresStore } from './drop-store.ts';
import { postgresBackend } from './postgres-backend.ts';
import { papers } from './test-support/papers.ts';
import { startPooler, whyNoPooler } from './test-support/pooler.ts';
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
    }, 60_000);

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
    }, 60_000);

    it('says what to set where the pooler refuses how long statements may take', async () => {
      const strict = await startPooler(server?.url ?? '', 'extra_float_digits');
      const backend = postgresBackend({ url: strict?.url ?? '' });
      await expect(backend.open([papers])).rejects.toThrow(/ignore_startup_parameters/);
      await backend.close();
      await strict?.stop();
    });
  },
);
