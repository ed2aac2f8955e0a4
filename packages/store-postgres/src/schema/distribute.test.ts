import { storeCollections } from '@ctx/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlDriver } from '../driver/sql-driver.ts';
import { postgresBackend } from '../postgres-backend.ts';
import { countingDriver } from '../test-support/counting-driver.ts';
import { papers } from '../test-support/papers.ts';
import { makePglite, pgliteDriver } from '../test-support/pglite-driver.ts';
import { distributePostgresStore, planDistribution } from './distribute.ts';

let base: SqlDriver;
let end: () => Promise<void>;

beforeAll(async () => {
  const database = await makePglite();
  base = pgliteDriver(database);
  end = () => database.close();
}, 60_000);
afterAll(async () => {
  await end();
});

async function makePapers(schema: string): Promise<void> {
  const backend = postgresBackend({ driver: countingDriver(base), schema });
  await backend.open([papers]);
  await backend.close();
}

const distribute = (schema: string, isPlan = false) =>
  distributePostgresStore({ driver: countingDriver(base), schema, isPlan });

test('every table is spread by its tenant beside the first, and what describes them is copied', () => {
  const plan = planDistribution(
    storeCollections.map(({ name }) => name),
    '"ctx"',
  );
  expect(plan.slice(0, 3)).toEqual([
    {
      table: 'ctx$$meta',
      as: 'reference',
      sql: `SELECT create_reference_table('"ctx"."ctx$$meta"')`,
    },
    {
      ...{ table: 'ctx$$writes', as: 'distributed' },
      sql: `SELECT create_distributed_table('"ctx"."ctx$$writes"', 'tenant', colocate_with => 'none')`,
    },
    {
      ...{ table: 'tenants', as: 'distributed' },
      sql: `SELECT create_distributed_table('"ctx"."tenants"', 'tenant', colocate_with => '"ctx"."ctx$$writes"')`,
    },
  ]);
  expect(plan.filter((step) => step.as === 'distributed')).toHaveLength(
    storeCollections.length + 1,
  );
});

test('without Citus nothing is done, and the statements are shown', async () => {
  await makePapers('alone');
  const receipt = await distribute('alone');
  expect(receipt).toMatchObject({ isDone: false, isDistributed: 0 });
  expect(receipt).not.toHaveProperty('citus');
  expect(receipt.steps.map(({ table }) => table)).toEqual(['ctx$$meta', 'ctx$$writes', 'papers']);
});

test('a store that is not there is not distributed', async () => {
  await expect(distribute('missing')).rejects.toMatchObject({ code: 'CTX_NOT_FOUND' });
});

/** Stands for Citus: notes what it is asked for, as Citus does in its catalog. The bench `citus` runs on the real one. */
const fakeCitus = `
  SET allow_system_table_mods = on;
  INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    SELECT 99999, 'citus', 10, oid, false, '12.1' FROM pg_namespace WHERE nspname = 'public';
  CREATE TABLE pg_dist_partition (logicalrelid regclass, said text);
  CREATE FUNCTION create_distributed_table(t regclass, c text, colocate_with text) RETURNS void LANGUAGE sql
    AS 'INSERT INTO pg_dist_partition VALUES (t, c || '' with '' || colocate_with)';
  CREATE FUNCTION create_reference_table(t regclass) RETURNS void LANGUAGE sql
    AS 'INSERT INTO pg_dist_partition VALUES (t, ''reference'')';`;

test('with Citus each table is distributed once, also where some came later', async () => {
  await base.script(fakeCitus);
  await makePapers('spread');
  expect(await distribute('spread', true)).toMatchObject({ citus: '12.1', isDone: false });
  const first = await distribute('spread');
  expect(first).toMatchObject({ citus: '12.1', isDone: true, isDistributed: 0 });
  expect(first.steps).toHaveLength(3);
  const later = postgresBackend({ driver: countingDriver(base), schema: 'spread' });
  await later.open([papers, { ...papers, name: 'later' }]);
  await later.close();
  const second = await distribute('spread');
  expect(second.steps.map(({ table }) => table)).toEqual(['later']);
  expect(second.isDistributed).toBe(3);
  const said = await base.query('SELECT logicalrelid::text AS name, said FROM pg_dist_partition');
  expect(said).toEqual([
    { name: 'spread."ctx$$meta"', said: 'reference' },
    { name: 'spread."ctx$$writes"', said: 'tenant with none' },
    { name: 'spread.papers', said: 'tenant with "spread"."ctx$$writes"' },
    { name: 'spread.later', said: 'tenant with "spread"."ctx$$writes"' },
  ]);
});

test('of two that distribute at once one does it, and the other finds it done', async () => {
  await makePapers('twice');
  const receipts = await Promise.all([distribute('twice'), distribute('twice')]);
  expect(receipts.map(({ steps }) => steps.length).sort()).toEqual([0, 3]);
  const said = await base.query(
    `SELECT 1 FROM pg_dist_partition WHERE logicalrelid::text LIKE 'twice.%'`,
  );
  expect(said).toHaveLength(3);
});
