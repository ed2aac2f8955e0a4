import assert from 'node:assert/strict';
import { fieldValue } from '../../../backend/index-order.ts';
import { listedValues } from '../../../backend/record-lists.ts';
import type { RecordLists, StoreBackend } from '../../../backend/store-backend.ts';
import type { ListQuery } from '../../../backend/record-lists.ts';
import { patchThing, putThing, things } from '../../case-collections.ts';
import { collect, numbered, rejectsWith, scanIds } from '../../case-support.ts';
import { type AddCase, type ConformanceCase, caseGroup } from '../../conformance-case.ts';
import { hostileTexts } from '../../hostile-texts.ts';

const names = ['id', 'box', 'label', 'amount', 'ratio', 'weight'];

const everything: ListQuery = {
  collection: 'things',
  index: 'key',
  equal: ['t'],
  names,
  size: 400,
};

async function listed(
  backend: StoreBackend,
  query: Partial<ListQuery> = {},
): Promise<RecordLists[]> {
  const { names: wanted, size, ...scan } = { ...everything, ...query };
  return (await backend.scan(scan).lists?.(wanted, size)) ?? [];
}

/** The rows that parts tell, each with its version. */
function rowsOf(parts: readonly RecordLists[], wanted: readonly string[] = names): unknown[] {
  return parts.flatMap(({ count, lists, versions }) => {
    const columns = [...wanted.map((name) => listedValues(lists[name])), listedValues(versions)];
    for (const values of columns) assert.equal(values.length, count);
    return Array.from({ length: count }, (_, at) => columns.map((values) => values[at]));
  });
}

async function scannedRows(backend: StoreBackend, query: Partial<ListQuery>): Promise<unknown[]> {
  const { names: _names, size: _size, ...scan } = { ...everything, ...query };
  const records = await collect(backend.scan(scan));
  return records.map((record) => [
    ...names.map((name) => fieldValue(things, record, name)),
    record.version,
  ]);
}

/** So many that a backend reads them in several steps. */
const many = 1300;

async function putMany(backend: StoreBackend): Promise<void> {
  await backend.write(
    numbered(many).map((id, at) =>
      putThing(id, {
        columns: { amount: at % 7, weight: at / 3, label: at % 3 === 0 ? null : `l${at % 3}` },
      }),
    ),
  );
  await backend.write([
    patchThing('a0003', { ratio: 0.1 + 0.2 }),
    patchThing('a0700', { size: 9 }),
  ]);
}

const queries: readonly Partial<ListQuery>[] = [
  {},
  { descending: true },
  { index: 'by_amount', descending: true },
  { index: 'by_amount', equal: ['t', 3], size: 7 },
  { index: 'by_weight', equal: ['t', 'b'], range: { from: 10, to: 20, toExclusive: true } },
  { index: 'by_weight', equal: ['t', 'b'], range: { from: 10 }, descending: true, size: 1 },
  { index: 'by_label', equal: ['t', null], size: 5000 },
  { equal: ['t', 'b', 'a0003'] },
];

function addWhatCases(add: AddCase): void {
  add('gives what a scan gives, in its order and in parts of the size', async ({ open }) => {
    const backend = await open();
    await putMany(backend);
    for (const query of queries) {
      const parts = await listed(backend, query);
      assert.deepEqual(rowsOf(parts), await scannedRows(backend, query));
      const { size } = { ...everything, ...query };
      for (const [at, { count }] of parts.entries()) {
        assert.ok(at === parts.length - 1 ? count > 0 && count <= size : count === size);
      }
    }
  });
  add('gives no part where there is no record', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { tenant: 'u' })]);
    assert.deepEqual(await listed(backend), []);
  });
  add('gives versions alone where nothing is named', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a'), putThing('b'), patchThing('b', { size: 1 })]);
    const parts = await listed(backend, { names: [] });
    assert.deepEqual(rowsOf(parts, []), [[1], [2]]);
  });
  add('gives numbers to the last digit', async ({ open }) => {
    const backend = await open();
    const reals = [0.1 + 0.2, 5e-324, -1.7976931348623157e308, 1 / 3, 123456789.12345679, -0];
    const largest = Number.MAX_SAFE_INTEGER;
    await backend.write(
      reals.map((weight, at) =>
        putThing(`n${at}`, { columns: { weight, ratio: -weight, amount: largest - at } }),
      ),
    );
    const parts = await listed(backend, { names: ['weight', 'ratio', 'amount'] });
    assert.deepEqual(
      rowsOf(parts, ['weight', 'ratio', 'amount']),
      reals.map((weight, at) => [weight + 0, 0 - weight, largest - at, 1]),
    );
  });
  add('gives texts of every kind', async ({ open }) => {
    const backend = await open();
    await backend.write(
      hostileTexts.map((label, at) =>
        putThing(`x${String(at).padStart(4, '0')}`, { columns: { label } }),
      ),
    );
    const parts = await listed(backend, { names: ['label'], size: 50 });
    assert.deepEqual(
      rowsOf(parts, ['label']),
      hostileTexts.map((label) => [label, 1]),
    );
  });
}

function addRuleCases(add: AddCase): void {
  add('gives records of one moment while others move them', async ({ open }) => {
    const backend = await open();
    await putMany(backend);
    const query = { index: 'by_weight', equal: ['t', 'b'], names: ['id'], size: 10 };
    const reading = listed(backend, query);
    // What is after comes to the front, in two writes.
    for (const from of [0, 650]) {
      const moved = numbered(many).slice(from, from + 650);
      await backend.write(moved.map((id, at) => patchThing(id, { weight: -at })));
    }
    const ids = rowsOf(await reading, ['id']).map((row) => String(row).split(',')[0]);
    assert.deepEqual(new Set(ids), new Set(await scanIds(backend)));
    assert.equal(ids.length, many);
  });
  const refused: Readonly<Record<string, Partial<ListQuery>>> = {
    'a name that is not there': { names: ['none'] },
    'a name that objects have': { names: ['constructor'] },
    'an unknown index': { index: 'by_nothing' },
    'an unknown collection': { collection: 'nothing' },
    'no tenant': { equal: [] },
    'parts of nothing': { size: 0 },
    'parts of half a record': { size: 1.5 },
  };
  for (const [what, query] of Object.entries(refused)) {
    add(`refuses ${what}`, async ({ open }) => {
      const backend = await open();
      await rejectsWith('CTX_INVALID_INPUT', () => listed(backend, query));
    });
  }
  add('refuses before open and after close', async ({ create, open }) => {
    const unopened = await create();
    await rejectsWith('CTX_STORE_CLOSED', () => listed(unopened));
    const backend = await open();
    await backend.close();
    await rejectsWith('CTX_STORE_CLOSED', () => listed(backend));
  });
}

/** Scans that come as lists. */
export const listCases: readonly ConformanceCase[] = [
  ...caseGroup('lists', addWhatCases, { needs: ['lists'] }),
  ...caseGroup('unlisted', addRuleCases, { needs: ['lists'] }),
];
