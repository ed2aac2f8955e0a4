import { memoryBackend, type StoreBackend, wrapBackend } from '@ctx/store/backend';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CtxClient, createClient } from '../client/create-client.ts';
import { type RunningServer, startServer } from '../test-support/start-server.ts';

/** Counts the characters of the bodies that are read of a store. */
function countingBackend(base: StoreBackend) {
  let read = 0;
  const backend = wrapBackend(base, {
    get: async (collection, keys, part) => {
      const records = await base.get(collection, keys, part);
      for (const record of records) read += record?.body.length ?? 0;
      return records;
    },
    scan: (query) => ({
      async *[Symbol.asyncIterator]() {
        for await (const record of base.scan(query)) {
          read += record.body.length;
          yield record;
        }
      },
      lists: async () => undefined,
    }),
  });
  return {
    backend,
    during: async (work: () => Promise<unknown>): Promise<number> => {
      const before = read;
      await work();
      return read - before;
    },
  };
}

const store = countingBackend(memoryBackend());
let server: RunningServer;
let client: CtxClient;

beforeAll(async () => {
  server = await startServer({ backend: store.backend });
  client = createClient({ url: server.url, key: await server.key('write') });
});
afterAll(() => server.stop());

const rows = (id: string): string =>
  Array.from({ length: 200 }, (_, row) => `const value${String(row)} = '${id}';`).join('\n');

const messages: Record<string, unknown>[] = [{ role: 'user', content: 'look at this file' }];

async function step(id: string): Promise<void> {
  const call = { name: 'Read', arguments: '{"file_path":"/w/a.ts"}' };
  const tool_calls = [{ id, type: 'function', function: call }];
  messages.push({ role: 'assistant', content: null, tool_calls });
  messages.push({ role: 'tool', tool_call_id: id, content: rows('same') });
  const params = { path: { session: 'kept' } };
  const body = { messages, format: 'openai-chat' as const };
  await client.POST('/v1/sessions/{session}/prepare', { params, body });
}

function transcript(text: string): string {
  const [use, say] = [
    { type: 'tool_use', id: 'c1', name: 'Read', input: { file_path: '/w/a.ts' } },
    { type: 'text', text },
  ];
  const result = { type: 'tool_result', tool_use_id: 'c1', content: rows(text) };
  const all = [
    { role: 'user', content: 'look' },
    { role: 'assistant', content: [use] },
    { role: 'user', content: [result] },
    { role: 'assistant', content: [say] },
  ];
  return JSON.stringify({ id: 'imported', messages: all });
}

const analyses = ['hints', 'cost', 'heat'] as const;

async function analysed(session: string, mode: 'default' | 'recorded' = 'default') {
  const params = { path: { session }, query: { mode } };
  const answers = [];
  for (const name of analyses) {
    const { data } = await client.GET(`/v1/sessions/{session}/${name}`, { params });
    answers.push(data);
  }
  return answers;
}

/** What an answer reads beside a session: the key of the caller, the heading of the session. */
const little = 5_000;

it('analyses a session once for each state of it', async () => {
  for (const id of ['a', 'b', 'c']) await step(id);
  const first = await analysed('kept');
  expect(first[0]).toMatchObject({ hints: [{ kind: 'repeated-reads', times: 3 }] });
  expect(await store.during(() => analysed('kept'))).toBeLessThan(little);
  expect(await analysed('kept')).toEqual(first);
  await step('d');
  const [hints, cost] = await analysed('kept');
  expect(hints).toMatchObject({ hints: [{ kind: 'repeated-reads', times: 4 }] });
  expect(cost).toMatchObject({ models: [{ requests: 4 }] });
  expect(await store.during(() => analysed('kept'))).toBeLessThan(little);
});

it('analyses a session again after another transcript of the same length replaced it', async () => {
  const take = (text: string) =>
    client.POST('/v1/import', {
      body: { name: 'a.json', content: transcript(text), session: 'imported' },
    });
  await take('a short answer');
  const before = await analysed('imported', 'recorded');
  expect((await take('a long answer: '.repeat(500))).response.status).toBe(200);
  const after = await analysed('imported', 'recorded');
  expect(after[1]).not.toEqual(before[1]);
});
