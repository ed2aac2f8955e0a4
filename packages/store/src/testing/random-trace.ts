import assert from 'node:assert/strict';
import { isCtxError } from '@ctx/core';
import { compareText } from '../backend/compare-values.ts';
import type {
  ColumnValue,
  ScanQuery,
  StoreBackend,
  TallyQuery,
  WriteOperation,
} from '../backend/store-backend.ts';
import type { FieldRange } from '../backend/index-order.ts';
import { deleteThing, patchThing, putThing, thingKey, things } from './case-collections.ts';
import { collect, scanPages } from './case-support.ts';
import { createReferenceModel, type ReferenceModel } from './reference-model.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

const ids = [
  'a',
  'A',
  'b',
  '',
  "'",
  '%',
  '\uffee',
  '\u{1f600}',
  'e\u0301',
  '\u00e9',
  '../x',
] as const;
const boxes = ['b', 'c', 'B'] as const;
const tenants = ['t', 't', 'u'] as const;
const labels = [null, '', 'x', 'X', 'y', '\uffee', '\u{1f600}'] as const;
const words = ['red', 'blue', 'green', 'red red blue', 'or near', ''] as const;
const indexes = ['key', 'by_label', 'by_amount', 'by_ratio', 'by_kind', 'by_size'] as const;

function randomColumns(random: SeededRandom): Record<string, ColumnValue> {
  const all: Record<string, ColumnValue> = {
    kind: random.pick(['k', 'K', 'l']),
    label: random.pick(labels),
    amount: random.chance(25) ? null : random.below(7) - 3,
    ratio: random.chance(25) ? null : random.pick([-1.5, 0, 0.25, 0.5, 1e21]),
    weight: random.pick([-1, -0.5, 0, 0.25, 0.5, 1]),
    size: random.below(50) - 25,
  };
  return all;
}

function randomOperation(random: SeededRandom, model: ReferenceModel): WriteOperation {
  const id = random.pick(ids);
  const place = { tenant: random.pick(tenants), box: random.pick(boxes) };
  const key = thingKey(id, place);
  const known = model.all().find((record) => record.key.every((part, at) => part === key[at]));
  const guess = random.chance(85) ? (known?.version ?? 0) : random.below(4);
  const expected = random.chance(50) ? { expectVersion: guess } : {};
  if (random.chance(12)) {
    return { type: 'check', collection: 'things', key, expectVersion: guess };
  }
  if (random.chance(20)) return deleteThing(id, { ...place, ...expected });
  const columns = randomColumns(random);
  if (random.chance(40)) {
    const some = Object.entries(columns).filter(() => random.chance(40));
    return patchThing(id, Object.fromEntries(some), { ...place, ...expected });
  }
  const body = JSON.stringify({ n: random.below(1000) });
  const text = random.pick(words);
  return putThing(id, {
    ...place,
    ...expected,
    columns,
    body,
    ...(text === '' ? {} : { words: { text } }),
  });
}

function randomRange(random: SeededRandom, index: string): FieldRange {
  const bounds: readonly (string | number)[] = index === 'by_label' ? ['', 'x', 'y'] : [-1.5, 0, 2];
  const isText = index === 'key' || index === 'by_kind';
  const list = isText ? ['B', 'b', 'k'] : bounds;
  const [low = 0, middle = 0] = list;
  const usable = index === 'by_amount' || index === 'by_size' ? [-2, 1] : [low, middle];
  const [from = 0, to = 0] = usable;
  return {
    ...(random.chance(60) ? { from, fromExclusive: random.chance(50) } : {}),
    ...(random.chance(60) ? { to, toExclusive: random.chance(50) } : {}),
  };
}

async function compareScan(
  backend: StoreBackend,
  model: ReferenceModel,
  random: SeededRandom,
): Promise<void> {
  const index = random.pick(indexes);
  const query: ScanQuery = {
    collection: 'things',
    index,
    equal: [random.pick(tenants)],
    descending: random.chance(50),
    ...(random.chance(50) ? { range: randomRange(random, index) } : {}),
    ...(random.chance(30) ? { part: 'columns' } : {}),
  };
  const expected = model.scan(query);
  const context = JSON.stringify(query);
  assert.deepEqual(await collect(backend.scan(query)), expected, context);
  const limit = 1 + random.below(5);
  const first = await collect(backend.scan({ ...query, limit }));
  assert.deepEqual(first, expected.slice(0, limit), context);
  assert.deepEqual(await scanPages(backend, query, limit), expected, context);
}

async function compareTally(
  backend: StoreBackend,
  model: ReferenceModel,
  random: SeededRandom,
): Promise<void> {
  const index = random.pick(indexes);
  const query: TallyQuery = {
    collection: 'things',
    index,
    equal: [random.pick(tenants)],
    ...(random.chance(60) ? { range: randomRange(random, index) } : {}),
    groupBy: random.pick([[], ['kind'], ['label', 'box'], ['amount']]),
    sums: random.pick([[], ['size'], ['amount', 'size', 'weight']]),
  };
  assert.deepEqual(await backend.tally(query), model.tally(query), JSON.stringify(query));
}

async function compareSearch(
  backend: StoreBackend,
  model: ReferenceModel,
  random: SeededRandom,
): Promise<void> {
  const equal = random.chance(50) ? ['t'] : [random.pick(tenants), random.pick(boxes)];
  const wanted = random.pick([['red'], ['blue', 'near'], ['or'], ['white']]);
  const query = { collection: 'things', equal, words: wanted, limit: 1000 };
  const found = (await backend.search(query)).map((hit) => JSON.stringify(hit.key));
  const expected = model.matches(equal, wanted);
  assert.deepEqual(found.toSorted(compareText), expected.toSorted(compareText));
}

/** What a trace may do beside writing and reading. */
export interface TraceOptions {
  readonly seed: number;
  readonly steps: number;
  /** Asked before each step which backend it runs on. */
  readonly backendAt: (step: number) => Promise<StoreBackend>;
}

async function step(
  backend: StoreBackend,
  model: ReferenceModel,
  random: SeededRandom,
): Promise<void> {
  const operations = Array.from({ length: 1 + random.below(4) }, () =>
    randomOperation(random, model),
  );
  const isDone = await backend.write(operations).then(
    () => true,
    (error: unknown) => {
      if (isCtxError(error, 'CTX_STORE_CONFLICT')) return false;
      throw error;
    },
  );
  assert.equal(isDone, model.apply(operations), JSON.stringify(operations));
  const key = thingKey(random.pick(ids), { box: random.pick(boxes) });
  const equal = [...key];
  const [expected] = model.scan({ collection: 'things', index: 'key', equal });
  assert.deepEqual(await backend.get('things', [key]), [expected]);
  if (random.chance(40)) await compareScan(backend, model, random);
  if (random.chance(30)) await compareTally(backend, model, random);
  if (backend.supports.search && random.chance(30)) await compareSearch(backend, model, random);
}

/** Runs random writes and reads on a backend and on a model that is too simple to be wrong, and compares. */
export async function runTrace(options: TraceOptions): Promise<void> {
  const random = seededRandom(options.seed);
  const model = createReferenceModel(things);
  for (let at = 0; at < options.steps; at++) {
    await step(await options.backendAt(at), model, random);
  }
}
