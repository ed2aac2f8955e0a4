import assert from 'node:assert/strict';
import { isCtxError } from '@ctx/core';
import type { CollectionDefinition, StoreBackend } from '../../../backend/store-backend.ts';
import {
  caseCollections,
  notes,
  putNote,
  putThing,
  thingKey,
  things,
} from '../../case-collections.ts';
import { collect, getThing, rejectsWith, scanThings } from '../../case-support.ts';
import { type ConformanceCase, caseGroup } from '../../conformance-case.ts';

/** Every call that needs an open store. */
const calls: Readonly<Record<string, (backend: StoreBackend) => Promise<unknown>>> = {
  get: (backend) => backend.get('things', [thingKey('a')]),
  write: (backend) => backend.write([putThing('a')]),
  'an empty write': (backend) => backend.write([]),
  scan: (backend) => scanThings(backend),
  tally: (backend) => backend.tally({ collection: 'things', index: 'key', equal: ['t'] }),
  search: (backend) =>
    backend.search({ collection: 'things', equal: ['t'], words: ['a'], limit: 1 }),
};

const base: CollectionDefinition = {
  name: 'plain',
  key: ['tenant', 'id'],
  columns: { size: { type: 'integer' } },
  indexes: [],
  search: [],
};

/** Definitions that break one rule each. */
const badDefinitions: Readonly<Record<string, readonly CollectionDefinition[]>> = {
  'a collection name that is SQL': [{ ...base, name: 'a; drop table things' }],
  'a collection name that is a path': [{ ...base, name: '../things' }],
  'a collection name with a digit': [{ ...base, name: 'a1' }],
  'an empty collection name': [{ ...base, name: '' }],
  'a collection name of 41 letters': [{ ...base, name: 'a'.repeat(41) }],
  'two collections of one name': [base, base],
  'a column name that is SQL': [{ ...base, columns: { 'a" integer, "b': { type: 'text' } } }],
  'a column named like a key part': [{ ...base, columns: { id: { type: 'text' } } }],
  'an index on an unknown field': [
    { ...base, indexes: [{ name: 'by_x', fields: ['tenant', 'x'] }] },
  ],
  'an index without the tenant': [{ ...base, indexes: [{ name: 'by_size', fields: ['size'] }] }],
  'an index named key': [{ ...base, indexes: [{ name: 'key', fields: ['tenant', 'size'] }] }],
};

export const openCases: readonly ConformanceCase[] = caseGroup('open', (add) => {
  add('opens an empty store', async ({ open }) => {
    assert.deepEqual(await scanThings(await open()), []);
  });
  add('opens with no collections at all', async ({ open }) => {
    await rejectsWith('CTX_INVALID_INPUT', async () => (await open([])).get('things', []));
  });
  add('refuses a second open', async ({ open }) => {
    const backend = await open();
    await rejectsWith('CTX_INVALID_INPUT', () => backend.open(caseCollections));
  });
  add('works on after a refused second open', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')]);
    await backend.open(caseCollections).catch(() => undefined);
    assert.equal((await getThing(backend, 'a'))?.version, 1);
  });
  for (const [name, call] of Object.entries(calls)) {
    const condition = name === 'search' ? { needs: ['search'] as const } : {};
    add(
      `refuses ${name} before open`,
      async ({ create }) => {
        const backend = await create();
        await rejectsWith('CTX_STORE_CLOSED', () => call(backend));
      },
      condition,
    );
    add(
      `refuses ${name} after close`,
      async ({ open }) => {
        const backend = await open();
        await backend.close();
        await rejectsWith('CTX_STORE_CLOSED', () => call(backend));
      },
      condition,
    );
  }
  add('refuses open after close', async ({ open }) => {
    const backend = await open();
    await backend.close();
    await rejectsWith('CTX_STORE_CLOSED', () => backend.open(caseCollections));
  });
  add('closes twice without complaint', async ({ open }) => {
    const backend = await open();
    await backend.close();
    await backend.close();
  });
  add('closes twice at once without complaint', async ({ open }) => {
    const backend = await open();
    await Promise.all([backend.close(), backend.close()]);
  });
  add('closes before it was opened', async ({ create }) => {
    const backend = await create();
    await backend.close();
    await rejectsWith('CTX_STORE_CLOSED', () => backend.open(caseCollections));
  });
  add('ends a scan under way with an end or with CTX_STORE_CLOSED on close', async ({ open }) => {
    const backend = await open();
    await backend.write(['a', 'b', 'c'].map((id) => putNote(id)));
    const query = { collection: 'notes', index: 'key', equal: ['t'] };
    const steps = backend.scan(query)[Symbol.asyncIterator]();
    assert.equal((await steps.next()).done, false);
    await backend.close();
    const rest = collect({ [Symbol.asyncIterator]: () => steps });
    try {
      assert.equal((await rest).length, 2);
    } catch (error) {
      assert.ok(isCtxError(error, 'CTX_STORE_CLOSED'), String(error));
    }
  });
  for (const [what, definitions] of Object.entries(badDefinitions)) {
    add(`refuses ${what}`, async ({ create }) => {
      const backend = await create();
      await rejectsWith('CTX_INVALID_INPUT', () => backend.open(definitions));
    });
  }
  add('takes words of SQL and of JavaScript as names', async ({ open }) => {
    const names = ['group', 'version', 'body', 'words', 'rowid', 'constructor', 'select', 'value'];
    const odd: CollectionDefinition = {
      name: 'order',
      key: ['tenant', 'table', 'index'],
      columns: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
      indexes: [
        { name: 'values', fields: ['tenant', 'group'] },
        { name: 'primary', fields: ['tenant', 'index', 'rowid'] },
      ],
      search: [{ name: 'rank', weight: 1 }],
    };
    const backend = await open([odd, things, notes]);
    const columns = Object.fromEntries(names.map((name, at) => [name, at]));
    const key = ['t', 'x', 'y'];
    const put = { type: 'put', collection: 'order', key, columns, body: '{"a":1}' } as const;
    await backend.write([{ ...put, words: { rank: 'word' } }]);
    const expected = { key, version: 1, columns, body: '{"a":1}' };
    assert.deepEqual(await backend.get('order', [key]), [expected]);
    const query = { collection: 'order', index: 'primary', equal: ['t', 'y', 4] };
    assert.deepEqual(await collect(backend.scan(query)), [expected]);
    const sums = ['constructor', 'version'];
    const tallies = await backend.tally({ ...query, groupBy: ['table', 'group'], sums });
    assert.deepEqual(tallies, [{ group: ['x', 0], count: 1, sums: [5, 1] }]);
  });
  add('takes names of 40 letters', async ({ open }) => {
    const name = 'a'.repeat(40);
    const long: CollectionDefinition = {
      name,
      key: ['tenant', 'b'.repeat(40)],
      columns: { [name]: { type: 'integer' } },
      indexes: [{ name, fields: ['tenant', name] }],
      search: [{ name, weight: 1 }],
    };
    const backend = await open([long]);
    const columns = { [name]: 7 };
    await backend.write([{ type: 'put', collection: name, key: ['t', 'x'], columns, body: '{}' }]);
    const query = { collection: name, index: name, equal: ['t', 7] };
    assert.equal((await collect(backend.scan(query))).length, 1);
  });
  add('keeps collections apart that have equal keys', async ({ open }) => {
    const twin = { ...notes, name: 'twins' };
    const backend = await open([notes, twin]);
    await backend.write([putNote('a', '{"of":"notes"}')]);
    await backend.write([{ ...putNote('a', '{"of":"twins"}'), collection: 'twins' }]);
    const [note] = await backend.get('notes', [['t', 'a']]);
    const [other] = await backend.get('twins', [['t', 'a']]);
    assert.deepEqual([note?.body, other?.body], ['{"of":"notes"}', '{"of":"twins"}']);
  });
});
