import assert from 'node:assert/strict';
import type { ScanQuery } from '../../../backend/store-backend.ts';
import { deleteThing, patchThing, putThing, thingKey } from '../../case-collections.ts';
import { numbered, rejectsWith, scanIds, scanThings } from '../../case-support.ts';
import { type AddCase, type ConformanceCase, caseGroup } from '../../conformance-case.ts';
import { addOrderCases, addTieCases } from './scan-order-cases.ts';
import { addStepCases } from './scan-step-cases.ts';

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

export const scanCases: readonly ConformanceCase[] = caseGroup('scan', (add) => {
  addOrderCases(add);
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
