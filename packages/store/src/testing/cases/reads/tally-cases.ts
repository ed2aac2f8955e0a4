import assert from 'node:assert/strict';
import type { StoreBackend, TallyQuery, WriteOperation } from '../../../backend/store-backend.ts';
import type { FieldRange } from '../../../backend/index-order.ts';
import { deleteThing, patchThing, putThing, things } from '../../case-collections.ts';
import { numbered, rejectsWith, tallyThings } from '../../case-support.ts';
import { type AddCase, type ConformanceCase, caseGroup } from '../../conformance-case.ts';
import { createReferenceModel } from '../../reference-model.ts';
import { type SeededRandom, seededRandom } from '../../seeded-random.ts';

async function putSample(backend: StoreBackend): Promise<void> {
  await backend.write([
    putThing('a', { columns: { kind: 'x', label: 'l', amount: 1, ratio: 0.5, size: 10 } }),
    putThing('b', { columns: { kind: 'x', amount: 2, ratio: 0.25, size: 20 } }),
    putThing('c', { columns: { kind: 'y', label: 'l', size: 30 } }),
    putThing('d', { box: 'c', columns: { kind: 'y', label: 'm', amount: -7, size: 40 } }),
    putThing('e', { tenant: 'u', columns: { amount: 1000, size: 1000 } }),
  ]);
}

interface TallyExample {
  readonly name: string;
  readonly query: Partial<TallyQuery>;
  /** Group, count and sums of each line, counted by hand over the sample. */
  readonly expected: readonly (readonly [
    group: readonly (string | number | null)[],
    count: number,
    sums: readonly number[],
  ])[];
}

const examples: readonly TallyExample[] = [
  { name: 'counts a tenant', query: {}, expected: [[[], 4, []]] },
  {
    name: 'adds up integers and reals, null as nothing',
    query: { sums: ['size', 'amount', 'ratio', 'weight'] },
    expected: [[[], 4, [100, -4, 0.75, 0]]],
  },
  {
    name: 'gives one empty group where nothing is counted',
    query: { equal: ['nobody'], sums: ['size'] },
    expected: [[[], 0, [0]]],
  },
  {
    name: 'gives no group where nothing is counted by group',
    query: { equal: ['nobody'], groupBy: ['kind'], sums: ['size'] },
    expected: [],
  },
  {
    name: 'groups by a column',
    query: { groupBy: ['kind'], sums: ['size'] },
    expected: [
      [['x'], 2, [30]],
      [['y'], 2, [70]],
    ],
  },
  {
    name: 'groups null apart and first',
    query: { groupBy: ['label'] },
    expected: [
      [[null], 1, []],
      [['l'], 2, []],
      [['m'], 1, []],
    ],
  },
  {
    name: 'groups by a key part',
    query: { groupBy: ['box'], sums: ['amount'] },
    expected: [
      [['b'], 3, [3]],
      [['c'], 1, [-7]],
    ],
  },
  {
    name: 'groups by numbers in their order',
    query: { groupBy: ['amount'] },
    expected: [
      [[null], 1, []],
      [[-7], 1, []],
      [[1], 1, []],
      [[2], 1, []],
    ],
  },
  {
    name: 'groups by two fields in the order asked',
    query: { groupBy: ['box', 'kind'], sums: ['size'] },
    expected: [
      [['b', 'x'], 2, [30]],
      [['b', 'y'], 1, [30]],
      [['c', 'y'], 1, [40]],
    ],
  },
  {
    name: 'takes an empty list of groups for none',
    query: { groupBy: [], sums: [] },
    expected: [[[], 4, []]],
  },
  {
    name: 'adds one column up twice where asked twice',
    query: { sums: ['size', 'size'] },
    expected: [[[], 4, [100, 100]]],
  },
  {
    name: 'counts what equals a value',
    query: { index: 'by_label', equal: ['t', 'l'], sums: ['size'] },
    expected: [[[], 2, [40]]],
  },
  {
    name: 'counts what equals null',
    query: { index: 'by_label', equal: ['t', null], sums: ['size'] },
    expected: [[[], 1, [20]]],
  },
  {
    name: 'leaves null out of a range',
    query: { index: 'by_amount', range: { to: 1 }, sums: ['amount'] },
    expected: [[[], 2, [-6]]],
  },
  {
    name: 'counts null in an open range',
    query: { index: 'by_amount', range: {}, sums: ['amount'] },
    expected: [[[], 4, [-4]]],
  },
  {
    name: 'counts a range without its exclusive bounds',
    query: {
      index: 'by_size',
      range: { from: 10, fromExclusive: true, to: 40, toExclusive: true },
      sums: ['size'],
    },
    expected: [[[], 2, [50]]],
  },
  {
    name: 'counts nothing in a range that ends before it begins',
    query: { index: 'by_size', range: { from: 40, to: 10 }, sums: ['size'] },
    expected: [[[], 0, [0]]],
  },
  {
    name: 'counts under a prefix of the key',
    query: { equal: ['t', 'b'], groupBy: ['kind'], sums: ['amount'] },
    expected: [
      [['x'], 2, [3]],
      [['y'], 1, [0]],
    ],
  },
];

type Bounds = readonly (number | undefined)[];

function* everyRange(bounds: Bounds): Generator<FieldRange> {
  for (const from of bounds) {
    for (const to of bounds) {
      for (const isExclusive of [false, true]) {
        yield {
          ...(from === undefined ? {} : { from, fromExclusive: isExclusive }),
          ...(to === undefined ? {} : { to, toExclusive: isExclusive }),
        };
      }
    }
  }
}

/** Indexes with a hint, and bounds at, beside and between the edges of their buckets. */
const hinted = {
  by_weight: {
    equal: ['t', 'b'],
    column: 'weight',
    sums: ['size'],
    bounds: [undefined, -1.5, -1, -0.75, -0.5, 0, 0.25, 0.5, 0.5000000000000001, 1, 1.75, 2],
  },
  by_size: {
    equal: ['t'],
    column: 'size',
    sums: ['amount', 'size'],
    bounds: [undefined, -30, -21, -20, -10, -1, 0, 1, 9, 10, 11, 20, 30],
  },
} as const;

type HintedName = keyof typeof hinted;

function randomOperation(
  random: SeededRandom,
  ids: readonly [string, ...string[]],
): WriteOperation {
  const id = random.pick(ids);
  const columns = {
    weight: random.pick([-1.5, -1, -0.75, -0.5, 0, 0.25, 0.5, 0.5000000000000001, 1, 1.75]),
    size: random.below(61) - 30,
    amount: random.chance(20) ? null : random.below(1000) - 500,
  };
  const box = random.chance(80) ? 'b' : 'c';
  if (random.chance(25)) return deleteThing(id, { box });
  if (random.chance(35)) return patchThing(id, columns, { box });
  return putThing(id, { box, columns });
}

async function compareRanges(
  backend: StoreBackend,
  model: ReturnType<typeof createReferenceModel>,
  index: HintedName,
): Promise<void> {
  const { equal, bounds, sums } = hinted[index];
  for (const range of everyRange(bounds)) {
    const query = { collection: 'things', index, equal, range, sums };
    assert.deepEqual(await backend.tally(query), model.tally(query), JSON.stringify(range));
  }
}

function addHintCases(add: AddCase, index: HintedName): void {
  const { column, bounds } = hinted[index];
  add(`counts ${index} exactly at the edges of its buckets`, async ({ open }) => {
    const backend = await open();
    const model = createReferenceModel(things);
    const values = bounds.filter((bound) => bound !== undefined);
    const operations = values.flatMap((value, at) => [
      putThing(`a${at}`, { columns: { size: at, amount: at * 3, [column]: value } }),
      putThing(`b${at}`, { columns: { size: at, [column]: value } }),
    ]);
    await backend.write(operations);
    model.apply(operations);
    await compareRanges(backend, model, index);
  });
  for (const seed of [1, 2, 3]) {
    add(
      `counts ${index} as a recount does after random writes (seed ${seed})`,
      async ({ open }) => {
        const backend = await open();
        const model = createReferenceModel(things);
        const random = seededRandom(seed);
        const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'] as const;
        for (let round = 0; round < 150; round++) {
          const operations = Array.from({ length: 1 + random.below(3) }, () =>
            randomOperation(random, [...ids]),
          );
          if (model.apply(operations)) await backend.write(operations);
          else await rejectsWith('CTX_STORE_CONFLICT', () => backend.write(operations));
        }
        await compareRanges(backend, model, index);
      },
    );
  }
}

const badTallies: Readonly<Record<string, unknown>> = {
  'an unknown collection': { collection: 'nothing' },
  'an unknown index': { index: 'by_colour' },
  'a group by an unknown field': { groupBy: ['colour'] },
  'a group by SQL': { groupBy: ['kind" from things --'] },
  'a group by constructor': { groupBy: ['constructor'] },
  'a sum of an unknown column': { sums: ['colour'] },
  'a sum of a text': { sums: ['kind'] },
  'a sum of SQL': { sums: ['size) from things --'] },
  'an operator for a value': { equal: [{ $gt: '' }] },
  'a bound that is SQL': { index: 'by_size', range: { from: '0 or 1=1' } },
};

export const tallyCases: readonly ConformanceCase[] = caseGroup('tally', (add) => {
  for (const { name, query, expected } of examples) {
    add(name, async ({ open }) => {
      const backend = await open();
      await putSample(backend);
      const lines = expected.map(([group, count, sums]) => ({ group, count, sums }));
      assert.deepEqual(await tallyThings(backend, query), lines);
    });
  }
  addHintCases(add, 'by_weight');
  addHintCases(add, 'by_size');
  add('follows puts, patches and deletes', async ({ open }) => {
    const backend = await open();
    const query = { index: 'by_size', range: { from: 0, to: 99 }, sums: ['size', 'amount'] };
    await backend.write([putThing('a', { columns: { size: 5, amount: 1 } }), putThing('b')]);
    assert.deepEqual(await tallyThings(backend, query), [{ group: [], count: 2, sums: [5, 1] }]);
    await backend.write([patchThing('a', { amount: 4 })]);
    assert.deepEqual(await tallyThings(backend, query), [{ group: [], count: 2, sums: [5, 4] }]);
    await backend.write([putThing('a', { columns: { size: 100 } })]);
    assert.deepEqual(await tallyThings(backend, query), [{ group: [], count: 1, sums: [0, 0] }]);
    await backend.write([deleteThing('b')]);
    assert.deepEqual(await tallyThings(backend, query), [{ group: [], count: 0, sums: [0, 0] }]);
  });
  add('leaves no rounding of a large real behind when it has gone', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { columns: { ratio: 0.1 } })]);
    await backend.write([putThing('b', { columns: { ratio: 1e300 } })]);
    await backend.write([deleteThing('b')]);
    const [tally] = await tallyThings(backend, { sums: ['ratio'] });
    assert.equal(tally?.sums[0], 0.1);
  });
  add('does not count what a failed write would have changed', async ({ open }) => {
    const backend = await open();
    await putSample(backend);
    const query = { index: 'by_size', range: { from: -1000 }, sums: ['size'] };
    const before = await tallyThings(backend, query);
    const write = () => backend.write([putThing('z'), deleteThing('a'), patchThing('gone', {})]);
    await rejectsWith('CTX_STORE_CONFLICT', write);
    assert.deepEqual(await tallyThings(backend, query), before);
  });
  add('counts 3,000 records over ranges of a hinted index', async ({ open }) => {
    const backend = await open();
    const ids = numbered(3000);
    await backend.write(ids.map((id, at) => putThing(id, { columns: { size: at, amount: 1 } })));
    for (const [from, to] of [
      [0, 2999],
      [1, 2998],
      [999, 2001],
      [1500, 1500],
      [2995, 9999],
    ] as const) {
      const query = { index: 'by_size', range: { from, to }, sums: ['amount', 'size'] };
      const last = Math.min(to, 2999);
      const count = last - from + 1;
      const expected = { group: [], count, sums: [count, ((from + last) * count) / 2] };
      assert.deepEqual(await tallyThings(backend, query), [expected]);
    }
  });
  for (const [what, query] of Object.entries(badTallies)) {
    add(`refuses ${what}`, async ({ open }) => {
      const backend = await open();
      await putSample(backend);
      const call = () => tallyThings(backend, query as Partial<TallyQuery>);
      await rejectsWith('CTX_INVALID_INPUT', call);
    });
  }
});
