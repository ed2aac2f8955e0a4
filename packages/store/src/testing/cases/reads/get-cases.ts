import assert from 'node:assert/strict';
import type { RecordKey, StoreBackend } from '../../../backend/store-backend.ts';
import { putNote, putThing, thingKey } from '../../case-collections.ts';
import { getThing, rejectsWith } from '../../case-support.ts';
import { type ConformanceCase, caseGroup } from '../../conformance-case.ts';

/** Things that are no key of `things`. A caller without types can send them. */
const badKeys: Readonly<Record<string, unknown>> = {
  'one part too few': ['t', 'b'],
  'one part too many': ['t', 'b', 'a', 'c'],
  'no parts': [],
  'an object for a part': ['t', 'b', { $gt: '' }],
  'an array for a part': ['t', 'b', ['a']],
  'a number for a part': ['t', 'b', 1],
  'null for a part': ['t', 'b', null],
  'undefined for a part': ['t', undefined, 'a'],
  'U+0000 in a part': ['t', 'b', 'a\u0000'],
  'a lone surrogate in a part': ['t', 'b', '\ud800'],
  'text for a key': 'tba',
  'an object for a key': { 0: 't', 1: 'b', 2: 'a', length: 3 },
};

const getBad = (backend: StoreBackend, key: unknown): Promise<unknown> =>
  backend.get('things', [key as RecordKey]);

export const getCases: readonly ConformanceCase[] = caseGroup('get', (add) => {
  add('gives a record as it was put', async ({ open }) => {
    const backend = await open();
    const columns = { kind: 'k', label: 'l', amount: 1, ratio: 0.5, weight: 2.5, size: -3 };
    await backend.write([putThing('a', { columns, body: '{"b":[1,2]}' })]);
    const expected = { key: thingKey('a'), version: 1, columns, body: '{"b":[1,2]}' };
    assert.deepEqual(await backend.get('things', [thingKey('a')]), [expected]);
  });
  add('gives undefined for what is missing', async ({ open }) => {
    assert.deepEqual(await (await open()).get('things', [thingKey('a')]), [undefined]);
  });
  add('gives nothing for no keys', async ({ open }) => {
    assert.deepEqual(await (await open()).get('things', []), []);
  });
  add('keeps the order of the keys, with gaps for the missing', async ({ open }) => {
    const backend = await open();
    await backend.write(['a', 'b', 'c'].map((id) => putThing(id)));
    const found = await backend.get(
      'things',
      ['c', 'x', 'a', 'y', 'b'].map((id) => thingKey(id)),
    );
    const ids = found.map((record) => record?.key[2]);
    assert.deepEqual(ids, ['c', undefined, 'a', undefined, 'b']);
  });
  add('gives a record as often as it is asked for', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')]);
    const found = await backend.get('things', [thingKey('a'), thingKey('a'), thingKey('a')]);
    assert.deepEqual(
      found.map((record) => record?.key[2]),
      ['a', 'a', 'a'],
    );
  });
  add('gives 2,000 records in one call', async ({ open }) => {
    const backend = await open();
    const ids = Array.from({ length: 2000 }, (_, at) => `id${at}`);
    await backend.write(ids.map((id) => putThing(id)));
    const found = await backend.get(
      'things',
      ids.toReversed().map((id) => thingKey(id)),
    );
    assert.deepEqual(
      found.map((record) => record?.key[2]),
      ids.toReversed(),
    );
  });
  add('leaves the body out where only columns are asked for', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { columns: { label: 'l' }, body: '{"b":1}' })]);
    const record = await getThing(backend, 'a', 'columns');
    assert.equal(record?.body, '');
    assert.equal(record.columns['label'], 'l');
    assert.equal(record.version, 1);
  });
  add('gives the body where the whole is asked for', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { body: '{"b":1}' })]);
    assert.equal((await getThing(backend, 'a', 'whole'))?.body, '{"b":1}');
  });
  add('fills columns that were left out with null', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')]);
    const columns = { kind: 'k', label: null, amount: null, ratio: null, weight: 0, size: 0 };
    assert.deepEqual((await getThing(backend, 'a'))?.columns, columns);
  });
  add('gives no columns where none are declared', async ({ open }) => {
    const backend = await open();
    await backend.write([putNote('a')]);
    assert.deepEqual((await backend.get('notes', [['t', 'a']]))[0]?.columns, {});
  });
  add('tells keys apart that read alike when joined', async ({ open }) => {
    const backend = await open();
    const keys = [
      ['t', 'ab', 'c'],
      ['t', 'a', 'bc'],
      ['ta', 'b', 'c'],
      ['t', 'a/b', 'c'],
      ['t', 'a', 'b/c'],
      ['t', '', 'abc'],
      ['t', 'abc', ''],
      ['t', 'a","b', 'c'],
      ['t', 'a', 'b","c'],
    ];
    await backend.write(
      keys.map((key, at) => ({ ...putThing('x', { columns: { size: at } }), key })),
    );
    const found = await backend.get('things', keys);
    assert.deepEqual(
      found.map((record) => record?.columns['size']),
      keys.map((_, at) => at),
    );
  });
  add('refuses an unknown collection', async ({ open }) => {
    const backend = await open();
    await rejectsWith('CTX_INVALID_INPUT', () => backend.get('nothing', [['t', 'a']]));
    await rejectsWith('CTX_INVALID_INPUT', () => backend.get('constructor', [['t', 'a']]));
    await rejectsWith('CTX_INVALID_INPUT', () => backend.get('things; --', [['t', 'a']]));
  });
  for (const [what, key] of Object.entries(badKeys)) {
    add(`refuses ${what}`, async ({ open }) => {
      const backend = await open();
      await backend.write([putThing('a')]);
      await rejectsWith('CTX_INVALID_INPUT', () => getBad(backend, key));
    });
  }
});
