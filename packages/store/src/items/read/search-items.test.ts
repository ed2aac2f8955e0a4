import { expect, onTestFinished, test } from 'vitest';
import { memoryBackend } from '../../backend/memory/memory-backend.ts';
import { wrapBackend } from '../../backend/wrap-backend.ts';
import { openStore } from '../../open-store.ts';

test('a look for one word is one search of the backend with whole records, and no other read', async () => {
  const calls: string[] = [];
  const backend = memoryBackend();
  const store = await openStore(
    wrapBackend(backend, {
      get: (...given) => (calls.push('get'), backend.get(...given)),
      scan: (query) => (calls.push('scan'), backend.scan(query)),
      tally: (query) => (calls.push('tally'), backend.tally(query)),
      search: async (query) => {
        const hits = await backend.search(query);
        const records = await backend.get(
          query.collection,
          hits.map(({ key }) => key),
        );
        calls.push(query.whole === true ? 'search whole' : 'search');
        return hits.flatMap((hit, at) => {
          const record = records[at];
          return record === undefined ? [] : [{ ...hit, record }];
        });
      },
    }),
  );
  onTestFinished(() => store.close());
  const contents = ['one needle', ...Array.from({ length: 30 }, (_, at) => `hay ${String(at)}`)];
  await store.items.saveMany(
    contents.map((content) => ({ agentId: 'a', kind: 'CODE', source: 'user', content })),
  );
  for (const [text, hits] of [
    ['needle', 1],
    ['hay', 20],
  ] as const) {
    calls.length = 0;
    const answer = await store.items.search('a', { text, peek: true });
    expect(answer.hits).toHaveLength(hits);
    expect(calls).toEqual(['search whole']);
  }
});
