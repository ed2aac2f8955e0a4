import assert from 'node:assert/strict';
import type { CollectionDefinition, StoreBackend } from '../../../backend/store-backend.ts';
import {
  caseCollections,
  deleteThing,
  notes,
  patchThing,
  putNote,
  putThing,
  thingKey,
  things,
} from '../../case-collections.ts';
import {
  collect,
  getThing,
  numbered,
  scanIds,
  scanThings,
  searchIds,
  tallyThings,
  versionOf,
} from '../../case-support.ts';
import {
  type AddCase,
  type CaseHarness,
  type ConformanceCase,
  caseGroup,
} from '../../conformance-case.ts';
import { hostileTexts } from '../../hostile-texts.ts';

/** Closes the store and opens its place anew. */
async function reopen(
  backend: StoreBackend,
  { open }: CaseHarness,
  collections: readonly CollectionDefinition[] = caseCollections,
): Promise<StoreBackend> {
  await backend.close();
  return open(collections);
}

const columns = { kind: 'k', label: null, amount: -5, ratio: 0.1, weight: 1e-7, size: 2 ** 52 };

function addKeepingCases(add: AddCase): void {
  add('keeps records with version, columns and body', async (harness) => {
    const before = await harness.open();
    await before.write([putThing('a', { columns, body: '{"n":[1,"\\u0000"]}' })]);
    await before.write([patchThing('a', { label: 'l' })]);
    const backend = await reopen(before, harness);
    assert.deepEqual(await getThing(backend, 'a'), {
      key: thingKey('a'),
      version: 2,
      columns: { ...columns, label: 'l' },
      body: '{"n":[1,"\\u0000"]}',
    });
  });
  add('goes on counting versions', async (harness) => {
    let backend = await harness.open();
    for (let version = 1; version <= 4; version++) {
      await backend.write([putThing('a', { expectVersion: version - 1 })]);
      backend = await reopen(backend, harness);
      assert.equal(await versionOf(backend, 'a'), version);
    }
  });
  add('keeps deletes', async (harness) => {
    const before = await harness.open();
    await before.write([putThing('a'), putThing('b')]);
    await before.write([deleteThing('a')]);
    const backend = await reopen(before, harness);
    assert.deepEqual(await scanIds(backend), ['b']);
    await backend.write([putThing('a', { expectVersion: 0 })]);
    assert.equal(await versionOf(backend, 'a'), 1);
  });
  add('keeps the order of every index', async (harness) => {
    const before = await harness.open();
    const ids = numbered(100);
    const operations = ids.map((id, at) =>
      putThing(id, {
        columns: {
          label: at % 7 === 0 ? null : `l${at % 5}`,
          amount: (at * 37) % 11,
          weight: ((at * 13) % 17) / 4,
          size: at % 3,
        },
      }),
    );
    await before.write(operations);
    const read = async (backend: StoreBackend) => {
      const indexes = ['key', 'by_label', 'by_amount', 'by_kind', 'by_size'];
      return Promise.all(indexes.map((index) => scanThings(backend, { index })));
    };
    const expected = await read(before);
    assert.deepEqual(await read(await reopen(before, harness)), expected);
  });
  add('keeps tallies', async (harness) => {
    const before = await harness.open();
    const sizes = [-30, -11, -10, -1, 0, 9, 10, 19, 20];
    await before.write(sizes.map((size) => putThing(`a${size}`, { columns: { size, amount: 1 } })));
    await before.write([deleteThing('a19'), patchThing('a0', { size: 5 })]);
    const backend = await reopen(before, harness);
    const query = { index: 'by_size', range: { from: -11, to: 19 }, sums: ['size', 'amount'] };
    assert.deepEqual(await tallyThings(backend, query), [{ group: [], count: 6, sums: [2, 6] }]);
    await backend.write([deleteThing('a-11')]);
    assert.deepEqual(await tallyThings(backend, query), [{ group: [], count: 5, sums: [13, 5] }]);
  });
  add(
    'keeps search words',
    async (harness) => {
      const before = await harness.open();
      await before.write(['a', 'b', 'c'].map((id) => putThing(id, { words: { text: 'red' } })));
      await before.write([deleteThing('a'), patchThing('b', { size: 1 })]);
      await before.write([putThing('c', { words: { title: 'blue' } })]);
      const backend = await reopen(before, harness);
      assert.deepEqual(await searchIds(backend, ['red']), ['b']);
      assert.deepEqual(await searchIds(backend, ['blue']), ['c']);
      await backend.write([patchThing('b', { size: 2 })]);
      assert.deepEqual(await searchIds(await reopen(backend, harness), ['red']), ['b']);
    },
    { needs: ['search'] },
  );
  add('keeps hostile keys and texts', async (harness) => {
    const ids = [...new Set(hostileTexts)];
    const before = await harness.open();
    await before.write(
      ids.map((id) => putThing(id, { columns: { label: id }, body: JSON.stringify(id) })),
    );
    const expected = await scanThings(before);
    const backend = await reopen(before, harness);
    assert.deepEqual(await scanThings(backend), expected);
    assert.equal(expected.length, ids.length);
  });
  add('keeps a body of 8 MB', async (harness) => {
    const body = JSON.stringify('0123456789abcde\u00e9'.repeat(500_000));
    const before = await harness.open();
    await before.write([putThing('a', { body })]);
    const backend = await reopen(before, harness);
    assert.ok((await getThing(backend, 'a'))?.body === body);
  });
  add('keeps nothing of a write that failed', async (harness) => {
    const before = await harness.open();
    await before.write([putThing('a')]);
    const batch = [patchThing('a', { size: 1 }), putThing('b'), patchThing('gone', {})];
    await before.write(batch).catch(() => undefined);
    const backend = await reopen(before, harness);
    assert.deepEqual(await scanIds(backend), ['a']);
    assert.equal(await versionOf(backend, 'a'), 1);
  });
  add('keeps 20 writes of which each came after a reopening', async (harness) => {
    let backend = await harness.open();
    const ids = numbered(20);
    for (const id of ids) {
      await backend.write([putThing(id)]);
      backend = await reopen(backend, harness);
    }
    assert.deepEqual(await scanIds(backend), ids);
  });
  add('keeps 2,000 records', async (harness) => {
    const before = await harness.open();
    const ids = numbered(2000);
    await before.write(ids.map((id) => putThing(id)));
    assert.deepEqual(await scanIds(await reopen(before, harness)), ids);
  });
  add('keeps what a write of either durability has acknowledged', async (harness) => {
    const before = await harness.open();
    await before.write([putThing('a')], { durability: 'power' });
    await before.write([putThing('b')], { durability: 'process' });
    assert.deepEqual(await scanIds(await reopen(before, harness)), ['a', 'b']);
  });
  add('closes twice and keeps everything', async (harness) => {
    const before = await harness.open();
    await before.write([putThing('a')]);
    await before.close();
    assert.deepEqual(await scanIds(await reopen(before, harness)), ['a']);
  });
}

function addSchemaCases(add: AddCase): void {
  add('takes a collection that comes later', async (harness) => {
    const before = await harness.open([notes]);
    await before.write([putNote('a', '{"n":1}')]);
    const backend = await reopen(before, harness);
    await backend.write([putThing('b')]);
    assert.equal((await backend.get('notes', [['t', 'a']]))[0]?.body, '{"n":1}');
    assert.deepEqual(await scanIds(backend), ['b']);
  });
  add('keeps a collection that is not named for a while', async (harness) => {
    const before = await harness.open();
    await before.write([putThing('a', { columns }), putNote('n')]);
    const without = await reopen(before, harness, [notes]);
    await without.write([putNote('m')]);
    const backend = await reopen(without, harness);
    assert.deepEqual((await getThing(backend, 'a'))?.columns, columns);
  });
  add('takes an index that comes later, over old records too', async (harness) => {
    const bare = { ...things, indexes: things.indexes.filter(({ name }) => name !== 'by_amount') };
    const before = await harness.open([bare]);
    await before.write(numbered(9).map((id, at) => putThing(id, { columns: { amount: 9 - at } })));
    const backend = await reopen(before, harness, [things]);
    await backend.write([putThing('b', { columns: { amount: 0 } })]);
    const ids = ['b', ...numbered(9).toReversed()];
    assert.deepEqual(await scanIds(backend, { index: 'by_amount' }), ids);
  });
  add('takes a hint for tallies that comes later', async (harness) => {
    const bare = { ...things, indexes: things.indexes.filter(({ name }) => name !== 'by_size') };
    const before = await harness.open([bare]);
    await before.write([1, 12, 23].map((size) => putThing(`a${size}`, { columns: { size } })));
    const backend = await reopen(before, harness, [things]);
    await backend.write([putThing('b', { columns: { size: 14 } }), deleteThing('a1')]);
    const query = { index: 'by_size', range: { from: 0, to: 23 }, sums: ['size'] };
    assert.deepEqual(await tallyThings(backend, query), [{ group: [], count: 3, sums: [49] }]);
  });
  add('takes a nullable column that comes later, null in old records', async (harness) => {
    const before = await harness.open([notes]);
    await before.write([putNote('a')]);
    const wider: CollectionDefinition = {
      ...notes,
      columns: { title: { type: 'text', nullable: true } },
      indexes: [{ name: 'by_title', fields: ['tenant', 'title'] }],
    };
    const backend = await reopen(before, harness, [wider]);
    await backend.write([{ ...putNote('b'), columns: { title: 'x' } }]);
    const query = { collection: 'notes', index: 'by_title', equal: ['t'] };
    const found = await collect(backend.scan(query));
    assert.deepEqual(
      found.map((record) => [record.key[1], record.columns]),
      [
        ['a', { title: null }],
        ['b', { title: 'x' }],
      ],
    );
  });
}

export const durabilityCases: readonly ConformanceCase[] = caseGroup(
  'durability',
  (add) => {
    addKeepingCases(add);
    addSchemaCases(add);
  },
  { needs: ['durable'] },
);
