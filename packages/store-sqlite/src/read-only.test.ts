import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isCtxError } from '@ctx/core';
import type { OpenOptions, PutOperation, SearchHit, StoreBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { loadDriver } from './driver/driver.ts';
import { newWordsTableName, quoteName } from './schema/names.ts';
import { sqliteBackend } from './sqlite-backend.ts';
import { temporaryFolder } from './test-support/places.ts';
import { papers, putPaper } from './test-support/records.ts';

/** A closed store with one record. The name holds signs that mean something in an address. */
async function storedPaper(): Promise<string> {
  const path = join(temporaryFolder(), 'a #1?.db');
  const backend = sqliteBackend({ path });
  await backend.open([papers]);
  await backend.write([putPaper('p1', { words: { text: 'red' } })]);
  await backend.close();
  return path;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return isCtxError(error) ? error.code : String(error);
}

async function idsIn(backend: StoreBackend): Promise<(string | undefined)[]> {
  const ids: (string | undefined)[] = [];
  const scanned = backend.scan({
    collection: 'papers',
    index: papers.indexes[0]?.name ?? '',
    equal: ['t'],
  });
  for await (const { key } of scanned) ids.push(key[2]);
  return ids;
}

test('reads a store without writing a byte, and says of a write that it cannot be', async () => {
  const path = await storedPaper();
  const before = readFileSync(path);
  const backend = sqliteBackend({ path, readOnly: true, eraseOnClose: true });
  await backend.open([papers]);
  expect(await idsIn(backend)).toEqual(['p1']);
  expect(await codeOf(backend.write([putPaper('p2')]))).toBe('CTX_STORE_READ_ONLY');
  await backend.close();
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(dirname(path))).toEqual(['a #1?.db']);
});

const later: OpenOptions = {
  wordsOf: { papers: ({ body }) => ({ text: String(JSON.parse(body)) }) },
};

function putLater(id: string, text: string): PutOperation {
  return { ...putPaper(id, { body: JSON.stringify(text) }), wordsLater: true };
}

async function hitsOf(backend: StoreBackend, ...words: string[]): Promise<SearchHit[]> {
  return await backend.search({ collection: 'papers', equal: ['t'], words, limit: 999 });
}

/** A file as a process leaves it that is killed before it has taken words in, and that another SQLite has checkpointed. */
async function storeWithWaitingWords(): Promise<string> {
  const folder = temporaryFolder();
  const [path, copy] = [join(folder, 'ctx.db'), join(folder, 'copy.db')];
  const backend = sqliteBackend({ path });
  await backend.open([papers], later);
  const texts = ['red', 'red blue', 'blue blue', 'green', 'yellow green', 'white'];
  await backend.write(texts.map((text, at) => putLater(`p${at}`, text)));
  expect(await hitsOf(backend, 'red')).toHaveLength(2);
  await backend.write([
    putLater('p6', 'red red'),
    putPaper('p7', { words: { text: 'red white' } }),
    { type: 'delete', collection: 'papers', key: putLater('p0', '').key },
  ]);
  const database = (await loadDriver())(path);
  database.exec(`VACUUM INTO '${copy}'`);
  database.close();
  await backend.close();
  return copy;
}

test('finds everything, ranked alike, in a store that cannot be written and in which words wait', async () => {
  const path = await storeWithWaitingWords();
  const before = readFileSync(path);
  const fixed = sqliteBackend({ path, readOnly: true });
  await fixed.open([papers], later);
  const hits = await hitsOf(fixed, 'red', 'white');
  const again = await hitsOf(fixed, 'red', 'white');
  await fixed.close();
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(dirname(path))).not.toContain('copy.db-wal');
  const open = sqliteBackend({ path });
  await open.open([papers], later);
  const wanted = await hitsOf(open, 'red', 'white');
  await open.close();
  expect(wanted.map(({ key }) => key[2]).sort()).toEqual(['p1', 'p5', 'p6', 'p7']);
  expect([hits, again]).toEqual([wanted, wanted]);
});

test('no words wait in a store that was closed', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const backend = sqliteBackend({ path });
  await backend.open([papers], later);
  await backend.write([putLater('p1', 'red'), putPaper('p2', { words: { text: 'red' } })]);
  await backend.close();
  const database = (await loadDriver())(path);
  const count = `SELECT count(*) AS n FROM ${quoteName(newWordsTableName('papers'))}`;
  const left = database.prepare(count).get();
  database.close();
  expect(left).toEqual({ n: 0 });
});

test('refuses a store whose log was not taken in, and one of an older layout', async () => {
  const path = await storedPaper();
  writeFileSync(`${path}-wal`, 'log');
  const open = (): Promise<unknown> => sqliteBackend({ path, readOnly: true }).open([papers]);
  expect(await codeOf(open())).toBe('CTX_STORE_READ_ONLY');
  const older = await storedPaper();
  const database = (await loadDriver())(older);
  database.exec('PRAGMA user_version = 1');
  database.close();
  expect(await codeOf(sqliteBackend({ path: older, readOnly: true }).open([papers]))).toBe(
    'CTX_STORE_READ_ONLY',
  );
});

test('makes no store where there is none', async () => {
  const path = join(temporaryFolder(), 'none.db');
  const opened = sqliteBackend({ path, readOnly: true }).open([papers]);
  expect(await codeOf(opened)).toBe('CTX_STORE_IO');
  expect(existsSync(path)).toBe(false);
});
