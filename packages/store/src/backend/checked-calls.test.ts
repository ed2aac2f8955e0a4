import { expect, test } from 'vitest';
import { checkedCalls } from './checked-calls.ts';
import { memoryBackend } from './memory/memory-backend.ts';
import type { CollectionDefinition, SearchQuery } from './store-backend.ts';
import { wrapBackend } from './wrap-backend.ts';

const notes: CollectionDefinition = {
  name: 'notes',
  key: ['tenant', 'id'],
  columns: { size: { type: 'integer' } },
  indexes: [],
  search: [{ name: 'text', weight: 1 }],
};

async function opened() {
  const asked: string[] = [];
  const searched: SearchQuery[] = [];
  const memory = memoryBackend();
  await memory.open([notes]);
  const counting = wrapBackend(memory, {
    get: (...given) => (asked.push('get'), memory.get(...given)),
    write: (...given) => (asked.push('write'), memory.write(...given)),
    tally: (...given) => (asked.push('tally'), memory.tally(...given)),
    search: (query) => {
      searched.push(query);
      return memory.search(query);
    },
  });
  return { asked, searched, calls: checkedCalls(counting, () => new Map([[notes.name, notes]])) };
}

test('what does not fit the collections is refused before the backend sees it', async () => {
  const { asked, calls } = await opened();
  const put = { type: 'put', collection: 'notes', key: ['t', 'a'], body: '{}' } as const;
  const refused = { code: 'CTX_INVALID_INPUT' };
  await expect(calls.get('others', [['t', 'a']])).rejects.toMatchObject(refused);
  await expect(calls.get('notes', [['t']])).rejects.toMatchObject(refused);
  await expect(calls.write([{ ...put, columns: {} }])).rejects.toMatchObject(refused);
  const range = { collection: 'notes', index: 'none', equal: ['t'] };
  await expect(calls.tally(range)).rejects.toMatchObject(refused);
  expect(asked).toEqual([]);
  await calls.write([{ ...put, columns: { size: 1 } }]);
  expect(asked).toEqual(['write']);
});

test('a scan that does not fit is made, and refused at its first step', async () => {
  const { calls } = await opened();
  const scan = calls.scan({ collection: 'notes', index: 'none', equal: ['t'] });
  const refused = { code: 'CTX_INVALID_INPUT' };
  await expect(scan[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused);
});

test('a search is left with the words that can match', async () => {
  const { searched, calls } = await opened();
  await calls.search({ collection: 'notes', equal: ['t'], words: ['red', 'a:b', 'red'], limit: 5 });
  expect(searched.map(({ words }) => words)).toEqual([['red']]);
});
