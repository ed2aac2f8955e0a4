import { join } from 'node:path';
import type { StoreBackend, TallyQuery, WriteOperation } from '@ctx/store/backend';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketOf } from './schema/tally-table.ts';
import { sqliteBackend } from './sqlite-backend.ts';
import { temporaryFolder } from './test-support/places.ts';
import { papers, putPaper, scanAll } from './test-support/records.ts';

/** Ranks that like to fall on borders of buckets, next to them and far out. */
const someRank = fc.oneof(
  fc.integer({ min: -20, max: 20 }).map((quarter) => quarter / 4),
  fc.constantFrom(0.1 + 0.2, 0.25 + 2 ** -54, 0.25 - 2 ** -55, -0.25 + 2 ** -55, 5e-324, -5e-324),
  fc.constantFrom(1e15, -1e15, 1e300, -1e300, Number.MAX_VALUE, -Number.MAX_VALUE, 1e-17),
  fc.double({ min: -6, max: 6, noNaN: true }),
);

const someKind = fc.constantFrom(null, '', 'a', 'b');

const somePut = fc
  .record({
    id: fc.integer({ min: 0, max: 12 }),
    rank: someRank,
    kind: someKind,
    pages: fc.integer(),
  })
  .map(({ id, ...columns }): WriteOperation => putPaper(`p${id}`, { columns }));

const someDelete = fc
  .integer({ min: 0, max: 12 })
  .map(
    (id): WriteOperation => ({ type: 'delete', collection: 'papers', key: ['t', 's', `p${id}`] }),
  );

const someRange = fc.record(
  { from: someRank, fromExclusive: fc.boolean(), to: someRank, toExclusive: fc.boolean() },
  { requiredKeys: [] },
);

/** The count and sum of pages over a scan of the same range. */
async function recount(backend: StoreBackend, query: TallyQuery): Promise<[number, number]> {
  const records = await scanAll(backend, query);
  return [records.length, records.reduce((sum, { columns }) => sum + Number(columns['pages']), 0)];
}

async function openPapers(bucketWidth: number): Promise<StoreBackend> {
  const backend = sqliteBackend({ path: join(temporaryFolder(), 'ctx.db') });
  const [byRank, ...others] = papers.indexes;
  const tally = { bucketWidth, sums: ['pages'] };
  const indexes = byRank === undefined ? [] : [{ ...byRank, tally }, ...others];
  await backend.open([{ ...papers, indexes }]);
  return backend;
}

test.for([0.25, 0.1, 1 / 3, 7.3e-5, 1e9])(
  'kept counts equal a recount with buckets of %d',
  async (width) => {
    const backend = await openPapers(width);
    const trace = fc.array(fc.oneof(somePut, somePut, someDelete), { minLength: 1, maxLength: 15 });
    const queries = fc.array(fc.record({ kind: someKind, range: someRange }), {
      minLength: 3,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(trace, queries, async (operations, asked) => {
        await backend.write(operations);
        for (const { kind, range } of asked) {
          const query = {
            collection: 'papers',
            index: 'by_rank',
            equal: ['t', 's', kind],
            range,
            sums: ['pages'],
          };
          const [tally] = await backend.tally(query);
          expect([tally?.count, tally?.sums[0]]).toEqual(await recount(backend, query));
        }
        const byKind = await backend.tally({
          ...{ collection: 'papers', index: 'by_rank', equal: ['t', 's'], groupBy: ['kind'] },
          sums: ['pages'],
        });
        for (const { group, count, sums } of byKind) {
          const query = {
            collection: 'papers',
            index: 'by_rank',
            equal: ['t', 's', group[0] ?? null],
          };
          expect([count, sums[0]]).toEqual(await recount(backend, query));
        }
        expect(byKind.map(({ group }) => group[0])).toEqual(
          [null, '', 'a', 'b'].filter((kind) => byKind.some(({ group }) => group[0] === kind)),
        );
      }),
      { numRuns: 40 },
    );
    await backend.close();
  },
);

test('leaves null out of a range of a leading field', async () => {
  const backend = await openPapers(0.25);
  await backend.write([putPaper('p1'), putPaper('p2', { columns: { kind: 'a' } })]);
  const query = { collection: 'papers', index: 'by_rank', equal: ['t', 's'], range: { from: '' } };
  expect(await backend.tally(query)).toEqual([{ group: [], count: 1, sums: [] }]);
  await backend.close();
});

test('a patch that moves a record to another bucket moves its count', async () => {
  const backend = await openPapers(1);
  await backend.write([putPaper('p1', { columns: { rank: 1.5, pages: 7 } })]);
  const key = ['t', 's', 'p1'];
  await backend.write([{ type: 'patch', collection: 'papers', key, columns: { rank: 12.5 } }]);
  const query = {
    collection: 'papers',
    index: 'by_rank',
    equal: ['t', 's', null],
    sums: ['pages'],
  };
  expect(await backend.tally({ ...query, range: { from: -5, to: 9 } })).toEqual([
    { group: [], count: 0, sums: [0] },
  ]);
  expect(await backend.tally({ ...query, range: { from: 9, to: 20 } })).toEqual([
    { group: [], count: 1, sums: [7] },
  ]);
  await backend.close();
});

test('a bucket holds its lower border and not its upper', () => {
  expect([-0.25, -0.1, 0, 0.1, 0.25, 0.49].map((value) => bucketOf(value, 0.25))).toEqual([
    -1, -1, 0, 0, 1, 1,
  ]);
});
