import { join } from 'node:path';
import type { StoreBackend } from '@ctx/store/backend';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sqliteBackend } from './sqlite-backend.ts';
import { temporaryFolder } from './test-support/places.ts';
import { paperIds, papers, putPaper, scanAll } from './test-support/records.ts';

const metastrings = [
  ...[
    "' OR '1'='1",
    '" OR ""="',
    "'; DROP TABLE papers; --",
    '*',
    '%',
    '_',
    '?',
    '$1',
    ':key',
    '@key',
    '??',
  ],
  ...[
    '{"$gt":""}',
    '__proto__',
    'constructor',
    'NEAR(a b)',
    'title:x',
    '"',
    "'",
    '`',
    '\\',
    '\n',
    'NULL',
    '--',
  ],
  ...[
    '/*',
    'rowid',
    'rank',
    '_id',
    '^a',
    '-a',
    '+a',
    '(',
    'a AND b',
    'a*',
    '\u202e',
    '🦊',
    'x'.repeat(900),
  ],
];

const someText = fc.oneof(
  fc.constantFrom(...metastrings),
  fc.tuple(fc.constantFrom(...metastrings), fc.string()).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme' }),
);

const storableText = someText.filter((text) => !/[\0\p{Surrogate}]/u.test(text));

async function openPapers(): Promise<StoreBackend> {
  const backend = sqliteBackend({ path: join(temporaryFolder(), 'ctx.db') });
  await backend.open([papers]);
  await backend.write([putPaper('other', { tenant: 'other', words: { title: 'secret' } })]);
  return backend;
}

test('keys, columns, bounds, positions and words of any text are values and nothing else', {
  timeout: 60_000,
}, async () => {
  const backend = await openPapers();
  await fc.assert(
    fc.asyncProperty(storableText, storableText, storableText, async (shelf, id, text) => {
      const key = ['t', shelf, id];
      const body = JSON.stringify(text);
      await backend.write([
        putPaper(id, {
          shelf,
          body,
          columns: { kind: text },
          words: { title: text, text: 'found' },
        }),
      ]);
      const [record] = await backend.get('papers', [key]);
      expect([record?.key, record?.columns['kind'], record?.body]).toEqual([key, text, body]);
      const equal = ['t', shelf];
      const after = { values: ['t', shelf, text, -1], key: ['t', shelf, ''] };
      const found = await scanAll(backend, {
        collection: 'papers',
        index: 'by_rank',
        equal,
        after,
      });
      expect(found.map((one) => one.key)).toContainEqual(key);
      const range = { from: text, to: text };
      const [tally] = await backend.tally({ collection: 'papers', index: 'by_rank', equal, range });
      expect(tally?.count).toBe(1);
      const hits = await backend.search({
        collection: 'papers',
        equal,
        words: ['found', text, shelf],
        limit: 50,
      });
      expect(hits.map((hit) => hit.key)).toEqual([key]);
      await backend.write([{ type: 'delete', collection: 'papers', key }]);
      expect(await paperIds(backend)).toEqual([]);
    }),
    { numRuns: 400 },
  );
  expect(await paperIds(backend, 'other')).toEqual(['other']);
  await backend.close();
});

const notText: readonly unknown[] = [
  ...[{}, [], ['a'], null, undefined, 1, true, { $gt: '' }, { toString: () => 'x' }],
  ...['a\u0000b', '\ud800', 'a\udc00'],
];

test('what is no text, or text that no store can keep, is refused by name', async () => {
  const backend = await openPapers();
  for (const value of notText) {
    // A caller without types may hand in anything.
    const id = value as string;
    const refused = { code: 'CTX_INVALID_INPUT' };
    const scan = { collection: 'papers', index: 'key', equal: [id] };
    await expect(backend.get('papers', [['t', 's', id]])).rejects.toMatchObject(refused);
    await expect(backend.write([putPaper(id)])).rejects.toMatchObject(refused);
    await expect(scanAll(backend, scan)).rejects.toMatchObject(refused);
    await expect(backend.tally(scan)).rejects.toMatchObject(refused);
    const search = { collection: 'papers', equal: [id], words: ['a'], limit: 1 };
    await expect(backend.search(search)).rejects.toMatchObject(refused);
  }
  await backend.close();
});

test.for(['index', 'collection', 'limit', 'groupBy', 'sums'])(
  'a %s out of the blue is refused without SQL in the message',
  async (field) => {
    const backend = await openPapers();
    for (const text of metastrings.filter((name) => name !== 'rank')) {
      const value = field === 'groupBy' || field === 'sums' ? [text] : text;
      const query = { collection: 'papers', index: 'key', equal: ['t'], [field]: value };
      const call =
        field === 'groupBy' || field === 'sums' ? backend.tally(query) : scanAll(backend, query);
      const error: unknown = await call.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'CTX_INVALID_INPUT' });
      expect(String(error)).not.toMatch(/SELECT|INSERT|WHERE|DROP/);
    }
    await backend.close();
  },
);

test('names of collections that SQLite keeps for itself are refused', async () => {
  const backend = sqliteBackend({ path: join(temporaryFolder(), 'ctx.db') });
  const opened = backend.open([{ ...papers, name: 'sqlite_master' }]);
  await expect(opened).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
  await backend.close();
});

test('words that SQL and FTS5 know are names like others', async () => {
  const backend = sqliteBackend({ path: join(temporaryFolder(), 'ctx.db') });
  const order: typeof papers = {
    name: 'order',
    key: ['tenant', 'group', 'select'],
    columns: { from: { type: 'text' }, rowid: { type: 'integer' } },
    indexes: [{ name: 'where', fields: ['tenant', 'from'] }],
    search: [
      { name: 'rank', weight: 1 },
      { name: 'rowid', weight: 2 },
    ],
  };
  await backend.open([order]);
  const key = ['t', 'g', 's'];
  const words = { rank: 'a', rowid: 'b' };
  await backend.write([
    { type: 'put', collection: 'order', key, columns: { from: 'f', rowid: 7 }, body: '1', words },
  ]);
  const found = await scanAll(backend, { collection: 'order', index: 'where', equal: ['t', 'f'] });
  expect(found.map(({ columns }) => columns)).toEqual([{ from: 'f', rowid: 7 }]);
  const hits = await backend.search({ collection: 'order', equal: ['t'], words: ['b'], limit: 1 });
  expect(hits.map((hit) => hit.key)).toEqual([key]);
  await backend.close();
});
