import { storeCollections } from '@ctx/store';
import { expect, test } from 'vitest';
import { postgresBackend } from '../postgres-backend.ts';
import { countingDriver } from '../test-support/counting-driver.ts';
import { makePglite, pgliteDriver } from '../test-support/pglite-driver.ts';

/** Pages that a plan touches. */
function pagesOf(plan: object): number {
  const read = (name: string): number => Number(new Map(Object.entries(plan)).get(name) ?? 0);
  return read('Shared Hit Blocks') + read('Shared Read Blocks');
}

test('some records of many are read by their keys alone, also where the server knows no sizes yet', async () => {
  const database = await makePglite();
  const base = pgliteDriver(database);
  const driver = countingDriver(base);
  const backend = postgresBackend({ driver, schema: 'fresh' });
  await backend.open(storeCollections);
  await base.script(
    `INSERT INTO fresh.events (tenant, session_id, sequence, type, at, tokens, _version, _body)
       SELECT 'default', 's' || n % 50, lpad((n / 50)::text, 16, '0'), 'message', n, 5, 1, repeat(md5(n::text), 8)
       FROM generate_series(0, 499) AS n`,
  );
  const sequences = [3, 9, 4, 7];
  const keys = sequences.map((sequence) => ['default', 's7', String(sequence).padStart(16, '0')]);
  const found = await backend.get('events', [...keys, ['default', 's7', 'none']]);
  expect(found.map((record) => record?.key)).toEqual([...keys, undefined]);
  const sql = driver.sent.find((sent) => sent.includes('unnest')) ?? '';
  const [row] = await base.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, [
    'default',
    keys.map(() => 's7'),
    keys.map(([, , sequence]) => sequence ?? ''),
  ]);
  const [plan] = row?.['QUERY PLAN'] as { Plan: object }[];
  await backend.close();
  await database.close();
  expect(pagesOf(plan?.Plan ?? {})).toBeLessThan(5 * keys.length);
});
