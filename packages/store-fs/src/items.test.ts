import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultImportancePolicy, rankOf } from '@ctx/core';
import { openStore, storeCollections } from '@ctx/store';
import { expect, it } from 'vitest';
import { fsBackend } from './fs-backend.ts';
import { freshFolder } from './test-support/folder.ts';

const start = Date.UTC(2026, 0, 1);
const later = [
  ...['updated_at', 'ranked_at', 'finished_at', 'weight', 'source', 'trust'],
  'session_id',
];

/** The collections as they were before items had weights, sources and an order by kind. */
const before = storeCollections.map((definition) => {
  if (definition.name !== 'items') return definition;
  const columns = Object.entries(definition.columns).filter(([name]) => !later.includes(name));
  const indexes = definition.indexes.filter(({ name }) => name === 'by_rank');
  return { ...definition, columns: Object.fromEntries(columns), indexes };
});

async function makeOldStore(path: string): Promise<void> {
  const backend = fsBackend({ path });
  await backend.open(before);
  const ages = { accessCount: 0, createdAt: start, lastAccessedAt: start };
  const put = (id: string, kind: string) => ({
    type: 'put' as const,
    collection: 'items',
    key: ['default', 'a', id],
    columns: {
      kind,
      rank: rankOf({ kind, pinned: false, ...ages }, defaultImportancePolicy),
      access_count: 0,
      created_at: start,
      last_accessed_at: start,
      pinned: 0,
      archived: 0,
      fingerprint: id,
      tokens: 5,
    },
    body: JSON.stringify({ content: `red ${id}` }),
    words: { content: 'red' },
    expectVersion: 0,
  });
  await backend.write([put('one', 'TASK'), put('two', 'PRD_SECTION')]);
  await backend.close();
}

it('reads the items of an older store, and what it writes lasts', async () => {
  const path = freshFolder();
  await makeOldStore(path);
  const open = () => openStore(fsBackend({ path }), { clock: () => start });
  const store = await open();
  const tasks = (await store.items.list('a', { kind: 'TASK' })).entries;
  expect(tasks).toMatchObject([
    { id: 'one', source: 'unknown', trust: 'untrusted', updatedAt: start, rankedAt: start },
  ]);
  expect((await store.items.stats('a')).tiers.map(({ items }) => items)).toEqual([1, 1, 0]);
  expect((await store.items.search('a', { text: 'red' })).hits).toHaveLength(2);
  await store.items.finish('a', 'one');
  await store.items.save({ agentId: 'a', kind: 'NOTE', id: 'x', content: 'new', importance: 0.9 });
  await store.close();
  const again = await open();
  const cold = (await again.items.inTier('a', 'cold')).entries;
  expect(cold).toMatchObject([{ id: 'one', finishedAt: start, accessCount: 1 }]);
  expect((await again.items.inTier('a')).entries.map(({ id }) => id)).toEqual(['x']);
  await again.close();
  const file = readFileSync(join(path, 'default/items/a/x.json'), 'utf8');
  expect(file).toContain('"content": "new"');
});

it('counts every access that two stores on one folder count at once', async () => {
  const path = freshFolder();
  const open = () => openStore(fsBackend({ path }));
  const [one, two] = [await open(), await open()];
  await one.items.save({ agentId: 'a', kind: 'CODE', id: 'x', content: 'word' });
  await Promise.all(
    Array.from({ length: 10 }, () => [one.items.touch('a', 'x'), two.items.touch('a', 'x')]).flat(),
  );
  expect((await two.items.get('a', 'x'))?.accessCount).toBe(21);
  await one.close();
  await two.close();
});
