import assert from 'node:assert/strict';
import type { StoreBackend, StoredRecord } from '../../../backend/store-backend.ts';
import { putThing, thingKey } from '../../case-collections.ts';
import { collect, getThing, scanThings, searchThings, tallyThings } from '../../case-support.ts';
import { type ConformanceCase, caseGroup } from '../../conformance-case.ts';

async function putOne(backend: StoreBackend): Promise<void> {
  await backend.write([putThing('a', { columns: { label: 'l' }, words: { text: 'red' } })]);
}

/** Changes whatever can be changed; what is frozen stays. */
function spoil(target: object | undefined): void {
  for (const name of Object.keys(target ?? {})) Reflect.set(target ?? {}, name, 'spoiled');
}

function spoilRecord(record: StoredRecord | undefined): void {
  spoil(record?.columns);
  spoil(record?.key);
  spoil(record);
}

async function assertUntouched(backend: StoreBackend): Promise<void> {
  const record = await getThing(backend, 'a');
  assert.deepEqual([record?.key, record?.version], [thingKey('a'), 1]);
  assert.deepEqual([record?.columns['label'], record?.body], ['l', '{}']);
  assert.equal((await scanThings(backend, { index: 'by_label', equal: ['t', 'l'] })).length, 1);
}

export const copyCases: readonly ConformanceCase[] = caseGroup('copies', (add) => {
  add('is not changed through a record it gave', async ({ open }) => {
    const backend = await open();
    await putOne(backend);
    spoilRecord(await getThing(backend, 'a'));
    await assertUntouched(backend);
  });
  add('is not changed through a record of a scan', async ({ open }) => {
    const backend = await open();
    await putOne(backend);
    for (const index of ['key', 'by_label']) {
      for (const record of await scanThings(backend, { index })) spoilRecord(record);
    }
    await assertUntouched(backend);
  });
  add('is not changed while a scan goes on', async ({ open }) => {
    const backend = await open();
    await backend.write(['a', 'b', 'c'].map((id) => putThing(id, { columns: { label: id } })));
    const labels: unknown[] = [];
    for await (const record of backend.scan({ collection: 'things', index: 'key', equal: ['t'] })) {
      labels.push(record.columns['label']);
      spoilRecord(record);
    }
    assert.deepEqual(labels, ['a', 'b', 'c']);
  });
  add('gives two copies where a record is asked for twice', async ({ open }) => {
    const backend = await open();
    await putOne(backend);
    const [first, second] = await backend.get('things', [thingKey('a'), thingKey('a')]);
    spoilRecord(first);
    assert.equal(second?.columns['label'], 'l');
    assert.deepEqual(second.key, thingKey('a'));
  });
  add('is not changed through an operation it was given', async ({ open }) => {
    const backend = await open();
    const key = [...thingKey('a')];
    const columns = { kind: 'k', label: 'l', weight: 0, size: 0 };
    const words = { text: 'red' };
    const operation = {
      type: 'put',
      collection: 'things',
      key,
      columns,
      body: '{}',
      words,
    } as const;
    const operations = [operation];
    await backend.write(operations);
    for (const target of [key, columns, words, operation, operations]) spoil(target);
    await assertUntouched(backend);
  });
  add('is not changed through a key it was asked for', async ({ open }) => {
    const backend = await open();
    await putOne(backend);
    const key = [...thingKey('a')];
    const [record] = await backend.get('things', [key]);
    spoil(key);
    assert.deepEqual(record?.key, thingKey('a'));
    await assertUntouched(backend);
  });
  add('is not changed through a tally it gave', async ({ open }) => {
    const backend = await open();
    await putOne(backend);
    const query = { groupBy: ['label'], sums: ['size'] };
    for (const tally of await tallyThings(backend, query)) {
      spoil(tally.sums);
      spoil(tally.group);
    }
    assert.deepEqual(await tallyThings(backend, query), [{ group: ['l'], count: 1, sums: [0] }]);
  });
  add(
    'is not changed through a hit it gave',
    async ({ open }) => {
      const backend = await open();
      await putOne(backend);
      for (const hit of await searchThings(backend, ['red'])) spoil(hit.key);
      const hits = await searchThings(backend, ['red']);
      assert.deepEqual(
        hits.map((hit) => hit.key),
        [thingKey('a')],
      );
    },
    { needs: ['search'] },
  );
  add('does not change what it is given', async ({ open }) => {
    const backend = await open();
    const operation = putThing('a', {
      columns: { label: 'l', amount: -0 },
      words: { text: 'red' },
    });
    const query = { collection: 'things', index: 'key', equal: ['t'], limit: 5 };
    const before = structuredClone({ operation, query });
    await backend.write([operation]);
    await collect(backend.scan(query));
    assert.deepEqual({ operation, query }, before);
  });
});
