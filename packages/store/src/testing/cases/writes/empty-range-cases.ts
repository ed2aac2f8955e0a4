import assert from 'node:assert/strict';
import type { CollectionRange, StoreBackend } from '../../../backend/store-backend.ts';
import { deleteThing, putThing } from '../../case-collections.ts';
import { rejectsWith, scanIds } from '../../case-support.ts';
import { type AddCase, type ConformanceCase, caseGroup } from '../../conformance-case.ts';

const sized = (id: string, size: number) => putThing(id, { columns: { size } });

const bySize: CollectionRange = { collection: 'things', index: 'by_size', equal: ['t'] };

const refused = (backend: StoreBackend, ...emptyRanges: CollectionRange[]): Promise<void> =>
  rejectsWith('CTX_STORE_CONFLICT', () => backend.write([putThing('new')], { emptyRanges }));

const badRanges: Readonly<Record<string, unknown>> = {
  'an unknown collection': { collection: 'nothing' },
  'an unknown index': { index: 'by_nothing' },
  'no tenant': { equal: [] },
  'a bound of another type': { range: { from: 'x' } },
};

function addRangeCases(add: AddCase): void {
  add('writes where the ranges are empty', async ({ open }) => {
    const backend = await open();
    await backend.write([sized('a', 5)]);
    const ranges = [
      { ...bySize, range: { from: 5, fromExclusive: true } },
      { ...bySize, range: { to: 5, toExclusive: true } },
      { ...bySize, equal: ['t', 6] },
      { ...bySize, equal: ['u'] },
      { ...bySize, index: 'by_label', equal: ['t', 'l'] },
    ];
    await backend.write([sized('b', 1)], { emptyRanges: ranges });
    assert.deepEqual(await scanIds(backend), ['a', 'b']);
  });
  const full: Readonly<Record<string, CollectionRange>> = {
    'a whole tenant': bySize,
    'an open range': { ...bySize, range: { from: 4 } },
    'a range that ends at the record': { ...bySize, range: { to: 5 } },
    'one value': { ...bySize, equal: ['t', 5] },
    null: { ...bySize, index: 'by_label', equal: ['t', null] },
    'a key': { ...bySize, index: 'key', equal: ['t', 'b', 'a'] },
  };
  for (const [what, range] of Object.entries(full)) {
    add(`refuses to write where ${what} holds a record`, async ({ open }) => {
      const backend = await open();
      await backend.write([sized('a', 5)]);
      await refused(backend, range);
      assert.deepEqual(await scanIds(backend), ['a']);
    });
  }
  add('refuses to write where the last of several ranges holds a record', async ({ open }) => {
    const backend = await open();
    await backend.write([sized('a', 5)]);
    await refused(backend, { ...bySize, equal: ['t', 6] }, { ...bySize, equal: ['t', 5] });
  });
  add('looks before it writes: what the write itself brings is no reason', async ({ open }) => {
    const backend = await open();
    await backend.write([sized('a', 5)], { emptyRanges: [bySize] });
    await rejectsWith('CTX_STORE_CONFLICT', () =>
      backend.write([deleteThing('a')], { emptyRanges: [bySize] }),
    );
    assert.deepEqual(await scanIds(backend), ['a']);
  });
  add('refuses where there is nothing to write, too', async ({ open }) => {
    const backend = await open();
    await backend.write([sized('a', 5)]);
    await rejectsWith('CTX_STORE_CONFLICT', () => backend.write([], { emptyRanges: [bySize] }));
  });
  add('lets exactly one of ten writers into an empty range', async ({ open }) => {
    const backend = await open();
    for (let size = 0; size < 5; size++) {
      const emptyRanges = [{ ...bySize, equal: ['t', size] }];
      const writes = Array.from({ length: 10 }, (_, at) =>
        backend.write([sized(`a${size}-${at}`, size)], { emptyRanges }),
      );
      const results = await Promise.allSettled(writes);
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    }
  });
  add(
    'sees what another instance wrote',
    async ({ open }) => {
      const [left, right] = [await open(), await open()];
      await left.write([sized('a', 5)]);
      await refused(right, { ...bySize, range: { from: 5 } });
      assert.deepEqual(await scanIds(right), ['a']);
    },
    { needs: ['sharedBetweenProcesses'] },
  );
  for (const [what, change] of Object.entries(badRanges)) {
    add(`refuses ${what}`, async ({ open }) => {
      const backend = await open();
      const range = { ...bySize, ...(change as Partial<CollectionRange>) };
      await rejectsWith('CTX_INVALID_INPUT', () =>
        backend.write([sized('a', 5)], { emptyRanges: [range] }),
      );
      assert.deepEqual(await scanIds(backend), []);
    });
  }
}

/** Writes that hold only while parts of an index are empty. */
export const emptyRangeCases: readonly ConformanceCase[] = caseGroup('empty', addRangeCases);
