import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeCollections } from '@ctx/store';
import type { CollectionDefinition } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { loadDriver } from './driver/driver.ts';
import type { SqliteDriver } from './driver/sqlite-driver.ts';
import { sqliteBackend } from './sqlite-backend.ts';
import { temporaryFolder } from './test-support/places.ts';
import { paperIds, papers, putPaper } from './test-support/records.ts';

const plain: CollectionDefinition = { ...papers, indexes: [], search: papers.search.slice(0, 1) };

/** `papers` with a column, two indexes, kept counts and a search field more than `plain`. */
const grown: CollectionDefinition = {
  ...papers,
  columns: { ...papers.columns, author: { type: 'text', nullable: true } },
  indexes: [...papers.indexes, { name: 'by_author', fields: ['tenant', 'author'] }],
};

const notes: CollectionDefinition = { ...papers, name: 'notes', search: [] };

async function makePlain(path: string): Promise<void> {
  const backend = sqliteBackend({ path });
  await backend.open([plain]);
  await backend.write([
    putPaper('p1', { columns: { rank: 1.5, pages: 3 }, words: { title: 'red fox red' } }),
    putPaper('p2', { columns: { rank: 2.5, pages: 4 }, words: { title: 'grey fox' } }),
  ]);
  await backend.close();
}

function backupsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.includes('.backup-'));
}

test('adds columns, indexes, counts, search fields and collections and keeps every record', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'ctx.db');
  await makePlain(path);
  const backend = sqliteBackend({ path });
  await backend.open([grown, notes]);
  const [first] = await backend.get('papers', [['t', 's', 'p1']]);
  expect(first).toMatchObject({ version: 1, columns: { rank: 1.5, pages: 3, author: null } });
  const query = {
    collection: 'papers',
    index: 'by_rank',
    equal: ['t', 's', null],
    sums: ['pages'],
  };
  expect(await backend.tally({ ...query, range: { from: -9, to: 9 } })).toEqual([
    { group: [], count: 2, sums: [7] },
  ]);
  await backend.write([putPaper('p3', { words: { text: 'fox' }, columns: { author: 'ann' } })]);
  const hits = await backend.search({
    collection: 'papers',
    equal: ['t'],
    words: ['fox'],
    limit: 9,
  });
  expect(hits.map(({ key }) => key[2]).sort()).toEqual(['p1', 'p2', 'p3']);
  const red = await backend.search({
    collection: 'papers',
    equal: ['t', 's'],
    words: ['red'],
    limit: 9,
  });
  expect(red.map(({ key }) => key[2])).toEqual(['p1']);
  await backend.close();
});

test('makes a private backup that is the store as it was, and keeps the newest two', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'ctx.db');
  await makePlain(path);
  expect(backupsIn(folder)).toEqual([]);
  const stale = join(folder, 'ctx.db.backup-2020-01-01T00-00-00.000Z.unfinished');
  writeFileSync(stale, 'left by a killed writer');
  for (const count of [1, 2, 3]) {
    const columns = Object.fromEntries(
      Array.from(
        { length: count },
        (_, at) => [`extra${at}`, { type: 'text', nullable: true }] as const,
      ),
    );
    const backend = sqliteBackend({ path });
    await backend.open([{ ...plain, columns: { ...plain.columns, ...columns } }]);
    await backend.close();
  }
  const backups = backupsIn(folder);
  expect(backups).toHaveLength(2);
  expect(backups.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
  const backup = sqliteBackend({ path: join(folder, backups[0] ?? '') });
  await backup.open([plain]);
  expect(await paperIds(backup)).toEqual(['p1', 'p2']);
  await backup.close();
});

test('opening again with the same collections makes no backup', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'ctx.db');
  for (let round = 0; round < 2; round++) {
    const backend = sqliteBackend({ path });
    await backend.open(storeCollections);
    await backend.close();
  }
  expect(backupsIn(folder)).toEqual([]);
});

test('an older program may go on beside a newer one', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const newer = sqliteBackend({ path });
  await newer.open([grown]);
  await newer.write([
    putPaper('p1', { columns: { author: 'ann' }, words: { text: 'fox', title: 'red' } }),
  ]);
  const older = sqliteBackend({ path });
  await older.open([plain]);
  await older.write([putPaper('p2', { words: { title: 'fox' } })]);
  const titles = await older.search({
    collection: 'papers',
    equal: ['t'],
    words: ['fox'],
    limit: 9,
  });
  expect(titles.map(({ key }) => key[2])).toEqual(['p2']);
  const all = await newer.search({ collection: 'papers', equal: ['t'], words: ['fox'], limit: 9 });
  expect(all.map(({ key }) => key[2]).sort()).toEqual(['p1', 'p2']);
  await Promise.all([older.close(), newer.close()]);
});

test.for<[string, CollectionDefinition]>([
  ['another key', { ...plain, key: ['tenant', 'paper_id', 'shelf'] }],
  ['another type', { ...plain, columns: { ...plain.columns, rank: { type: 'text' } } }],
])('refuses %s and changes nothing', async ([, changed]) => {
  const folder = temporaryFolder();
  const path = join(folder, 'ctx.db');
  await makePlain(path);
  await expect(sqliteBackend({ path }).open([changed])).rejects.toMatchObject({
    code: 'CTX_INVALID_INPUT',
  });
  const backend = sqliteBackend({ path });
  await backend.open([plain]);
  expect(await paperIds(backend)).toEqual(['p1', 'p2']);
  await backend.close();
  expect(backupsIn(folder)).toEqual([]);
});

/** A driver whose statement number `when` fails, as a disk that breaks would let it. */
function failingDriver(driver: SqliteDriver, when: number): SqliteDriver {
  let statements = 0;
  return (path) => {
    const database = driver(path);
    const count = (): void => {
      if (statements++ === when) throw new Error('the disk broke');
    };
    return {
      ...database,
      exec: (sql) => {
        count();
        return database.exec(sql);
      },
    };
  };
}

test('a migration that breaks at any step leaves the store as it was, and the next open does it', async () => {
  const driver = await loadDriver();
  let isDone = false;
  for (let when = 0; !isDone; when++) {
    const path = join(temporaryFolder(), 'ctx.db');
    await makePlain(path);
    const breaking = sqliteBackend({ path, driver: failingDriver(driver, when) });
    isDone = await breaking.open([grown, notes]).then(
      () => true,
      () => false,
    );
    if (isDone) expect(when).toBeGreaterThan(10);
    await breaking.close();
    const before = sqliteBackend({ path });
    await before.open([plain]);
    expect(await paperIds(before)).toEqual(['p1', 'p2']);
    await before.close();
    const after = sqliteBackend({ path });
    await after.open([grown, notes]);
    expect(await paperIds(after)).toEqual(['p1', 'p2']);
    await after.close();
  }
});
