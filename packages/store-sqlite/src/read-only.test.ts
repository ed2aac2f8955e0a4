import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isCtxError } from '@ctx/core';
import type { StoreBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { loadDriver } from './driver/driver.ts';
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
  expect(readdirSync(dirname(path))).toEqual(['a #1?.db', 'a #1?.db-mark']);
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
