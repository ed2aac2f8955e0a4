import { isCtxError } from '@ctx/core';
import type { CollectionDefinition, StoreBackend } from '@ctx/store/backend';
import { afterAll, describe, expect, it } from 'vitest';
import { pgDriver } from './driver/pg-driver.ts';
import { postgresBackend } from './postgres-backend.ts';
import { realServer, whyNoServer } from './test-support/real-server.ts';

const notes: CollectionDefinition = {
  name: 'notes',
  key: ['tenant', 'id'],
  columns: { rank: { type: 'integer' } },
  indexes: [],
  search: [],
};

const server = await realServer(true);
let schemas = 0;

afterAll(async () => {
  await server?.stop();
});

async function openNotes(url: string): Promise<{ backend: StoreBackend; schema: string }> {
  schemas += 1;
  const schema = `lost_${String(process.pid)}_${String(schemas)}`;
  const backend = postgresBackend({ url, schema, maxConnections: 8 });
  await backend.open([notes]);
  return { backend, schema };
}

/** Adds one to a record, again and again where somebody else did so first: what is acknowledged counts once. */
async function addOne(backend: StoreBackend, id: string): Promise<void> {
  for (;;) {
    const [found] = await backend.get('notes', [['t', id]]);
    const version = found?.version ?? 0;
    const rank = Number(found?.columns['rank'] ?? 0) + 1;
    try {
      await backend.write([
        {
          ...{ type: 'put', collection: 'notes', key: ['t', id], columns: { rank }, body: '{}' },
          expectVersion: version,
        },
      ]);
      return;
    } catch (error) {
      if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
    }
  }
}

describe.skipIf(server === undefined)(
  `a server that fails${server === undefined ? ` (${whyNoServer})` : ''}`,
  () => {
    const url = server?.url ?? '';

    it('loses and doubles nothing where its connections are ended in the middle of 1,000 writes', async () => {
      const { backend, schema } = await openNotes(url);
      const killer = pgDriver(url, { maxConnections: 1 });
      const run = { isDone: false, writes: 0 };
      const killing = (async () => {
        let killed = 0;
        let next = 0;
        while (!run.isDone) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          // On a slow machine, too, some writes come through between two deaths.
          if (run.writes < next) continue;
          next = run.writes + 2;
          const rows = await killer.query(
            `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
           WHERE pid <> pg_backend_pid() AND application_name LIKE 'ctx %' AND query LIKE $1 LIMIT 1`,
            [`%${schema}%`],
          );
          killed += rows.length;
        }
        return killed;
      })();
      const workers = Array.from({ length: 8 }, async (_, worker) => {
        for (let count = 0; count < 125; count += 1) {
          await addOne(backend, `w${String(worker % 4)}`);
          run.writes += 1;
        }
      });
      await Promise.all(workers);
      run.isDone = true;
      expect(await killing).toBeGreaterThan(5);
      const ids = ['w0', 'w1', 'w2', 'w3'].map((id) => ['t', id]);
      const found = await backend.get('notes', ids);
      expect(found.map((record) => record?.columns['rank'])).toEqual([250, 250, 250, 250]);
      expect(found.map((record) => record?.version)).toEqual([250, 250, 250, 250]);
      await backend.close();
      await killer.query(`DROP SCHEMA "${schema}" CASCADE`);
      await killer.close();
    });

    it.skipIf(server?.crash === undefined)(
      'loses and doubles nothing where it is stopped at once and started again in the middle of writes',
      async () => {
        const { backend } = await openNotes(url);
        const run = { isDone: false };
        const counts = [0, 0, 0, 0];
        // Where the server is away for longer than a call tries, nobody knows whether that write was made.
        const unsure = [0, 0, 0, 0];
        const workers = counts.map(async (_, worker) => {
          while (!run.isDone) {
            try {
              await addOne(backend, `w${String(worker)}`);
              counts[worker] = (counts[worker] ?? 0) + 1;
            } catch (error) {
              if (!isCtxError(error, 'CTX_STORE_UNREACHABLE')) throw error;
              unsure[worker] = (unsure[worker] ?? 0) + 1;
            }
          }
        });
        for (let crashes = 0; crashes < 3; crashes += 1) {
          await new Promise((resolve) => setTimeout(resolve, 300));
          await server?.crash?.();
        }
        run.isDone = true;
        await Promise.all(workers);
        const found = await backend.get(
          'notes',
          counts.map((_, worker) => ['t', `w${String(worker)}`]),
        );
        for (const [worker, acknowledged] of counts.entries()) {
          const rank = Number(found[worker]?.columns['rank']);
          expect(rank).toBeGreaterThanOrEqual(acknowledged);
          expect(rank).toBeLessThanOrEqual(acknowledged + (unsure[worker] ?? 0));
        }
        expect(Math.min(...counts)).toBeGreaterThan(0);
        await backend.close();
      },
      120_000,
    );
  },
);
