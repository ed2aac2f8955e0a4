import { isCtxError } from '@ctx/core';
import type { WriteOperation } from '@ctx/store/backend';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectionTable } from '../schema/collection-table.ts';
import { papers } from '../test-support/papers.ts';
import { operationsByRecord, planRecord, type RecordChange } from './plan-write.ts';

const table = collectionTable(papers, '"ctx"');
const place = { collection: 'papers', key: ['t', 's', 'a'] } as const;
const put: WriteOperation = { type: 'put', ...place, columns: { year: 1 }, body: '{}' };
const patch: WriteOperation = { type: 'patch', ...place, columns: { year: 2 } };
const gone: WriteOperation = { type: 'delete', ...place };

function plan(operations: readonly WriteOperation[], version: number): RecordChange {
  return planRecord({ table, key: place.key, operations }, version);
}

test('a put makes a record or takes the place of one', () => {
  expect(plan([put], 0)).toMatchObject({ type: 'insert', put: { version: 1 } });
  expect(plan([put], 7)).toMatchObject({ type: 'replace', put: { version: 8 } });
});

test('operations on one record see each other', () => {
  expect(plan([put, patch], 0)).toMatchObject({
    type: 'insert',
    put: { version: 2, columns: { year: 2, author: null } },
  });
  expect(plan([patch, { ...patch, columns: { author: 'x' } }], 3)).toMatchObject({
    ...{ type: 'patch', version: 5, columns: { year: 2, author: 'x' } },
  });
  expect(plan([put, gone], 0).type).toBe('keep-missing');
  expect(plan([gone, put], 4)).toMatchObject({ type: 'replace', put: { version: 1 } });
});

test('what only looks keeps the record as it is', () => {
  const check: WriteOperation = { type: 'check', ...place, expectVersion: 3 };
  expect(plan([check], 3).type).toBe('keep');
  expect(plan([{ ...check, expectVersion: 0 }], 0).type).toBe('keep-missing');
});

test('a version that does not hold, or a patch of nothing, is a conflict', () => {
  const attempts = [
    () => plan([{ ...put, expectVersion: 2 }], 3),
    () => plan([patch], 0),
    () => plan([gone, patch], 1),
  ];
  for (const attempt of attempts) {
    try {
      attempt();
      expect.unreachable();
    } catch (error) {
      expect(isCtxError(error, 'CTX_STORE_CONFLICT')).toBe(true);
    }
  }
});

test('the version rises by one with every put or patch, and is gone with a delete', () => {
  const operation = fc.constantFrom(put, patch, gone);
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1 }), fc.nat(5), (operations, before) => {
      let version = before;
      let isConflict = false;
      for (const { type } of operations) {
        if (type === 'patch' && version === 0) isConflict = true;
        version = type === 'delete' ? 0 : version + 1;
      }
      if (isConflict) {
        expect(() => plan(operations, before)).toThrow();
        return;
      }
      const change = plan(operations, before);
      const after = 'put' in change ? change.put.version : 'version' in change ? change.version : 0;
      expect(after).toBe(version);
    }),
  );
});

test('operations are put together by record, in the order of their first', () => {
  const other = { ...put, key: ['t', 's', 'b'] };
  const grouped = operationsByRecord([put, other, gone], () => table);
  expect(grouped.map(({ key, operations }) => [key[2], operations.length])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
});
