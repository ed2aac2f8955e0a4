import assert from 'node:assert/strict';
import type {
  CollectionDefinition,
  PutOperation,
  ScanQuery,
} from '../../../backend/store-backend.ts';
import { collect, rejectsWith } from '../../case-support.ts';
import { type ConformanceCase, caseGroup } from '../../conformance-case.ts';

/** A collection with an index that lacks the records that are not asked for. */
const tasks: CollectionDefinition = {
  name: 'tasks',
  key: ['tenant', 'id'],
  columns: { owner: { type: 'text', nullable: true }, size: { type: 'integer' } },
  indexes: [{ name: 'by_owner', fields: ['tenant', 'owner', 'size'], notNull: 'owner' }],
  search: [],
};

const put = (id: string, owner: string | null, size: number): PutOperation => {
  const columns = { owner, size };
  return { type: 'put', collection: 'tasks', key: ['t', id], columns, body: '{}' };
};

const ofAda: ScanQuery = { collection: 'tasks', index: 'by_owner', equal: ['t', 'ada'] };

/** Indexes of which every query names a value that is not null. */
export const notNullCases: readonly ConformanceCase[] = caseGroup('notnull', (add) => {
  add('gives and counts the records of a value', async ({ open }) => {
    const backend = await open([tasks]);
    await backend.write([
      put('a', 'ada', 2),
      put('b', null, 1),
      put('c', 'ada', 1),
      put('d', 'eve', 3),
    ]);
    const ids = async (query: Partial<ScanQuery> = {}) =>
      (await collect(backend.scan({ ...ofAda, ...query }))).map(({ key }) => key[1]);
    assert.deepEqual(await ids(), ['c', 'a']);
    assert.deepEqual(await ids({ descending: true, limit: 1 }), ['a']);
    assert.deepEqual(await ids({ range: { from: 2 } }), ['a']);
    const after = { values: ['t', 'ada', 1], key: ['t', 'c'] };
    assert.deepEqual(await ids({ after }), ['a']);
    const [tally] = await backend.tally({ ...ofAda, sums: ['size'] });
    assert.deepEqual([tally?.count, tally?.sums], [2, [3]]);
  });
  add('follows a value that comes and goes', async ({ open }) => {
    const backend = await open([tasks]);
    await backend.write([put('a', null, 1)]);
    const patch = { type: 'patch', collection: 'tasks', key: ['t', 'a'] } as const;
    await backend.write([{ ...patch, columns: { owner: 'ada' } }]);
    assert.equal((await collect(backend.scan(ofAda))).length, 1);
    await backend.write([{ ...patch, columns: { owner: null } }]);
    assert.equal((await collect(backend.scan(ofAda))).length, 0);
  });
  for (const [what, equal] of Object.entries({ null: ['t', null], 'no value': ['t'] })) {
    add(`refuses a query of ${what}`, async ({ open }) => {
      const backend = await open([tasks]);
      await rejectsWith('CTX_INVALID_INPUT', () => collect(backend.scan({ ...ofAda, equal })));
      await rejectsWith('CTX_INVALID_INPUT', () => backend.tally({ ...ofAda, equal }));
    });
  }
  for (const notNull of ['size', 'id', 'nothing']) {
    add(`refuses an index that is without null of ${notNull}`, async ({ create }) => {
      const backend = await create();
      const indexes = [{ name: 'by_owner', fields: ['tenant', 'owner', 'size'], notNull }];
      await rejectsWith('CTX_INVALID_INPUT', () => backend.open([{ ...tasks, indexes }]));
    });
  }
});
