import { isCtxError } from '@ctx/core';
import { afterAll, describe, expect, it } from 'vitest';
import { type PoolOptions, pgDriver } from './driver/pg-driver.ts';
import type { SqlDriver } from './driver/sql-driver.ts';
import { postgresBackend } from './postgres-backend.ts';
import { papers } from './test-support/papers.ts';
import { realServer, whyNoServer } from './test-support/real-server.ts';

const server = await realServer();
const url = server?.url ?? '';
let schemas = 0;

afterAll(async () => {
  await server?.stop();
});

function newSchema(): string {
  schemas += 1;
  return `pool_${String(process.pid)}_${String(schemas)}`;
}

/** A driver that is closed at the end, whatever happens. */
async function withDriver<Result>(
  options: PoolOptions,
  work: (driver: SqlDriver) => Promise<Result>,
): Promise<Result> {
  const driver = pgDriver(url, options);
  try {
    return await work(driver);
  } finally {
    await driver.close();
  }
}

async function pidOf(driver: Pick<SqlDriver, 'query'>): Promise<unknown> {
  const [row] = await driver.query('SELECT pg_backend_pid() AS pid');
  return row?.['pid'];
}

const put = (id: string, expectVersion?: number) => ({
  ...({ type: 'put', collection: 'papers', key: ['t', 's', id], columns: {}, body: '{}' } as const),
  ...(expectVersion === undefined ? {} : { expectVersion }),
});

describe.skipIf(server === undefined)(
  `the pool of connections${server === undefined ? ` (${whyNoServer})` : ''}`,
  () => {
    it('has no more connections than allowed, however many calls there are', async () => {
      await withDriver({ maxConnections: 3 }, async (driver) => {
        const pids = Array.from({ length: 30 }, () => driver.session(pidOf));
        expect(new Set(await Promise.all(pids)).size).toBeLessThanOrEqual(3);
      });
    }, 60_000);

    it('sends no commit behind a statement that could not be sent, and gives the connection up', async () => {
      await withDriver({ maxConnections: 1 }, async (driver) => {
        const table = `unsent_${String(process.pid)}`;
        await driver.script(`CREATE TABLE ${table} (n int)`);
        const pid = await pidOf(driver);
        // No value of ours: a driver cannot make a message of it.
        const toPostgres = (): unknown => JSON.parse('no JSON');
        const bad = { toPostgres } as unknown as string;
        const work = driver.session(async (session) => {
          await Promise.all([
            session.script('BEGIN'),
            session.query(`INSERT INTO ${table} VALUES (1)`),
            session.query(`INSERT INTO ${table} VALUES ($1)`, [bad]),
            session.script('COMMIT'),
          ]);
        });
        await expect(work).rejects.toThrow(SyntaxError);
        expect(await driver.query(`SELECT n FROM ${table}`)).toEqual([]);
        expect(await pidOf(driver)).not.toBe(pid);
        await driver.script(`DROP TABLE ${table}`);
      });
    }, 60_000);

    it('says that it is busy where none comes free in time, and does not wait again and again', async () => {
      const schema = newSchema();
      const options = { maxConnections: 1, connectTimeoutMs: 300 };
      const driver = pgDriver(url, options);
      const backend = postgresBackend({ driver, schema });
      await backend.open([papers]);
      const waits = await driver.session(async () => {
        const start = performance.now();
        const error: unknown = await backend
          .get('papers', [['t', 's', 'a']])
          .catch((thrown: unknown) => thrown);
        expect(isCtxError(error, 'CTX_STORE_BUSY')).toBe(true);
        expect(String(error)).toContain('maxConnections');
        return Math.floor((performance.now() - start) / options.connectTimeoutMs);
      });
      // With every try a further wait of that length would be added: 40 of them once.
      expect(waits).toBeLessThan(20);
      expect(await backend.get('papers', [['t', 's', 'a']])).toEqual([undefined]);
      await driver.query(`DROP SCHEMA "${schema}" CASCADE`);
      await backend.close();
    }, 60_000);

    it('keeps its connection where a version does not hold', async () => {
      const schema = newSchema();
      const driver = pgDriver(url, { maxConnections: 1 });
      const backend = postgresBackend({ driver, schema });
      await backend.open([papers]);
      await backend.write([put('a'), put('b')]);
      const before = await pidOf(driver);
      for (const operations of [
        [put('a', 7)],
        [put('a', 7), put('b')],
        [put('a', 0), put('c', 0)],
      ]) {
        const error: unknown = await backend.write(operations).catch((thrown: unknown) => thrown);
        expect(isCtxError(error, 'CTX_STORE_CONFLICT')).toBe(true);
      }
      expect(await pidOf(driver)).toBe(before);
      await driver.query(`DROP SCHEMA "${schema}" CASCADE`);
      await backend.close();
    }, 60_000);

    it('gives no connection on that stands in a transaction', async () => {
      await withDriver({ maxConnections: 1 }, async (driver) => {
        const before = await pidOf(driver);
        const failed = driver.session(async (session) => {
          await session.script('BEGIN');
          throw new Error('in the middle');
        });
        await expect(failed).rejects.toThrow('in the middle');
        expect(await pidOf(driver)).not.toBe(before);
      });
    }, 60_000);

    it('ends a statement that takes too long', async () => {
      await withDriver({ statementTimeoutMs: 100 }, async (driver) => {
        await expect(driver.query('SELECT pg_sleep(20)')).rejects.toMatchObject({ code: '57014' });
      });
    }, 60_000);

    it('lets a patient session take its time, and only that one', async () => {
      const options = { statementTimeoutMs: 100, answerGraceMs: 50, maxConnections: 1 };
      await withDriver(options, async (driver) => {
        const slow = driver.session((session) => session.query('SELECT pg_sleep(0.4)'), {
          isPatient: true,
        });
        expect(await slow).toHaveLength(1);
        await expect(driver.query('SELECT pg_sleep(20)')).rejects.toThrow();
      });
    }, 60_000);

    it('waits for who changes the schema, also where statements may not take long', async () => {
      const schema = newSchema();
      const first = postgresBackend({ url, schema });
      await first.open([papers]);
      await first.close();
      await withDriver({}, async (holder) => {
        const wanted = { ...papers, name: 'more' };
        const slow = postgresBackend({ url, schema, statementTimeoutMs: 100, answerGraceMs: 50 });
        let opening: Promise<void> | undefined;
        await holder.session(async (session) => {
          await session.script('BEGIN');
          // Whoever alters a table waits for the lock that this holds.
          await session.script(`LOCK TABLE "${schema}"."ctx$$meta" IN SHARE MODE`);
          opening = slow.open([papers, wanted]);
          await session.query('SELECT pg_sleep(0.5)');
          await session.script('COMMIT');
        });
        await opening;
        expect(await slow.get('more', [['t', 's', 'a']])).toEqual([undefined]);
        await slow.close();
        await holder.query(`DROP SCHEMA "${schema}" CASCADE`);
      });
    }, 60_000);
  },
);
