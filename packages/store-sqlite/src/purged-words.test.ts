import { join } from 'node:path';
import { randomIds } from '@ctx/core';
import { openStore, purges, storeCollections } from '@ctx/store';
import type { StoreBackend, WriteOperation } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { sqliteBackend } from './sqlite-backend.ts';
import { countInFiles, temporaryFolder } from './test-support/places.ts';

const secret = 'zanzibarquux';

async function fill(backend: StoreBackend) {
  const store = await openStore(backend);
  const textOf = (at: number): string =>
    Array.from({ length: 60 }, (_, word) => `w${String(at * 7 + word)}`).join(' ');
  for (let at = 0; at < 20; at += 1) {
    const sessionId = at % 2 === 0 ? 'gone' : 'stays';
    const text = sessionId === 'gone' ? `${textOf(at)} ${secret}` : textOf(at);
    await store.outputs.save({ sessionId, toolName: 'Read', args: { text }, result: text });
    await store.items.save({ agentId: sessionId, kind: 'NOTE', content: text });
  }
  return store;
}

async function purge(backend: StoreBackend, scope: Parameters<typeof purges.begin>[1]) {
  const place = { backend, tenant: 'default', clock: Date.now };
  const id = await purges.begin({ ...place, ids: randomIds() }, scope);
  await purges.work({ ...place, worker: 'w' }, id);
}

test.for([
  ['outputs', { sessions: ['gone'] }, { agent: 'gone' }],
  ['items', { agent: 'gone' }, { sessions: ['gone'] }],
] as const)(
  'purged %s leave no byte in the file, nor in its index of words',
  async ([, last, first]) => {
    const folder = temporaryFolder();
    const backend = sqliteBackend({ path: join(folder, 'ctx.db') });
    const store = await fill(backend);
    expect(countInFiles(folder, secret)).toBeGreaterThan(0);
    await purge(backend, first);
    await purge(backend, last);
    expect((await store.outputs.pointers({ sessionId: 'stays' })).entries).toHaveLength(10);
    expect((await store.outputs.search({ text: 'w50', limit: 30 })).hits.length).toBeGreaterThan(0);
    await store.close();
    expect(countInFiles(folder, secret)).toBe(0);
  },
);

test('an index of words of any history keeps nothing of what is erased', async () => {
  const folder = temporaryFolder();
  const backend = sqliteBackend({ path: join(folder, 'ctx.db') });
  await backend.open(storeCollections);
  const key = (id: number): readonly [string, ...string[]] => ['default', 's', String(id)];
  const put = (id: number, words: string): WriteOperation => ({
    ...{ type: 'put', collection: 'facts', key: key(id), body: '{}', words: { text: words } },
    columns: { source: '', trust: '', pinned: 0, created_at: 0, updated_at: 0, tokens: 0 },
  });
  const remove = (id: number, erases = false): WriteOperation => ({
    ...{ type: 'delete', collection: 'facts', key: key(id) },
    ...(erases && { erases }),
  });
  for (let round = 0; round < 12; round += 1) {
    for (let at = 0; at < 30; at += 1)
      await backend.write([put(at, `fact ${String(round)} ${secret}`)]);
    await backend.write([put(99, `other ${String(round)}`)]);
    for (let at = 1; at < 30; at += 1) await backend.write([remove(at)]);
    await backend.write([remove(0, true)]);
    const hits = await backend.search({
      ...{ collection: 'facts', equal: ['default'], words: ['other'], limit: 5 },
    });
    expect(hits).toHaveLength(1);
  }
  await backend.close();
  expect(countInFiles(folder, secret)).toBe(0);
});
