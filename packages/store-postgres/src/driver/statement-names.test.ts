import { afterAll, describe, expect, it, test } from 'vitest';
import { postgresBackend } from '../postgres-backend.ts';
import { dropPostgresStore } from '../schema/drop-store.ts';
import { papers } from '../test-support/papers.ts';
import { realServer, whyNoServer } from '../test-support/real-server.ts';
import { pgDriver } from './pg-driver.ts';
import type { SqlSession } from './sql-driver.ts';
import { statementNames } from './statement-names.ts';

const server = await realServer();
const url = server?.url ?? '';

afterAll(async () => {
  await server?.stop();
});

test('each text has one name, and of very many texts only the first have one', () => {
  const nameOf = statementNames();
  const texts = Array.from({ length: 150 }, (_, at) => `SELECT ${String(at)}`);
  const names = texts.map(nameOf);
  const given = names.filter((name) => name !== undefined);
  expect(new Set(given).size).toBe(100);
  expect(names.slice(100).every((name) => name === undefined)).toBe(true);
  expect(texts.map(nameOf)).toEqual(names);
});

const repeat = (session: SqlSession, sql: string): Promise<unknown> =>
  session.lists(sql, [], { isRepeated: true });

async function keptStatements(session: SqlSession): Promise<unknown[]> {
  const rows = await session.query('SELECT statement FROM pg_prepared_statements ORDER BY 1');
  return rows.map(({ statement }) => statement);
}

describe.skipIf(server === undefined)(
  `statements that are repeated${server === undefined ? ` (${whyNoServer})` : ''}`,
  () => {
    it('are kept by the server, those that are sent once are not', async () => {
      const driver = pgDriver(url, { maxConnections: 1 });
      await repeat(driver, 'SELECT 1');
      for (let round = 0; round < 3; round += 1) {
        expect(await repeat(driver, 'SELECT 2')).toEqual([[2]]);
        await driver.lists('SELECT 3', []);
      }
      expect(await keptStatements(driver)).toContain('SELECT 2');
      expect(await keptStatements(driver)).not.toContain('SELECT 3');
      await driver.close();
    });

    it('do no harm in a transaction that fails, nor on the connection behind it', async () => {
      const driver = pgDriver(url, { maxConnections: 1 });
      await repeat(driver, 'SELECT 1');
      const failed = driver.session(async (session) => {
        await session.script('BEGIN');
        const all = [repeat(session, 'SELECT 1 / 0'), repeat(session, 'SELECT 4')];
        const [first, second] = await Promise.allSettled(all);
        await session.script('ROLLBACK');
        return [first?.status, second?.status];
      });
      expect(await failed).toEqual(['rejected', 'rejected']);
      expect(await repeat(driver, 'SELECT 4')).toEqual([[4]]);
      expect(await repeat(driver, 'SELECT 4')).toEqual([[4]]);
      await driver.close();
    });

    // The server may take a plan for small tenants, and keep it for one that has nearly everything.
    it('walk an index with whatever plan is kept: none reads and sorts a large tenant for a page', async () => {
      const schema = `plans_${String(process.pid)}`;
      const driver = pgDriver(url, { maxConnections: 1 });
      const backend = postgresBackend({ driver, schema });
      await backend.open([papers]);
      const tenants = Array.from({ length: 400 }, (_, at) => `small-${String(at)}`);
      const many = Array.from({ length: 4000 }, () => 'large');
      const operations = [...tenants, ...many].map((tenant, at) => ({
        ...({ type: 'put', collection: 'papers', body: '{}', expectVersion: 0 } as const),
        key: [tenant, 's', String((at * 7919) % 10_007)],
        columns: { year: (at * 31) % 997, author: null },
      }));
      await backend.write(operations);
      await driver.script(`ANALYZE "${schema}".papers; SET plan_cache_mode = force_generic_plan`);
      const range = { from: 5 };
      for (const equal of [['small-1'], ['small-2'], ['large']]) {
        const query = { collection: 'papers', index: 'by_year', equal, range, limit: 20 };
        expect(await backend.scan(query).all?.((record) => record.key)).toBeDefined();
      }
      const [kept] = await driver.query(
        `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%papers%' AND statement LIKE '%LIMIT%'`,
      );
      const plan = await driver.query(`EXPLAIN EXECUTE ${String(kept?.['name'])}('large', 5, 20)`);
      const lines = plan.map((row) => String(row['QUERY PLAN']));
      expect(lines.join('\n')).toMatch(/Index Scan using "?papers\$by_year/);
      expect(lines.join('\n')).not.toMatch(/Sort|Bitmap/);
      await backend.close();
      await dropPostgresStore({ url, schema });
    });
  },
);
