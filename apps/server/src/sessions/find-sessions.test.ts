import { emptySessionDocument, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, it } from 'vitest';
import { findSessions } from './find-sessions.ts';

async function storeOf(count: number) {
  let now = 1_700_000_000_000;
  const store = await openStore(memoryBackend(), { clock: () => (now += 1000) });
  for (let place = 0; place < count; place += 1) {
    const title = place % 100 === 7 ? `Port the Parser ${String(place)}` : `task ${String(place)}`;
    const id = `s${String(place)}`;
    const at = store.clock();
    await store.sessions.save({
      ...{ id, title, version: 0, createdAt: at, updatedAt: at },
      document: emptySessionDocument(id),
    });
  }
  return store;
}

it('a search finds sessions beyond the newest 200, each once, over as many pages as it takes', async () => {
  const store = await storeOf(420);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { entries, next } = await findSessions(store, { q: 'port the parser', limit: 2, cursor });
    expect(entries.length).toBeLessThanOrEqual(2);
    found.push(...entries.map(({ id }) => id));
    cursor = next;
  } while (cursor !== undefined);
  expect(found).toEqual(['s407', 's307', 's207', 's107', 's7']);
});

it('without words a page is a page of all', async () => {
  const store = await storeOf(3);
  expect((await findSessions(store, { limit: 2 })).entries.map(({ id }) => id)).toEqual([
    's2',
    's1',
  ]);
});
