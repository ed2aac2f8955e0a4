import assert from 'node:assert/strict';
import type { StoreBackend, WriteOperation } from '../../../backend/store-backend.ts';
import { deleteThing, patchThing, putNote, putThing, thingKey } from '../../case-collections.ts';
import {
  getThing,
  numbered,
  rejectsWith,
  scanIds,
  scanThings,
  versionOf,
} from '../../case-support.ts';
import { type AddCase, type ConformanceCase, caseGroup } from '../../conformance-case.ts';

const checkThing = (id: string, expectVersion: number): WriteOperation => ({
  type: 'check',
  collection: 'things',
  key: thingKey(id),
  expectVersion,
});

/** Each must conflict in a store where `there` has version 2 and `gone` is missing. */
const conflicts: Readonly<Record<string, WriteOperation>> = {
  'a put that expects none where there is one': putThing('there', { expectVersion: 0 }),
  'a put that expects an older version': putThing('there', { expectVersion: 1 }),
  'a put that expects a newer version': putThing('there', { expectVersion: 3 }),
  'a put that expects a version of what is missing': putThing('gone', { expectVersion: 1 }),
  'a patch of what is missing': patchThing('gone', { size: 1 }),
  'a patch of what is missing that expects none': patchThing('gone', {}, { expectVersion: 0 }),
  'a patch that expects an older version': patchThing('there', {}, { expectVersion: 1 }),
  'a patch that expects none where there is one': patchThing('there', {}, { expectVersion: 0 }),
  'a delete that expects an older version': deleteThing('there', { expectVersion: 1 }),
  'a delete that expects none where there is one': deleteThing('there', { expectVersion: 0 }),
  'a delete that expects a version of what is missing': deleteThing('gone', { expectVersion: 2 }),
  'a check of an older version': checkThing('there', 1),
  'a check of a newer version': checkThing('there', 3),
  'a check for none where there is one': checkThing('there', 0),
  'a check of what is missing': checkThing('gone', 1),
};

const put = putThing('a');

/** Operations that break a rule, as a caller without types can send them. */
const badOperations: Readonly<Record<string, unknown>> = {
  'an unknown collection': { ...put, collection: 'nothing' },
  'an unknown type of operation': { ...put, type: 'increment' },
  'a key with a part too few': { ...put, key: ['t', 'b'] },
  'a key with an object in it': { ...put, key: ['t', 'b', { $gt: '' }] },
  'a key with U+0000': { ...put, key: ['t', 'b', '\u0000'] },
  'an undeclared column': putThing('a', { columns: { colour: 'red' } }),
  'a column that is SQL': putThing('a', { columns: { 'size" = 1 --': 1 } }),
  'a column named constructor': putThing('a', { columns: { constructor: 1 } }),
  'text in an integer': putThing('a', { columns: { size: '1' } }),
  'a fraction in an integer': putThing('a', { columns: { size: 1.5 } }),
  'an integer that is not safe': putThing('a', { columns: { size: 2 ** 53 } }),
  'NaN in a real': putThing('a', { columns: { weight: Number.NaN } }),
  'Infinity in a real': putThing('a', { columns: { weight: Number.POSITIVE_INFINITY } }),
  'a number in a text': putThing('a', { columns: { kind: 1 } }),
  'U+0000 in a text': putThing('a', { columns: { kind: 'a\u0000b' } }),
  'a lone surrogate in a text': putThing('a', { columns: { kind: '\udc00' } }),
  'null in a column that is not nullable': putThing('a', { columns: { kind: null } }),
  'a required column left out': { ...put, columns: { kind: 'k', size: 0 } },
  'an object in a column': {
    ...put,
    columns: { kind: { $gt: '' }, weight: 0, size: 0 },
  },
  'a body that is no text': { ...put, body: { a: 1 } },
  'an empty body': { ...put, body: '' },
  'words of an undeclared field': putThing('a', { words: { colour: 'red' } }),
  'a negative expected version': putThing('a', { expectVersion: -1 }),
  'a fraction for an expected version': putThing('a', { expectVersion: 0.5 }),
  'text for an expected version': { ...put, expectVersion: '1' },
  'a check without a version': { type: 'check', collection: 'things', key: thingKey('a') },
  'a patch of an undeclared column': patchThing('there', { colour: 'red' }),
  'a patch to null of a column that is not nullable': patchThing('there', { kind: null }),
};

async function writeStart(backend: StoreBackend): Promise<void> {
  await backend.write([
    putThing('there', { columns: { label: 'first' }, body: '{"n":1}' }),
    patchThing('there', { label: 'second' }),
    putThing('other'),
  ]);
}

/** Runs a write that must fail and proves that nothing has changed. */
async function failsWithoutTrace(
  backend: StoreBackend,
  code: 'CTX_STORE_CONFLICT' | 'CTX_INVALID_INPUT',
  operations: readonly unknown[],
): Promise<void> {
  const before = await scanThings(backend);
  await rejectsWith(code, () => backend.write(operations as WriteOperation[]));
  assert.deepEqual(await scanThings(backend), before);
}

function addPutCases(add: AddCase): void {
  add('creates at version 1 and counts up with every put', async ({ open }) => {
    const backend = await open();
    for (const expected of [1, 2, 3, 4]) {
      await backend.write([putThing('a')]);
      assert.equal(await versionOf(backend, 'a'), expected);
    }
  });
  add('replaces the whole record with a put', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { columns: { label: 'x', amount: 1 }, body: '{"n":1}' })]);
    await backend.write([putThing('a', { columns: { amount: 2 }, body: '{"n":2}' })]);
    const record = await getThing(backend, 'a');
    assert.deepEqual([record?.columns['label'], record?.columns['amount']], [null, 2]);
    assert.equal(record?.body, '{"n":2}');
  });
  add('creates where it expects none', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { expectVersion: 0 })]);
    assert.equal(await versionOf(backend, 'a'), 1);
  });
  add('replaces where it expects the version that is there', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')]);
    await backend.write([putThing('a', { expectVersion: 1, body: '{"n":2}' })]);
    const record = await getThing(backend, 'a');
    assert.deepEqual([record?.version, record?.body], [2, '{"n":2}']);
  });
  add('starts at version 1 again after a delete', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')]);
    await backend.write([putThing('a')]);
    await backend.write([deleteThing('a')]);
    await backend.write([putThing('a', { expectVersion: 0 })]);
    assert.equal(await versionOf(backend, 'a'), 1);
  });
  add('forgets columns and body of a deleted record made again', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { columns: { label: 'x' }, body: '{"n":1}' })]);
    await backend.write([deleteThing('a')]);
    await backend.write([putThing('a')]);
    const record = await getThing(backend, 'a');
    assert.deepEqual([record?.columns['label'], record?.body], [null, '{}']);
  });
}

function addPatchCases(add: AddCase): void {
  add('patches the columns given and keeps the rest', async ({ open }) => {
    const backend = await open();
    const columns = { kind: 'k', label: 'l', amount: 5, ratio: 0.25, weight: 1, size: 9 };
    await backend.write([putThing('a', { columns, body: '{"n":1}' })]);
    await backend.write([patchThing('a', { amount: 6, label: null })]);
    const expected = { ...columns, amount: 6, label: null };
    assert.deepEqual(await getThing(backend, 'a'), {
      key: thingKey('a'),
      version: 2,
      columns: expected,
      body: '{"n":1}',
    });
  });
  add('counts the version up with a patch of nothing', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')]);
    await backend.write([patchThing('a', {})]);
    assert.equal(await versionOf(backend, 'a'), 2);
  });
  add('patches where it expects the version that is there', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')]);
    await backend.write([patchThing('a', { size: 4 }, { expectVersion: 1 })]);
    const record = await getThing(backend, 'a');
    assert.deepEqual([record?.version, record?.columns['size']], [2, 4]);
  });
  add('moves a patched record in its indexes', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { columns: { amount: 1 } })]);
    await backend.write([putThing('b', { columns: { amount: 2 } })]);
    await backend.write([patchThing('a', { amount: 3 })]);
    assert.deepEqual(await scanIds(backend, { index: 'by_amount' }), ['b', 'a']);
    assert.deepEqual(await scanIds(backend, { index: 'by_amount', equal: ['t', 1] }), []);
  });
}

function addDeleteCases(add: AddCase): void {
  add('deletes a record from reads and every index', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a'), putThing('b')]);
    await backend.write([deleteThing('a')]);
    assert.equal(await getThing(backend, 'a'), undefined);
    for (const index of ['key', 'by_label', 'by_amount', 'by_ratio', 'by_kind', 'by_weight']) {
      assert.deepEqual(await scanIds(backend, { index }), ['b'], index);
    }
  });
  add('deletes what is missing without complaint', async ({ open }) => {
    const backend = await open();
    await backend.write([deleteThing('a')]);
    await backend.write([deleteThing('a', { expectVersion: 0 })]);
    assert.equal(await getThing(backend, 'a'), undefined);
  });
  add('deletes where it expects the version that is there', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')]);
    await backend.write([deleteThing('a', { expectVersion: 1 })]);
    assert.equal(await getThing(backend, 'a'), undefined);
  });
  add('deletes the one record of that key only', async ({ open }) => {
    const backend = await open();
    await backend.write([
      putThing('a'),
      putThing('a', { box: 'c' }),
      putThing('a', { tenant: 'u' }),
      putThing('aa'),
    ]);
    await backend.write([deleteThing('a')]);
    const keys = [...(await scanThings(backend)), ...(await scanThings(backend, { equal: ['u'] }))];
    assert.deepEqual(
      keys.map((record) => record.key.join('/')),
      ['t/b/aa', 't/c/a', 'u/b/a'],
    );
  });
}

function addBatchCases(add: AddCase): void {
  add('takes an empty write', async ({ open }) => {
    const backend = await open();
    await backend.write([]);
    assert.deepEqual(await scanIds(backend), []);
  });
  add('changes nothing by a check that holds', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')]);
    await backend.write([checkThing('a', 1), checkThing('b', 0)]);
    assert.equal(await versionOf(backend, 'a'), 1);
    assert.equal(await getThing(backend, 'b'), undefined);
  });
  add('writes to two collections at once', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a'), putNote('a')]);
    assert.equal(await versionOf(backend, 'a'), 1);
    assert.equal((await backend.get('notes', [['t', 'a']]))[0]?.version, 1);
  });
  add('undoes the other collection where one conflicts', async ({ open }) => {
    const backend = await open();
    await rejectsWith('CTX_STORE_CONFLICT', () =>
      backend.write([putNote('a'), patchThing('gone', {})]),
    );
    assert.deepEqual(await backend.get('notes', [['t', 'a']]), [undefined]);
  });
  add('lets operations on one key see each other', async ({ open }) => {
    const backend = await open();
    await backend.write([
      putThing('a', { expectVersion: 0, columns: { label: 'x' }, body: '{"n":1}' }),
      checkThing('a', 1),
      patchThing('a', { size: 1 }, { expectVersion: 1 }),
      patchThing('a', { amount: 2 }, { expectVersion: 2 }),
      checkThing('a', 3),
    ]);
    const record = await getThing(backend, 'a');
    const { label, size, amount } = record?.columns ?? {};
    assert.deepEqual([record?.version, label, size, amount], [3, 'x', 1, 2]);
  });
  add('deletes and makes anew in one write, at version 1', async ({ open }) => {
    const backend = await open();
    await writeStart(backend);
    await backend.write([
      deleteThing('there', { expectVersion: 2 }),
      checkThing('there', 0),
      putThing('there', { expectVersion: 0 }),
    ]);
    assert.equal(await versionOf(backend, 'there'), 1);
  });
  add('makes and deletes in one write and leaves nothing', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { words: { text: 'word' } }), deleteThing('a')]);
    assert.deepEqual(await scanIds(backend, { index: 'by_amount' }), []);
  });
  add('undoes all where a later operation on the same key conflicts', async ({ open }) => {
    const backend = await open();
    await failsWithoutTrace(backend, 'CTX_STORE_CONFLICT', [
      putThing('a', { expectVersion: 0 }),
      putThing('a', { expectVersion: 0 }),
    ]);
  });
  add('writes 1,000 operations at once', async ({ open }) => {
    const backend = await open();
    const ids = numbered(1000);
    await backend.write(ids.map((id, at) => putThing(id, { columns: { amount: at } })));
    assert.deepEqual(await scanIds(backend, { index: 'by_amount' }), ids);
  });
  add('undoes 1,000 operations where the last one conflicts', async ({ open }) => {
    const backend = await open();
    await writeStart(backend);
    const many = numbered(999).map((id) => putThing(id));
    const operations = [...many, patchThing('gone', {})];
    await failsWithoutTrace(backend, 'CTX_STORE_CONFLICT', operations);
  });
  for (const position of [0, 1, 2, 3, 4]) {
    add(`undoes the batch where operation ${position + 1} of 5 conflicts`, async ({ open }) => {
      const backend = await open();
      await writeStart(backend);
      const operations: WriteOperation[] = [
        putThing('new'),
        patchThing('there', { label: 'third' }),
        deleteThing('other'),
        putThing('other', { body: '{"n":3}' }),
      ];
      const conflicting = putThing('there', { expectVersion: 9 });
      const batch = operations.toSpliced(position, 0, conflicting);
      await failsWithoutTrace(backend, 'CTX_STORE_CONFLICT', batch);
    });
  }
  add('works on after a conflict', async ({ open }) => {
    const backend = await open();
    await writeStart(backend);
    await failsWithoutTrace(backend, 'CTX_STORE_CONFLICT', [checkThing('there', 7)]);
    await backend.write([patchThing('there', { label: 'third' }, { expectVersion: 2 })]);
    assert.equal(await versionOf(backend, 'there'), 3);
  });
  add('takes the wish for durability that a write may have', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')], { durability: 'power' });
    await backend.write([putThing('b')], { durability: 'process' });
    assert.deepEqual(await scanIds(backend), ['a', 'b']);
  });
}

export const writeCases: readonly ConformanceCase[] = caseGroup('write', (add) => {
  addPutCases(add);
  addPatchCases(add);
  addDeleteCases(add);
  addBatchCases(add);
  for (const [what, operation] of Object.entries(conflicts)) {
    add(`conflicts on ${what} and changes nothing`, async ({ open }) => {
      const backend = await open();
      await writeStart(backend);
      await failsWithoutTrace(backend, 'CTX_STORE_CONFLICT', [operation]);
    });
  }
  for (const [what, operation] of Object.entries(badOperations)) {
    add(`refuses ${what} and does nothing of the batch`, async ({ open }) => {
      const backend = await open();
      await writeStart(backend);
      const batch = [putThing('before'), operation, putThing('after')];
      await failsWithoutTrace(backend, 'CTX_INVALID_INPUT', batch);
    });
  }
});
