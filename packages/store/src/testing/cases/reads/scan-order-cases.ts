import assert from 'node:assert/strict';
import type { ColumnValue, ScanQuery, StoreBackend } from '../../../backend/store-backend.ts';
import type { FieldRange } from '../../../backend/index-order.ts';
import { putThing } from '../../case-collections.ts';
import { scanPages, scanThings } from '../../case-support.ts';
import type { AddCase } from '../../conformance-case.ts';

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

/** Each column in its order, and ranges of it. */
export function addOrderCases(add: AddCase): void {
  for (const ordered of columns) addColumnCases(add, ordered);
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

/** Where values are equal the key decides. */
export function addTieCases(add: AddCase): void {
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
