import assert from 'node:assert/strict';
import { appendedPart } from '../../../backend/append-records.ts';
import type { AppendBatch, StoreBackend, StoredRecord } from '../../../backend/store-backend.ts';
import { deleteThing, notes, putThing, thingKey } from '../../case-collections.ts';
import { collect, getThing, numbered, rejectsWith } from '../../case-support.ts';
import { type AddCase, type ConformanceCase, caseGroup } from '../../conformance-case.ts';

/** Notes for the log of a tenant. */
function batch(ids: readonly string[], tenant = 't'): AppendBatch {
  const records = ids.map((id) => ({ columns: {}, body: JSON.stringify(id) }));
  return { collection: notes.name, place: [tenant], records };
}

function logOf(backend: StoreBackend, tenant = 't'): Promise<StoredRecord[]> {
  return collect(backend.scan({ collection: notes.name, index: 'key', equal: [tenant] }));
}

async function expectLog(backend: StoreBackend, ids: readonly string[], first = 1): Promise<void> {
  const records = await logOf(backend);
  const parts = ids.map((_, at) => appendedPart(first + at));
  assert.deepEqual(
    records.map(({ key }) => key),
    parts.map((part) => ['t', part]),
  );
  assert.deepEqual(
    records.map(({ body }) => JSON.parse(body) as unknown),
    ids,
  );
  assert.ok(records.every(({ version }) => version === 1));
}

function addOrderCases(add: AddCase): void {
  add('gives the first of a place the number 1, and each the next', async ({ open }) => {
    const backend = await open();
    await backend.write([], { appends: [batch(['a', 'b'])] });
    await backend.write([], { appends: [batch(['c'])] });
    await expectLog(backend, ['a', 'b', 'c']);
    assert.equal((await logOf(backend))[0]?.key[1], '000000000001');
  });
  add('goes on behind the newest where older ones were deleted', async ({ open }) => {
    const backend = await open();
    await backend.write([], { appends: [batch(numbered(20))] });
    const old = { type: 'delete', collection: notes.name, key: ['t', appendedPart(1)] } as const;
    await backend.write([old], { appends: [batch(['x'])] });
    await expectLog(backend, [...numbered(20).slice(1), 'x'], 2);
  });
  add('goes on behind what was put by its key', async ({ open }) => {
    const backend = await open();
    const key = ['t', appendedPart(7)];
    const put = { type: 'put', collection: notes.name, key, columns: {}, body: '"a"' } as const;
    await backend.write([put]);
    await backend.write([], { appends: [batch(['b'])] });
    await expectLog(backend, ['a', 'b'], 7);
  });
  add('counts each place for itself', async ({ open }) => {
    const backend = await open();
    await backend.write([], { appends: [batch(['a', 'b'])] });
    await backend.write([], { appends: [batch(['x'], 'u'), batch(['c'])] });
    await expectLog(backend, ['a', 'b', 'c']);
    assert.deepEqual(
      (await logOf(backend, 'u')).map(({ key }) => key),
      [['u', appendedPart(1)]],
    );
  });
  add('keeps long bodies, and many at once', async ({ open }) => {
    const backend = await open();
    const ids = ['long '.repeat(20_000), ...numbered(1500)];
    await backend.write([], { appends: [batch(ids)] });
    await expectLog(backend, ids);
  });
}

function addWholeCases(add: AddCase): void {
  add('appends together with the operations', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')], { appends: [batch(['a'])] });
    assert.equal((await getThing(backend, 'a'))?.version, 1);
    await expectLog(backend, ['a']);
  });
  add('appends nothing where an operation conflicts, and leaves no gap', async ({ open }) => {
    const backend = await open();
    const taken = { ...putThing('a'), expectVersion: 3 };
    const write = () => backend.write([taken], { appends: [batch(['lost'])] });
    await rejectsWith('CTX_STORE_CONFLICT', write);
    assert.deepEqual(await logOf(backend), []);
    await backend.write([deleteThing('a')], { appends: [batch(['a'])] });
    await expectLog(backend, ['a']);
  });
  add('appends nothing where a range is not empty', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')]);
    const emptyRanges = [{ collection: 'things', index: 'key', equal: thingKey('a') }];
    const write = () => backend.write([], { emptyRanges, appends: [batch(['lost'])] });
    await rejectsWith('CTX_STORE_CONFLICT', write);
    assert.deepEqual(await logOf(backend), []);
  });
  add('loses and doubles no number where forty write at once', async ({ open }) => {
    const backend = await open();
    const ids = numbered(40);
    await Promise.all(
      ids.map((id) => backend.write([putThing(id)], { appends: [batch([`${id} 1`, `${id} 2`])] })),
    );
    const records = await logOf(backend);
    assert.deepEqual(
      records.map(({ key }) => key[1]),
      Array.from({ length: 80 }, (_, at) => appendedPart(at + 1)),
    );
    // The two of a write lie side by side.
    const said = records.map(({ body }) => String(JSON.parse(body)));
    for (let at = 0; at < 80; at += 2) {
      assert.equal(said[at]?.replace(/ 1$/, ' 2'), said[at + 1]);
    }
  });
  for (const [what, appends] of Object.entries({
    'an unknown collection': [{ ...batch(['a']), collection: 'none' }],
    'a place that is no key but for its last part': [{ ...batch(['a']), place: ['t', 'u'] }],
    'a column that is not declared': [
      { ...batch([]), records: [{ columns: { none: 1 }, body: '{}' }] },
    ],
    'a searched collection': [{ ...batch([]), collection: 'things', place: ['t', 'b'] }],
    'one place twice': [batch(['a']), batch(['b'])],
  } satisfies Record<string, AppendBatch[]>)) {
    add(`refuses ${what}`, async ({ open }) => {
      const backend = await open();
      const write = () => backend.write([putThing('a')], { appends });
      await rejectsWith('CTX_INVALID_INPUT', write);
      assert.equal(await getThing(backend, 'a'), undefined);
    });
  }
}

function addSharedCases(add: AddCase): void {
  add('loses and doubles no number where several instances write at once', async ({ open }) => {
    const instances = [await open(), await open(), await open()];
    const ids = numbered(30);
    const write = async (id: string, at: number): Promise<void> => {
      await instances[at % 3]?.write([putThing(id)], { appends: [batch([id])] });
    };
    await Promise.all(ids.map(write));
    const records = await logOf(await open());
    assert.deepEqual(
      records.map(({ key }) => key[1]),
      ids.map((_, at) => appendedPart(at + 1)),
    );
    const said = records.map(({ body }) => String(JSON.parse(body)));
    assert.deepEqual(said.toSorted(), ids.toSorted());
  });
}

export const appendCases: readonly ConformanceCase[] = [
  ...caseGroup('append', (add) => {
    addOrderCases(add);
    addWholeCases(add);
  }),
  ...caseGroup('append', addSharedCases, { needs: ['sharedBetweenProcesses'] }),
];
