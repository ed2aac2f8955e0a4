import { postgresBackend } from '@ctx/store-postgres';
import { afterAll, describe } from 'vitest';
import { realDatabase, whyNoDatabase } from '../servers/real-database.ts';
import { limitMs, countIn, checkPlace } from './named-places.ts';

const database = await realDatabase();

afterAll(async () => {
  await database?.end();
}, limitMs);

/**
 * In all rows of all tables of a schema, but for notes that a tenant wrote something: for an hour these keep a write from being made
 * twice, and `--residue` takes them away later.
 */
async function countInTables(schema: string, text: string): Promise<number> {
  if (database === undefined) throw new TypeError('there is no server');
  const tables = await database.query(
    `SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' AND tablename <> 'ctx$$writes'`,
  );
  let found = 0;
  for (const { tablename } of tables) {
    const table = `"${schema}"."${String(tablename)}"`;
    const rows = await database.query(`SELECT t::text AS text FROM ${table} t`);
    for (const row of rows) found += countIn(Buffer.from(String(row['text'])), text);
  }
  return found;
}

describe.skipIf(database === undefined)(
  `in tables of PostgreSQL${database === undefined ? ` (${whyNoDatabase})` : ''}`,
  () => {
    checkPlace((work) => {
      const schema = database?.newSchema() ?? '';
      return work({
        open: () => postgresBackend({ url: database?.url ?? '', schema, maxConnections: 2 }),
        count: (text) => countInTables(schema, text),
      });
    });
  },
);
