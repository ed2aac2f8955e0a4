import assert from 'node:assert/strict';
import { isCtxError } from '@ctx/core';
import type { StoreBackend } from '../../../backend/store-backend.ts';
import { deleteThing, patchThing, putThing } from '../../case-collections.ts';
import {
  getThing,
  numbered,
  scanIds,
  scanThings,
  tallyThings,
  versionOf,
} from '../../case-support.ts';
import { type ConformanceCase, caseGroup } from '../../conformance-case.ts';

/** True where the write was done, false on a conflict. */
export async function wins(write: Promise<void>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CONFLICT')) return false;
    throw error;
  }
}

/** Adds one to `amount` by reading, writing with the version read, and trying again on a conflict. */
export async function increment(backend: StoreBackend, id: string): Promise<void> {
  for (;;) {
    const record = await getThing(backend, id);
    const amount = Number(record?.columns['amount'] ?? 0) + 1;
    const expectVersion = record?.version ?? 0;
    const put = putThing(id, { columns: { amount }, expectVersion });
    if (await wins(backend.write([put]))) return;
  }
}

const all = <T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)));

export const concurrencyCases: readonly ConformanceCase[] = caseGroup('concurrency', (add) => {
  add('lets exactly one of ten writers of one version win, round by round', async ({ open }) => {
    const backend = await open();
    for (let version = 0; version < 10; version++) {
      const won = await all(10, (at) =>
        wins(backend.write([putThing('a', { expectVersion: version, columns: { amount: at } })])),
      );
      assert.equal(won.filter(Boolean).length, 1);
      const record = await getThing(backend, 'a');
      assert.deepEqual(
        [record?.version, record?.columns['amount']],
        [version + 1, won.indexOf(true)],
      );
    }
  });
  add('lets exactly one of ten patches of one version win', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')]);
    const won = await all(10, (at) =>
      wins(backend.write([patchThing('a', { amount: at }, { expectVersion: 1 })])),
    );
    assert.equal(won.filter(Boolean).length, 1);
    assert.equal(await versionOf(backend, 'a'), 2);
  });
  add('lets exactly one of ten deletes of one version win', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')]);
    const won = await all(10, () => wins(backend.write([deleteThing('a', { expectVersion: 1 })])));
    assert.equal(won.filter(Boolean).length, 1);
    assert.equal(await getThing(backend, 'a'), undefined);
  });
  add('does 100 puts at once', async ({ open }) => {
    const backend = await open();
    const ids = numbered(100);
    await Promise.all(ids.map((id) => backend.write([putThing(id)])));
    assert.deepEqual(await scanIds(backend), ids);
  });
  add('counts 100 puts at once of one record', async ({ open }) => {
    const backend = await open();
    await all(100, () => backend.write([putThing('a')]));
    assert.equal(await versionOf(backend, 'a'), 100);
  });
  add('loses no step of a counter that ten count up at once', async ({ open }) => {
    const backend = await open();
    await all(10, async () => {
      for (let step = 0; step < 5; step++) await increment(backend, 'a');
    });
    assert.equal((await getThing(backend, 'a'))?.columns['amount'], 50);
  });
  add('shows no half of a batch to readers beside it', async ({ open }) => {
    const backend = await open();
    const ids = numbered(10);
    const round = (amount: number) =>
      backend.write(ids.map((id) => putThing(id, { columns: { amount } })));
    await round(0);
    const writes = all(10, (at) => round(at + 1));
    const reads = await all(20, () =>
      backend.get(
        'things',
        ids.map((id) => ['t', 'b', id]),
      ),
    );
    await writes;
    for (const found of reads) {
      const amounts = new Set(found.map((record) => record?.columns['amount']));
      assert.equal(amounts.size, 1);
    }
  });
  add('moves a unit between two records and never loses the sum', async ({ open }) => {
    const backend = await open();
    await backend.write(['a', 'b'].map((id) => putThing(id, { columns: { amount: 50 } })));
    const move = async (): Promise<void> => {
      const [from, to] = await backend.get('things', [
        ['t', 'b', 'a'],
        ['t', 'b', 'b'],
      ]);
      const step = (id: string, record: typeof from, by: number) =>
        patchThing(
          id,
          { amount: Number(record?.columns['amount']) + by },
          { expectVersion: record?.version ?? 0 },
        );
      if (!(await wins(backend.write([step('a', from, -1), step('b', to, 1)])))) await move();
    };
    await all(20, move);
    const amounts = (await scanThings(backend)).map((record) => record.columns['amount']);
    assert.deepEqual(amounts, [30, 70]);
  });
  add('keeps tallies right under 100 writes at once', async ({ open }) => {
    const backend = await open();
    await all(100, (at) => backend.write([putThing(`a${at % 25}`, { columns: { size: at } })]));
    const query = { index: 'by_size', range: { from: -1000, to: 1000 }, sums: ['size'] };
    const records = await scanThings(backend);
    const sum = records.reduce((total, record) => total + Number(record.columns['size']), 0);
    assert.deepEqual(await tallyThings(backend, query), [{ group: [], count: 25, sums: [sum] }]);
  });
  add('does everything asked for before close, or says that it is closed', async ({ open }) => {
    const backend = await open();
    const writes = Promise.allSettled(numbered(10).map((id) => backend.write([putThing(id)])));
    await backend.close();
    for (const outcome of await writes) {
      const isClosed =
        outcome.status === 'rejected' && isCtxError(outcome.reason, 'CTX_STORE_CLOSED');
      assert.ok(outcome.status === 'fulfilled' || isClosed);
    }
  });
});
