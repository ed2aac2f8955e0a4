import assert from 'node:assert/strict';
import type {
  ColumnValue,
  FieldRange,
  ScanQuery,
  StoreBackend,
} from '../../store/store-backend.ts';
import { deleteThing, patchThing, putThing, thingKey } from '../case-collections.ts';
import { collect, numbered, rejectsWith, scanIds, scanPages, scanThings } from '../case-support.ts';
import { type AddCase, caseGroup, type ConformanceCase } from '../conformance-case.ts';

/** Values of one column in the order that its index must give them, worked out by hand. */
interface OrderedColumn {
  readonly column: string;
  readonly index: string;
  /** What stands before the column in the index. */
  readonly equal: readonly string[];
  readonly values: readonly ColumnValue[];
}

const text: readonly string[] = [
  ['', '\u0001', '\t', '\n', ' ', '!', '"', '%', "'", '*', '.', '..', '/', '0', '10', '9'],
  ['A', 'Z', '\\', '_', 'a', 'a ', 'aa', 'e\u0301', 'z', '\u00df', '\u00e9', '\u03a9', '\u05d0'],
  ['\u200b', '\u202e', '\u4e2d', '\ud7ff', '\ue000', '\ufb00', '\ufffd', '\u{10000}'],
  ['\u{1f600}', '\u{10ffff}'],
].flat();

const integers = [-9007199254740991, -4294967297, -256, -10, -9, -1, 0, 1, 2, 9, 10, 255, 256];
const bigIntegers = [2147483647, 2147483648, 4294967297, 9007199254740991];
const reals = [
  [-Number.MAX_VALUE, -1e21, -2.5, -1, -1e-7, -Number.MIN_VALUE, 0, Number.MIN_VALUE, 1e-7],
  [0.1, 0.3, 0.30000000000000004, 1, 1.5, 2 ** 53, 1e21, Number.MAX_VALUE],
].flat();

const columns: readonly OrderedColumn[] = [
  { column: 'label', index: 'by_label', equal: ['t'], values: [null, ...text] },
  {
    column: 'amount',
    index: 'by_amount',
    equal: ['t'],
    values: [null, ...integers, ...bigIntegers],
  },
  { column: 'ratio', index: 'by_ratio', equal: ['t'], values: [null, ...reals] },
  { column: 'weight', index: 'by_weight', equal: ['t', 'b'], values: reals },
  { column: 'size', index: 'by_size', equal: ['t'], values: [...integers, ...bigIntegers] },
];

/** Puts a thing per value, in an order that is not the expected one, with ids that do not help. */
async function putValues(backend: StoreBackend, { column, values }: OrderedColumn): Promise<void> {
  const shuffled = values.toSorted((a, b) => String(a).length - String(b).length);
  await backend.write(
    shuffled.map((value, at) =>
      putThing(`${(at * 7) % 11}-${at}`, { columns: { [column]: value } }),
    ),
  );
}

async function valuesOf(
  backend: StoreBackend,
  { column, index, equal }: OrderedColumn,
  query: Partial<ScanQuery> = {},
): Promise<(ColumnValue | undefined)[]> {
  const records = await scanThings(backend, { index, equal, ...query });
  return records.map((record) => record.columns[column]);
}

type Keep = (value: string | number, at: number) => boolean;

/** Ranges with bounds at the given places of the list of values, and what they let through. */
function rangesAt(
  values: readonly (string | number)[],
  low: number,
  high: number,
): readonly { readonly range: FieldRange; readonly keep: Keep }[] {
  const [from, to] = [values[low] ?? 0, values[high] ?? 0];
  return [
    { range: { from }, keep: (_, at) => at >= low },
    { range: { from, fromExclusive: true }, keep: (_, at) => at > low },
    { range: { to }, keep: (_, at) => at <= high },
    { range: { to, toExclusive: true }, keep: (_, at) => at < high },
    { range: { from, to }, keep: (_, at) => at >= low && at <= high },
    { range: { from, fromExclusive: true, to }, keep: (_, at) => at > low && at <= high },
    { range: { from, to, toExclusive: true }, keep: (_, at) => at >= low && at < high },
    {
      range: { from, fromExclusive: true, to, toExclusive: true },
      keep: (_, at) => at > low && at < high,
    },
  ];
}

const isGiven = (value: ColumnValue): value is string | number => value !== null;

function addColumnCases(add: AddCase, ordered: OrderedColumn): void {
  const { column, index, equal, values } = ordered;
  add(`orders ${column} ascending`, async ({ open }) => {
    const backend = await open();
    await putValues(backend, ordered);
    assert.deepEqual(await valuesOf(backend, ordered), values);
  });
  add(`orders ${column} descending`, async ({ open }) => {
    const backend = await open();
    await putValues(backend, ordered);
    const found = await valuesOf(backend, ordered, { descending: true });
    assert.deepEqual(found, values.toReversed());
  });
  add(`finds each ${column} by equality and no other`, async ({ open }) => {
    const backend = await open();
    await putValues(backend, ordered);
    for (const value of values) {
      const found = await valuesOf(backend, ordered, { equal: [...equal, value] });
      assert.deepEqual(found, [value]);
    }
  });
  add(`keeps to ranges of ${column}, with every kind of bound`, async ({ open }) => {
    const backend = await open();
    await putValues(backend, ordered);
    const given = values.filter(isGiven);
    const places = [0, 1, Math.floor(given.length / 2), given.length - 2, given.length - 1];
    for (const low of places) {
      for (const high of places) {
        for (const { range, keep } of rangesAt(given, low, high)) {
          const expected = given.filter(keep);
          assert.deepEqual(await valuesOf(backend, ordered, { range }), expected);
          const backwards = await valuesOf(backend, ordered, { range, descending: true });
          assert.deepEqual(backwards, expected.toReversed());
        }
      }
    }
  });
  add(`takes an open range of ${column} for no range`, async ({ open }) => {
    const backend = await open();
    await putValues(backend, ordered);
    assert.deepEqual(await valuesOf(backend, ordered, { range: {} }), values);
  });
  for (const descending of [false, true]) {
    const direction = descending ? 'descending' : 'ascending';
    add(`pages ${column} ${direction} without loss or repetition`, async ({ open }) => {
      const backend = await open();
      await putValues(backend, ordered);
      const expected = descending ? values.toReversed() : values;
      for (const pageSize of [1, 2, 3, 7, 1000]) {
        const found = await scanPages(backend, { index, equal, descending }, pageSize);
        assert.deepEqual(
          found.map((record) => record.columns[column]),
          expected,
        );
      }
    });
  }
}

const astralIds = ['', 'A', 'a', 'a.', 'b', '\ue000', '\uffee', '\u{10000}', '\u{1f600}'];

/** Things with few different values, so that the key decides. */
async function putTies(backend: StoreBackend): Promise<void> {
  const boxes = ['\u{1f600}', '\uffee', 'b', 'B'];
  const operations = boxes.flatMap((box) =>
    astralIds.toReversed().map((id, at) =>
      putThing(id, {
        box,
        columns: { label: at % 2 === 0 ? null : 'same', amount: at % 3, kind: 'same' },
      }),
    ),
  );
  await backend.write(operations);
}

const tiedScans: readonly { readonly index: string; readonly equal: readonly ColumnValue[] }[] = [
  { index: 'key', equal: ['t'] },
  { index: 'by_label', equal: ['t'] },
  { index: 'by_label', equal: ['t', null] },
  { index: 'by_label', equal: ['t', 'same'] },
  { index: 'by_amount', equal: ['t'] },
  { index: 'by_kind', equal: ['t', 'same'] },
  { index: 'by_kind', equal: ['t', 'same', 1] },
  { index: 'by_size', equal: ['t', 0] },
];

function addTieCases(add: AddCase): void {
  add('gives ties in key order, the key by code point', async ({ open }) => {
    const backend = await open();
    await putTies(backend);
    const records = await scanThings(backend, { index: 'by_size' });
    const expected = ['B', 'b', '\uffee', '\u{1f600}'].flatMap((box) =>
      astralIds.map((id) => ['t', box, id]),
    );
    assert.deepEqual(
      records.map((record) => record.key),
      expected,
    );
  });
  add('gives ties backwards where the scan goes down', async ({ open }) => {
    const backend = await open();
    await putTies(backend);
    for (const query of tiedScans) {
      const up = await scanThings(backend, query);
      const down = await scanThings(backend, { ...query, descending: true });
      assert.deepEqual(down, up.toReversed());
    }
  });
  tiedScans.forEach((query, at) => {
    add(`pages ties of ${query.index} without loss or repetition (${at + 1})`, async ({ open }) => {
      const backend = await open();
      await putTies(backend);
      for (const descending of [false, true]) {
        const whole = await scanThings(backend, { ...query, descending });
        assert.ok(whole.length > 0);
        for (const pageSize of [1, 2, 5, 35, 36, 37]) {
          const found = await scanPages(backend, { ...query, descending }, pageSize);
          assert.deepEqual(found, whole, `pages of ${pageSize}`);
        }
      }
    });
  });
}

/** Queries that break a rule, as a caller without types can send them. */
const badQueries: Readonly<Record<string, unknown>> = {
  'an unknown collection': { collection: 'nothing', index: 'key', equal: ['t'] },
  'an unknown index': { index: 'by_colour' },
  'an index that is SQL': { index: 'key" --' },
  'an index named constructor': { index: 'constructor' },
  'no tenant': { equal: [] },
  'more values than the index has fields': { index: 'by_label', equal: ['t', 'a', 'b'] },
  'an object for a value': { equal: ['t', { $gt: '' }] },
  'a number for the tenant': { equal: [1] },
  'null for the tenant': { equal: [null] },
  'U+0000 in a value': { equal: ['t\u0000'] },
  'text for a number': { index: 'by_amount', equal: ['t', '1'] },
  'a bound of another type': { index: 'by_amount', range: { from: 'a' } },
  'a bound that is an object': { index: 'by_label', range: { to: { $gt: '' } } },
  'a range where no field is left': { index: 'by_label', equal: ['t', 'a'], range: { from: 'a' } },
  'a negative limit': { limit: -1 },
  'a limit that is a fraction': { limit: 1.5 },
  'a limit that is SQL': { limit: '1; drop table things' },
  'a position with a value too few': {
    index: 'by_label',
    after: { values: ['t'], key: thingKey('a') },
  },
  'a position with a short key': { index: 'by_label', after: { values: ['t', 'a'], key: ['t'] } },
  'a position of another type': {
    index: 'by_amount',
    after: { values: ['t', { $gt: 0 }], key: thingKey('a') },
  },
};

function addLimitCases(add: AddCase): void {
  for (const limit of [0, 1, 2, 9, 10, 11, 1000]) {
    add(`gives at most ${limit} records where the limit says so`, async ({ open }) => {
      const backend = await open();
      const ids = numbered(10);
      await backend.write(ids.map((id) => putThing(id)));
      assert.deepEqual(await scanIds(backend, { limit }), ids.slice(0, limit));
      const down = await scanIds(backend, { limit, descending: true });
      assert.deepEqual(down, ids.toReversed().slice(0, limit));
    });
  }
  add('goes on behind a place where no record is any more', async ({ open }) => {
    const backend = await open();
    const ids = numbered(6);
    await backend.write(ids.map((id, at) => putThing(id, { columns: { amount: at } })));
    await backend.write([deleteThing('a3')]);
    const after = { values: ['t', 3], key: thingKey('a3') };
    assert.deepEqual(await scanIds(backend, { index: 'by_amount', after }), ['a4', 'a5']);
    const down = await scanIds(backend, { index: 'by_amount', after, descending: true });
    assert.deepEqual(down, ['a2', 'a1', 'a0']);
  });
  add('goes on behind the place asked for though the record has moved', async ({ open }) => {
    const backend = await open();
    const ids = numbered(6);
    await backend.write(ids.map((id, at) => putThing(id, { columns: { amount: at } })));
    await backend.write([patchThing('a2', { amount: 9 })]);
    const after = { values: ['t', 2], key: thingKey('a2') };
    const found = await scanIds(backend, { index: 'by_amount', after });
    assert.deepEqual(found, ['a3', 'a4', 'a5', 'a2']);
  });
  add('joins a position with a range and a limit', async ({ open }) => {
    const backend = await open();
    const ids = numbered(10);
    await backend.write(ids.map((id, at) => putThing(id, { columns: { amount: at } })));
    const after = { values: ['t', 3], key: thingKey('a3') };
    const query = { index: 'by_amount', range: { from: 2, to: 7 }, after };
    assert.deepEqual(await scanIds(backend, { ...query, limit: 2 }), ['a4', 'a5']);
    assert.deepEqual(await scanIds(backend, query), ['a4', 'a5', 'a6', 'a7']);
    assert.deepEqual(await scanIds(backend, { ...query, descending: true }), ['a2']);
  });
}

function addIsolationCases(add: AddCase): void {
  add('shows a tenant nothing of another', async ({ open }) => {
    const backend = await open();
    const tenants = ['t', 'T', 't ', 'tt', '', '%', '_', 't/', '\u{1f600}'];
    await backend.write(tenants.map((tenant) => putThing('a', { tenant })));
    for (const index of ['key', 'by_label', 'by_kind', 'by_weight']) {
      for (const tenant of tenants) {
        const found = await scanThings(backend, { index, equal: [tenant] });
        assert.deepEqual(
          found.map((record) => record.key),
          [[tenant, 'b', 'a']],
        );
      }
    }
  });
  add('stays with its tenant though the position names another', async ({ open }) => {
    const backend = await open();
    await backend.write(['s', 't', 'u'].map((tenant) => putThing('a', { tenant })));
    for (const other of ['s', 'u']) {
      const key = thingKey('a', { tenant: other });
      for (const descending of [false, true]) {
        const query = { index: 'by_size', after: { values: [other, 0], key }, descending };
        for (const record of await scanThings(backend, query)) assert.equal(record.key[0], 't');
      }
    }
  });
  add('reads the first parts of the key as a prefix of whole parts', async ({ open }) => {
    const backend = await open();
    for (const box of ['b', 'bb', 'b%', 'B', '']) await backend.write([putThing('a', { box })]);
    const found = await scanThings(backend, { equal: ['t', 'b'] });
    assert.deepEqual(
      found.map((record) => record.key),
      [['t', 'b', 'a']],
    );
  });
  add('reads a range of the last key part', async ({ open }) => {
    const backend = await open();
    await backend.write(numbered(10).map((id) => putThing(id)));
    const range = { from: 'a3', to: 'a6', toExclusive: true };
    assert.deepEqual(await scanIds(backend, { equal: ['t', 'b'], range }), ['a3', 'a4', 'a5']);
  });
  add('finds one record by its whole key', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a'), putThing('b')]);
    assert.deepEqual(await scanIds(backend, { equal: thingKey('b') }), ['b']);
  });
}

function addStepCases(add: AddCase): void {
  add('gives bodies, or none where only columns are asked for', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { body: '{"n":1}', columns: { label: 'l' } })]);
    for (const index of ['key', 'by_label', 'by_weight']) {
      const [whole] = await scanThings(backend, { index });
      const [bare] = await scanThings(backend, { index, part: 'columns' });
      assert.equal(whole?.body, '{"n":1}');
      assert.deepEqual(bare, { ...whole, body: '' });
    }
  });
  add('may be broken off, and the store works on', async ({ open }) => {
    const backend = await open();
    await backend.write(numbered(300).map((id) => putThing(id)));
    const query = { collection: 'things', index: 'key', equal: ['t'] };
    for (let round = 0; round < 20; round++) {
      for await (const record of backend.scan(query)) {
        assert.equal(record.key[2], 'a000');
        break;
      }
      await backend.write([patchThing('a299', { amount: round })]);
    }
    assert.equal((await scanIds(backend)).length, 300);
  });
  add('may be left before its first step', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')]);
    backend.scan({ collection: 'things', index: 'key', equal: ['t'] });
    await backend.write([putThing('b')]);
    assert.deepEqual(await scanIds(backend), ['a', 'b']);
  });
  add('may be written to at every step', async ({ open }) => {
    const backend = await open();
    const ids = numbered(300);
    await backend.write(ids.map((id) => putThing(id)));
    const seen: string[] = [];
    const query = { collection: 'things', index: 'key', equal: ['t'] };
    for await (const record of backend.scan(query)) {
      const id = record.key[2] ?? '';
      if (id.startsWith('a')) seen.push(id);
      await backend.write([patchThing(id, { amount: 1 }), putThing(`0${id}`)]);
    }
    assert.deepEqual(seen, ids);
  });
  add('gives nothing twice though a write moves it ahead', async ({ open }) => {
    const backend = await open();
    const ids = numbered(400);
    await backend.write(ids.map((id, at) => putThing(id, { columns: { amount: at } })));
    const seen: string[] = [];
    const query = { collection: 'things', index: 'by_amount', equal: ['t'] };
    for await (const record of backend.scan(query)) {
      const id = record.key[2] ?? '';
      seen.push(id);
      if (seen.length > 1000) break;
      if (seen.length % 3 === 1) await backend.write([patchThing(id, { amount: 1000 })]);
    }
    assert.equal(new Set(seen).size, seen.length);
    const unmoved = seen.filter((_, at) => at % 3 !== 0).length;
    assert.ok(unmoved >= 266, 'what is not written to is not missed');
  });
  add('runs beside other scans', async ({ open }) => {
    const backend = await open();
    const ids = numbered(50);
    await backend.write(ids.map((id) => putThing(id)));
    const query = { collection: 'things', index: 'key', equal: ['t'] };
    const scans = [1, 2, 3].map(() => collect(backend.scan(query)));
    const nested: string[] = [];
    for await (const record of backend.scan({ ...query, limit: 5 })) {
      nested.push(record.key[2] ?? '', ...(await scanIds(backend, { limit: 2 })));
    }
    for (const found of await Promise.all(scans)) assert.equal(found.length, 50);
    assert.equal(nested.length, 15);
  });
}

export const scanCases: readonly ConformanceCase[] = caseGroup('scan', (add) => {
  for (const ordered of columns) addColumnCases(add, ordered);
  addTieCases(add);
  addLimitCases(add);
  addIsolationCases(add);
  addStepCases(add);
  for (const [what, query] of Object.entries(badQueries)) {
    add(`refuses ${what}`, async ({ open }) => {
      const backend = await open();
      await backend.write([putThing('a')]);
      await rejectsWith('CTX_INVALID_INPUT', () =>
        scanThings(backend, query as Partial<ScanQuery>),
      );
      await rejectsWith('CTX_INVALID_INPUT', () =>
        scanThings(backend, query as Partial<ScanQuery>),
      );
    });
  }
  add('keeps -0 as 0', async ({ open }) => {
    const backend = await open();
    await backend.write([
      putThing('a', { columns: { amount: -0, ratio: -0, weight: -0, size: -0 } }),
    ]);
    const [record] = await scanThings(backend);
    for (const name of ['amount', 'ratio', 'weight', 'size']) {
      assert.ok(Object.is(record?.columns[name], 0), name);
    }
    assert.deepEqual(await scanIds(backend, { index: 'by_ratio', equal: ['t', 0] }), ['a']);
    assert.deepEqual(await scanIds(backend, { index: 'by_ratio', equal: ['t', -0] }), ['a']);
  });
});
