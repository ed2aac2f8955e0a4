import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { StoreBackend, WriteOperation } from '@ctx/store/backend';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pgDriver } from '../driver/pg-driver.ts';
import { lockPostgresTenants } from '../lock/lock-tenants.ts';
import { postgresBackend } from '../postgres-backend.ts';
import { distributePostgresStore } from '../schema/distribute.ts';
import { collectionTable } from '../schema/collection-table.ts';
import { placeOf } from '../store-place.ts';
import { papers } from '../test-support/papers.ts';
import { realServer, whyNoServer } from '../test-support/real-server.ts';
import { rebuildWords } from './rebuild-words.ts';

const server = await realServer();
const url = server?.url ?? '';
const admin = pgDriver(url === '' ? 'postgres://nowhere' : url, { maxConnections: 3 });
const user = `words_${String(process.pid)}`;
let schemas = 0;

beforeAll(async () => {
  if (server !== undefined) await admin.script(`CREATE ROLE ${user} LOGIN`);
});
afterAll(async () => {
  if (server !== undefined) {
    await admin.script(`DROP OWNED BY ${user} CASCADE; DROP ROLE ${user}`);
  }
  await admin.close();
  await server?.stop();
});

function newSchema(): string {
  schemas += 1;
  return `words_${String(process.pid)}_${String(schemas)}`;
}

const hasCitus =
  server !== undefined &&
  (await admin.query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`)).length > 0;

const rounds = 24;
const recordsEach = 250;
const wordsEach = 200;
const megabyte = 1_000_000;

/** Words that no other record holds, as the numbers and hashes in what tools return. */
function newWords(): string {
  return Array.from({ length: wordsEach / 4 }, () => randomUUID().replaceAll('-', ' ')).join(' ');
}

const keyOf = (at: number): string[] => ['t', 's', String(at)];

/** Puts records and deletes them, and has the server vacuum the table, as it does by itself. */
async function churn(backend: StoreBackend, schema: string): Promise<void> {
  const all = Array.from({ length: recordsEach }, (_, at) => keyOf(at));
  const puts = all.map(
    (key): WriteOperation => ({
      ...{ type: 'put', collection: 'papers', key, columns: { year: 1 }, body: '{}' },
      words: { title: newWords() },
    }),
  );
  await backend.write(puts);
  await backend.write(all.map((key) => ({ type: 'delete', collection: 'papers', key })));
  await admin.script(`VACUUM "${schema}".papers`);
}

async function bytesOf(schema: string): Promise<number> {
  const sql = `SELECT pg_relation_size('"${schema}"."papers$_words"') AS bytes`;
  const [row] = await admin.query(sql);
  return Number(row?.['bytes']);
}

async function invalidOf(schema: string): Promise<unknown[]> {
  const rows = await admin.query(
    `SELECT relname FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_namespace n ON n.oid = relnamespace
     WHERE nspname = $1 AND NOT indisvalid`,
    [schema],
  );
  return rows.map(({ relname }) => relname);
}

const openPapers = async (schema: string, at = url): Promise<StoreBackend> => {
  const backend = postgresBackend({ url: at, schema, maxConnections: 4 });
  await backend.open([papers]);
  return backend;
};

/** A store whose index has grown to 12 MB; nothing has looked at it since. */
async function grownStore(isSpread = false): Promise<string> {
  const schema = newSchema();
  const backend = await openPapers(schema);
  await backend.close();
  if (isSpread) await distributePostgresStore({ url, schema });
  await admin.script(
    `INSERT INTO "${schema}".papers (tenant, shelf, id, _version, _words)
       SELECT 't', 's', n::text, 1, ARRAY(SELECT md5(n || ' ' || k) FROM generate_series(1, 100) AS k) FROM generate_series(1, 2000) AS n;
     DELETE FROM "${schema}".papers`,
  );
  await admin.script(`VACUUM "${schema}".papers`);
  return schema;
}

function rebuildIn(schema: string, at = url) {
  const place = placeOf({ url: at, schema, maxConnections: 2 });
  const tables = [collectionTable(papers, place.schema)];
  return rebuildWords(place, tables).finally(() => place.driver.close());
}

const drop = (schema: string): Promise<void> => admin.script(`DROP SCHEMA "${schema}" CASCADE`);

/** Breaks a rebuild off while it waits for a reader, as when its server ends. */
async function breakOff(schema: string): Promise<void> {
  await admin.session(async (reader) => {
    await reader.script('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await reader.query(`SELECT count(*) FROM "${schema}".papers`);
    const rebuilding = rebuildIn(schema).catch(() => undefined);
    const running = `FROM pg_stat_activity WHERE query LIKE 'REINDEX%${schema}%' AND pid <> pg_backend_pid()`;
    for (;;) {
      const invalid = await invalidOf(schema);
      if (invalid.length > 0) break;
      await wait(20);
    }
    await admin.query(`SELECT pg_terminate_backend(pid) ${running}`);
    await rebuilding;
    await reader.script('ROLLBACK');
  });
}

describe.skipIf(server === undefined)(
  `the index of words${server === undefined ? ` (${whyNoServer})` : ''}`,
  () => {
    it('does not grow with the words of records that come and go', {
      timeout: 300_000,
    }, async () => {
      const schema = newSchema();
      const backend = await openPapers(schema);
      const sizes: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        await churn(backend, schema);
        sizes.push(await bytesOf(schema));
      }
      await backend.write([
        {
          ...{ type: 'put', collection: 'papers', key: keyOf(1), columns: { year: 1 }, body: '{}' },
          words: { title: 'kept word' },
        },
      ]);
      const found = await backend.search({
        ...{ collection: 'papers', equal: ['t'], words: ['kept'], limit: 9 },
      });
      expect(found).toHaveLength(1);
      await backend.close();
      // At most three times the words of two rounds before a rebuild, and those of the four rounds in which nobody may look.
      const [ofOne = 0] = sizes;
      expect(Math.max(...sizes)).toBeLessThan((rounds * ofOne) / 2);
      expect(sizes.some((bytes, at) => bytes < (sizes[at - 1] ?? 0) / 2)).toBe(true);
      expect(await invalidOf(schema)).toEqual([]);
      await drop(schema);
    });

    it('is rebuilt by one of several that look at it at once', { timeout: 120_000 }, async () => {
      const schema = await grownStore();
      const before = await bytesOf(schema);
      expect(before).toBeGreaterThan(9 * megabyte);
      const receipts = await Promise.all(Array.from({ length: 4 }, () => rebuildIn(schema)));
      expect(receipts.flat()).toHaveLength(1);
      expect(receipts.flat()[0]).toMatchObject({ index: 'papers$_words', before });
      expect(await bytesOf(schema)).toBeLessThan(megabyte / 10);
      expect(await rebuildIn(schema)).toEqual([]);
      await drop(schema);
    });

    it('is rebuilt again after a rebuild was broken off, and what that left is dropped', {
      timeout: 120_000,
    }, async () => {
      const schema = await grownStore();
      await breakOff(schema);
      expect(await invalidOf(schema)).toEqual(['papers$_words_ccnew']);
      // The one that was broken off may still be at it, for all that others know.
      expect(await rebuildIn(schema)).toEqual([]);
      await admin.script(`COMMENT ON INDEX "${schema}"."papers$_words" IS 'ctx {"began":1}'`);
      expect(await rebuildIn(schema)).toHaveLength(1);
      expect(await invalidOf(schema)).toEqual([]);
      expect(await bytesOf(schema)).toBeLessThan(megabyte / 10);
      await drop(schema);
    });

    it.skipIf(!hasCitus)('is rebuilt on each machine of Citus', { timeout: 120_000 }, async () => {
      const schema = await grownStore(true);
      const [receipt, ...others] = (
        await Promise.all([rebuildIn(schema), rebuildIn(schema)])
      ).flat();
      expect(others).toEqual([]);
      expect(receipt?.before).toBeGreaterThan(9 * megabyte);
      expect(receipt?.after).toBeLessThan(megabyte);
      await drop(schema);
    });

    it('is rebuilt by its owner under the lock on tenants, and left alone by a user who may only write', {
      timeout: 120_000,
    }, async () => {
      const schema = await grownStore();
      await admin.script(
        `GRANT USAGE ON SCHEMA "${schema}" TO ${user}; GRANT ALL ON ALL TABLES IN SCHEMA "${schema}" TO ${user}`,
      );
      const as = new URL(url);
      as.username = user;
      expect(await rebuildIn(schema, as.href)).toEqual([]);
      await admin.script(
        `ALTER TABLE "${schema}".papers OWNER TO ${user}; GRANT ALL ON SCHEMA "${schema}" TO ${user}`,
      );
      await lockPostgresTenants({ url, schema, isLocked: true });
      expect(await rebuildIn(schema, as.href)).toHaveLength(1);
      await drop(schema);
    });
  },
);
