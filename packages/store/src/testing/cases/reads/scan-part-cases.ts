import assert from 'node:assert/strict';
import type { ScanQuery, StoreBackend, StoredRecord } from '../../../backend/store-backend.ts';
import { putThing } from '../../case-collections.ts';
import { collect, numbered, rejectsWith } from '../../case-support.ts';
import { type AddCase, type ConformanceCase, caseGroup } from '../../conformance-case.ts';

/** So many that a backend reads them in several steps. */
const many = 1300;

async function putMany(backend: StoreBackend): Promise<void> {
  await backend.write(
    numbered(many).map((id, at) =>
      putThing(id, { columns: { amount: at % 7, weight: at / 3, label: `l${at % 3}` } }),
    ),
  );
}

type Whole = Omit<ScanQuery, 'collection'>;

/** Scans of every form: whole, a part, down, after a place, and of nothing. */
const queries: readonly Whole[] = [
  { index: 'key', equal: ['t'] },
  { index: 'key', equal: ['t'], limit: 0 },
  { index: 'key', equal: ['t'], limit: 700, part: 'columns' },
  { index: 'by_amount', equal: ['t'], descending: true },
  { index: 'by_amount', equal: ['t', 3], limit: 5 },
  { index: 'by_weight', equal: ['t', 'b'], range: { from: 10, to: 20 }, part: 'columns' },
  {
    index: 'by_label',
    equal: ['t'],
    after: { values: ['t', 'l1'], key: ['t', 'b', 'a0600'] },
    limit: 900,
  },
  { index: 'by_label', equal: ['t', 'none'] },
  { index: 'key', equal: ['other'] },
];

const itself = (record: StoredRecord): StoredRecord => record;

/** What a scan gives at once, where it can. */
async function atOnce(backend: StoreBackend, query: Whole): Promise<StoredRecord[] | undefined> {
  return backend.scan({ collection: 'things', ...query }).all?.(itself);
}

function addAllCases(add: AddCase): void {
  add('gives all at once what it gives step by step', async ({ open }) => {
    const backend = await open();
    await putMany(backend);
    for (const query of queries) {
      const steps = await collect(backend.scan({ collection: 'things', ...query }));
      const all = await atOnce(backend, query);
      if (all !== undefined) assert.deepEqual(all, steps);
    }
  });
  add('gives all at once as they are mapped, and throws what the map throws', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a'), putThing('b')]);
    const { all } = backend.scan({ collection: 'things', index: 'key', equal: ['t'] });
    if (all === undefined) return;
    assert.deepEqual(await all(({ version }) => version + 1), [2, 2]);
    await assert.rejects(
      all(() => {
        throw new RangeError('unreadable');
      }),
      RangeError,
    );
  });
  add('begins anew each time all is asked for', async ({ open }) => {
    const backend = await open();
    const scan = backend.scan({ collection: 'things', index: 'key', equal: ['t'] });
    if (scan.all === undefined) return;
    assert.deepEqual(await scan.all(itself), []);
    await backend.write([putThing('a')]);
    assert.equal((await scan.all(itself)).length, 1);
    assert.equal((await collect(scan)).length, 1);
  });
  add('refuses all of what it refuses, and after close', async ({ open }) => {
    const backend = await open();
    const query = { collection: 'things', index: 'key', equal: ['t'] };
    const { all } = backend.scan(query);
    if (all === undefined) return;
    await rejectsWith('CTX_INVALID_INPUT', async () =>
      backend.scan({ ...query, index: 'none' }).all?.(itself),
    );
    await backend.close();
    await rejectsWith('CTX_STORE_CLOSED', () => all(itself));
  });
}

/** The members of `whole` that a scan of these columns must give. */
function asked({ columns, ...rest }: StoredRecord, names: readonly string[]): StoredRecord {
  const given = Object.entries(columns).filter(([name]) => names.includes(name));
  return { ...rest, columns: Object.fromEntries(given) };
}

function addColumnsCases(add: AddCase): void {
  add('gives the columns that are asked for and those of the index, at least', async ({ open }) => {
    const backend = await open();
    await putMany(backend);
    for (const columns of [['size', 'label'], ['kind'], []]) {
      for (const query of queries) {
        const whole = await collect(backend.scan({ collection: 'things', ...query }));
        const found = await collect(backend.scan({ collection: 'things', ...query, columns }));
        const indexed = query.index === 'key' ? [] : [query.index.replace('by_', '')];
        const names = [...columns, ...indexed];
        const expected = whole.map((record) => asked(record, names));
        assert.deepEqual(
          found.map((record) => asked(record, names)),
          expected,
        );
      }
    }
  });
  add('refuses to read a column that is not there', async ({ open }) => {
    const backend = await open();
    for (const name of ['none', 'constructor', 'id']) {
      const query = { collection: 'things', index: 'key', equal: ['t'], columns: [name] };
      await rejectsWith('CTX_INVALID_INPUT', () => collect(backend.scan(query)));
    }
  });
}

export const scanPartCases: readonly ConformanceCase[] = caseGroup('parts', (add) => {
  addAllCases(add);
  addColumnsCases(add);
});
