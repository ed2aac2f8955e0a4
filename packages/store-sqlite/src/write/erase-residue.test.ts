import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CtxError } from '@ctx/core';
import type { StoreBackend, WriteOperation } from '@ctx/store/backend';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadDriver } from '../driver/driver.ts';
import { closeConnection, openConnection } from '../driver/shared-connections.ts';
import { sqliteBackend } from '../sqlite-backend.ts';
import { countInFiles, temporaryFolder } from '../test-support/places.ts';
import { paperIds, papers, putPaper } from '../test-support/records.ts';
import { eraseResidue } from './erase-residue.ts';

/** What `ctx` will call once deleted records must leave no trace. */
async function erase(path: string): Promise<{ traceless: boolean; backupsRemoved: number }> {
  const driver = await loadDriver();
  const connection = openConnection({ path, driver, driverName: '', busyTimeoutMs: 1000 });
  try {
    return await connection.run(() => eraseResidue(connection, [papers]));
  } finally {
    await closeConnection(connection);
  }
}

/** Markers stand in key, column, body and words. */
function putMarked(number: number, marker: string): WriteOperation {
  const body = JSON.stringify(`${marker} `.repeat((number % 7) * 200 + 1));
  const columns = { kind: `${marker}kind`, rank: number, pages: number };
  return putPaper(`${marker}id${number}`, {
    body,
    columns,
    words: { title: marker, text: `w${number} ${marker}` },
  });
}

async function openPapers(path: string): Promise<StoreBackend> {
  const backend = sqliteBackend({ path });
  await backend.open([papers]);
  return backend;
}

/** Inserts, updates and deletes of marked papers; true updates with what a number says. */
const someTrace = fc.array(
  fc.record({
    number: fc.integer({ min: 0, max: 60 }),
    marker: fc.constantFrom('zebra', 'quagga'),
  }),
  { minLength: 50, maxLength: 150 },
);

test('after the recipe no byte of what was deleted is left, and all else is', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(someTrace, async (trace) => {
      const folder = temporaryFolder();
      const backend = await openPapers(join(folder, 'ctx.db'));
      await backend.write([putMarked(1, 'keeper')]);
      for (const [at, { number, marker }] of trace.entries()) {
        await backend.write([putMarked(number, marker)]);
        const hit = { collection: 'papers', equal: ['t'], words: [marker], limit: 1 };
        if (at % 9 === 0) await backend.search(hit);
        const gone = ['t', 's', `${marker}id${(number * 7) % 60}`];
        if (at % 3 === 0)
          await backend.write([{ type: 'delete', collection: 'papers', key: gone }]);
      }
      const ids = await paperIds(backend);
      const keys = ids.filter((id) => !id.startsWith('keeper')).map((id) => ['t', 's', id]);
      await backend.write(keys.map((key) => ({ type: 'delete', collection: 'papers', key })));
      expect(await erase(join(folder, 'ctx.db'))).toEqual({ traceless: true, backupsRemoved: 0 });
      const hits = await backend.search({
        collection: 'papers',
        equal: ['t'],
        words: ['keeper'],
        limit: 5,
      });
      expect(hits).toHaveLength(1);
      await backend.close();
      expect([countInFiles(folder, 'zebra'), countInFiles(folder, 'quagga')]).toEqual([0, 0]);
      expect(countInFiles(folder, 'keeper')).toBeGreaterThan(0);
    }),
    { numRuns: 15 },
  );
});

test('takes the backups with it', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'ctx.db');
  const old = sqliteBackend({ path });
  await old.open([{ ...papers, indexes: [] }]);
  await old.write([putMarked(1, 'zebra')]);
  await old.close();
  const backend = await openPapers(path);
  expect(readdirSync(folder).filter((name) => name.includes('backup'))).toHaveLength(1);
  await backend.write([{ type: 'delete', collection: 'papers', key: ['t', 's', 'zebraid1'] }]);
  expect(await erase(path)).toEqual({ traceless: true, backupsRemoved: 1 });
  await backend.close();
  expect([readdirSync(folder), countInFiles(folder, 'zebra')]).toEqual([
    ['ctx.db', 'ctx.db-mark'],
    0,
  ]);
});

test('says that it could not finish while another connection reads', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  const backend = await openPapers(path);
  await backend.write([putMarked(1, 'zebra'), putMarked(2, 'zebra')]);
  const reader = (await loadDriver())(path);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM papers').get();
  const result = await erase(path).catch((error: unknown) => error);
  const isPending = result instanceof CtxError ? result.code : result;
  expect(isPending).toEqual({ traceless: false, backupsRemoved: 0 });
  reader.exec('COMMIT');
  reader.close();
  expect(await erase(path)).toEqual({ traceless: true, backupsRemoved: 0 });
  await backend.close();
});

test('a store that erases on close leaves nothing of what was deleted', async () => {
  const folder = temporaryFolder();
  const backend = sqliteBackend({ path: join(folder, 'ctx.db'), eraseOnClose: true });
  await backend.open([papers]);
  for (let number = 0; number < 60; number += 1) await backend.write([putMarked(number, 'zebra')]);
  await backend.write([putMarked(61, 'keeper')]);
  const hit = { collection: 'papers', equal: ['t'], words: ['zebra'], limit: 1 };
  expect(await backend.search(hit)).toHaveLength(1);
  for (let number = 0; number < 60; number += 1) {
    await backend.write([
      { type: 'delete', collection: 'papers', key: ['t', 's', `zebraid${number}`] },
    ]);
  }
  await backend.close();
  expect(countInFiles(folder, 'zebra')).toBe(0);
  expect(countInFiles(folder, 'keeper')).toBeGreaterThan(0);
});
