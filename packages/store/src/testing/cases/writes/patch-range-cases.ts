import assert from 'node:assert/strict';
import type { PatchRange, StoreBackend } from '../../../backend/store-backend.ts';
import { deleteThing, putThing } from '../../case-collections.ts';
import { getThing, rejectsWith, scanIds, scanThings } from '../../case-support.ts';
import { type AddCase, type ConformanceCase, caseGroup } from '../../conformance-case.ts';

const sized = (id: string, size: number) => putThing(id, { columns: { size } });

const bySize: PatchRange = {
  collection: 'things',
  index: 'by_size',
  equal: ['t'],
  columns: { label: 'patched' },
};

const filled = async (open: () => Promise<StoreBackend>): Promise<StoreBackend> => {
  const backend = await open();
  await backend.write([1, 2, 3, 4].map((size) => sized(`s${String(size)}`, size)));
  return backend;
};

const labels = async (backend: StoreBackend): Promise<unknown[]> =>
  (await scanThings(backend)).map(({ columns }) => columns['label']);

const badRanges: Readonly<Record<string, unknown>> = {
  'an unknown collection': { collection: 'nothing' },
  'an unknown index': { index: 'by_nothing' },
  'no tenant': { equal: [] },
  'a bound of another type': { range: { from: 'x' } },
  'an unknown column': { columns: { nothing: 1 } },
  'a column of another type': { columns: { size: 'x' } },
  'a count below 0': { expectCount: -1 },
};

function addEffectCases(add: AddCase): void {
  add('patches exactly the records of a range', async ({ open }) => {
    const backend = await filled(open);
    const range = { from: 2, to: 4, toExclusive: true };
    await backend.write([], { patchRanges: [{ ...bySize, range }] });
    assert.deepEqual(
      (await scanThings(backend, { index: 'by_label', equal: ['t', 'patched'] })).map(
        ({ key, version }) => [key.at(-1), version],
      ),
      [
        ['s2', 2],
        ['s3', 2],
      ],
    );
  });
  add('leaves body and search words of what it patches', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { columns: { size: 1 } })]);
    const before = await getThing(backend, 'a');
    await backend.write([], { patchRanges: [bySize] });
    const after = await getThing(backend, 'a');
    assert.equal(after?.body, before?.body);
    assert.deepEqual(after?.columns, { ...before?.columns, label: 'patched' });
  });
  add('patches records out of the range that it reads, each once', async ({ open }) => {
    const backend = await filled(open);
    const patch = { ...bySize, range: { from: 2 }, columns: { size: 3 } };
    await backend.write([], { patchRanges: [patch] });
    const sizes = (await scanThings(backend)).map(({ columns, version }) => [
      columns['size'],
      version,
    ]);
    assert.deepEqual(sizes, [
      [1, 1],
      [3, 2],
      [3, 2],
      [3, 2],
    ]);
  });
  add('keeps the tallies of an index right', async ({ open }) => {
    const backend = await filled(open);
    await backend.write([], {
      patchRanges: [{ ...bySize, range: { from: 3 }, columns: { size: 25, amount: 7 } }],
    });
    const query = {
      collection: 'things',
      index: 'by_size',
      equal: ['t'],
      sums: ['amount', 'size'],
    };
    assert.deepEqual(await backend.tally({ ...query, range: { from: 20 } }), [
      { group: [], count: 2, sums: [14, 50] },
    ]);
  });
  add('patches before the operations, which see it', async ({ open }) => {
    const backend = await filled(open);
    await backend.write([deleteThing('s1'), sized('s5', 5)], { patchRanges: [bySize] });
    assert.deepEqual(await labels(backend), ['patched', 'patched', 'patched', null]);
  });
  add('patches a range of many records', async ({ open }) => {
    const backend = await open();
    await backend.write(Array.from({ length: 2500 }, (_, at) => sized(`n${String(at)}`, at)));
    await backend.write([], {
      patchRanges: [{ ...bySize, range: { from: 100 }, expectCount: 2400 }],
    });
    const patched = { index: 'by_label', equal: ['t', 'patched'] };
    assert.equal((await scanIds(backend, patched)).length, 2400);
  });
}

function addConflictCases(add: AddCase): void {
  add('changes nothing where the range holds another number of records', async ({ open }) => {
    const backend = await filled(open);
    for (const expectCount of [0, 3, 5]) {
      await rejectsWith('CTX_STORE_CONFLICT', () =>
        backend.write([sized('new', 9)], { patchRanges: [{ ...bySize, expectCount }] }),
      );
    }
    assert.deepEqual(await labels(backend), [null, null, null, null]);
    await backend.write([], { patchRanges: [{ ...bySize, expectCount: 4 }] });
    assert.deepEqual(await labels(backend), ['patched', 'patched', 'patched', 'patched']);
  });
  add('changes nothing where an operation conflicts', async ({ open }) => {
    const backend = await filled(open);
    await rejectsWith('CTX_STORE_CONFLICT', () =>
      backend.write([{ ...sized('s1', 1), expectVersion: 0 }], { patchRanges: [bySize] }),
    );
    assert.deepEqual(await labels(backend), [null, null, null, null]);
  });
  add('leaves other tenants alone', async ({ open }) => {
    const backend = await filled(open);
    await backend.write([putThing('other', { tenant: 'u', columns: { size: 1 } })]);
    await backend.write([], { patchRanges: [{ ...bySize, expectCount: 4 }] });
    const [other] = await scanThings(backend, { equal: ['u'] });
    assert.equal(other?.columns['label'], null);
  });
  for (const [what, change] of Object.entries(badRanges)) {
    add(`refuses ${what}`, async ({ open }) => {
      const backend = await filled(open);
      const range = { ...bySize, ...(change as Partial<PatchRange>) };
      await rejectsWith('CTX_INVALID_INPUT', () =>
        backend.write([sized('new', 5)], { patchRanges: [range] }),
      );
      assert.deepEqual(await labels(backend), [null, null, null, null]);
    });
  }
}

/** Writes that patch whole parts of an index. */
export const patchRangeCases: readonly ConformanceCase[] = [
  ...caseGroup('patching', addEffectCases),
  ...caseGroup('unpatched', addConflictCases),
];
