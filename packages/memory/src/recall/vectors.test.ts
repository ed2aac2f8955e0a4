import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { createMemory } from '../create-memory.ts';
import type { MemoryEvent } from '../memory.ts';
import type { MemoryOptions } from '../memory-options.ts';

const meanings = [
  ['car', 'automobile', 'vehicle'],
  ['dog', 'puppy', 'pet'],
  ['tea', 'coffee', 'drink'],
];

/** Places texts by the meanings that they name. */
async function byMeaning(texts: readonly string[]): Promise<number[][]> {
  return texts.map((text) => [
    0.01,
    ...meanings.map((words) => (words.some((word) => text.toLowerCase().includes(word)) ? 1 : 0)),
  ]);
}

function growing() {
  let size = 1;
  return async (texts: readonly string[]) =>
    texts.map(() => {
      size += 1;
      return Array<number>(size).fill(1);
    });
}

async function remembering(options: MemoryOptions) {
  const events: MemoryEvent[] = [];
  const store = await openStore(memoryBackend());
  const onEvent = (event: MemoryEvent) => events.push(event);
  const open = (more: MemoryOptions = {}) => createMemory(store, { ...options, ...more, onEvent });
  return { store, events, open, memory: open() };
}

const failures = (events: readonly MemoryEvent[]) =>
  events.filter(({ type }) => type === 'degraded');

test('a fact is found by its meaning where no word is shared, and unrelated ones are not', async () => {
  const { memory, events } = await remembering({ embedder: byMeaning });
  await memory.add({ text: 'Ada drives an automobile' });
  await memory.add({ text: 'Ada walks a puppy' });
  const { facts } = await memory.recall('which vehicle?');
  expect(facts.map(({ text }) => text)).toEqual(['Ada drives an automobile']);
  expect(failures(events)).toEqual([]);
});

test('facts that were forgotten crowd out none that are kept', async () => {
  const { memory } = await remembering({ embedder: byMeaning });
  const forgotten = Array.from({ length: 201 }, (_, at) => `Automobile number ${String(at)}`);
  for (const text of forgotten) await memory.add({ text });
  await memory.add({ text: 'Ada lets the puppy into her car' });
  expect((await memory.recall('which vehicle?', { limit: 1 })).facts).toHaveLength(1);
  for (const text of forgotten) await memory.forget(text);
  const { facts } = await memory.recall('which vehicle?');
  expect(facts.map(({ text }) => text)).toEqual(['Ada lets the puppy into her car']);
});

test('what words and meaning both find comes first', async () => {
  const { memory } = await remembering({ embedder: byMeaning });
  await memory.add({ text: 'The automobile is red' });
  await memory.add({ text: 'The red vehicle tax is due' });
  const { facts } = await memory.recall('vehicle tax');
  expect(facts[0]?.text).toBe('The red vehicle tax is due');
  expect(facts).toHaveLength(2);
});

test.each([
  ['throws', async () => Promise.reject(new Error('offline'))],
  ['hangs', () => new Promise<never>(() => undefined)],
  ['returns too few vectors', async () => []],
  ['returns NaN', async (texts: readonly string[]) => texts.map(() => [Number.NaN, 1])],
  ['returns zeros', async (texts: readonly string[]) => texts.map(() => [0, 0])],
  ['returns another dimension each time', growing()],
  ['returns nothing', async () => undefined as never],
])('where the embedder %s, words answer and an event tells', async (_name, embedder) => {
  const { memory, events } = await remembering({ embedder, timeoutMs: 20 });
  await memory.add({ text: 'Deploys run on Fridays' });
  const before = failures(events).length;
  const { facts } = await memory.recall('deploys');
  expect(facts.map(({ text }) => text)).toEqual(['Deploys run on Fridays']);
  expect(before + failures(events).length).toBeGreaterThan(0);
});

test('vectors of two dimensions in one answer are refused: the facts are kept without', async () => {
  const mixed = async (texts: readonly string[]) =>
    texts.map((_, at) => Array<number>(at + 2).fill(1));
  const { memory, store, events } = await remembering({ embedder: mixed });
  const { fact, more = [] } = await memory.add({ text: 'My name is Lena and I live in Bern' });
  expect(more).toHaveLength(1);
  for (const { id } of [fact, ...more.map((one) => one.fact)]) {
    expect((await store.facts.get(id))?.detail?.vector).toBeUndefined();
  }
  expect(String(failures(events).map((one) => one.type === 'degraded' && one.error))).toContain(
    'vectors of 2 and 3 dimensions',
  );
});

test('an embedder of another dimension is named with the call that mends it', async () => {
  const { memory, open, events } = await remembering({ embedder: byMeaning });
  await memory.add({ text: 'Ada drives an automobile' });
  const wider = async (texts: readonly string[]) =>
    (await byMeaning(texts)).map((vector) => [...vector, 0.5]);
  const other = open({ embedder: wider });
  const recalled = await other.recall('which vehicle drives?');
  expect(recalled).toMatchObject({ degraded: true, facts: [{ text: 'Ada drives an automobile' }] });
  const [failure] = failures(events);
  expect(failure).toMatchObject({ during: 'embed' });
  expect(String(failure?.type === 'degraded' && failure.error)).toContain('call memory.reembed()');
  expect(await other.reembed()).toBe(1);
  expect(await other.recall('which vehicle?')).toMatchObject({ degraded: false, facts: [{}] });
});

test('facts that were typed before get vectors', async () => {
  const { store, memory } = await remembering({ embedder: byMeaning });
  await store.facts.remember({ text: 'Ada walks a puppy', source: 'user' });
  expect((await memory.recall('which pet?')).facts).toEqual([]);
  await memory.reembed();
  expect((await memory.recall('which pet?')).facts).toHaveLength(1);
});

test('a fact that another process adds or forgets is seen with the next recall', async () => {
  const { memory, open } = await remembering({ embedder: byMeaning });
  await memory.add({ text: 'Ada drives an automobile' });
  await memory.recall('vehicle');
  const other = open();
  await other.add({ text: 'Ada walks a puppy' });
  expect((await memory.recall('which pet?')).facts).toHaveLength(1);
  await other.forget('Ada walks a puppy');
  expect((await memory.recall('which pet?')).facts).toEqual([]);
});

test('facts of one moment are all compared, whatever their order in the store', async () => {
  const store = await openStore(memoryBackend(), { clock: () => 1000 });
  const memory = createMemory(store, { embedder: byMeaning });
  for (const text of ['Ada drives an automobile', 'Ada walks a puppy', 'Ada drinks coffee']) {
    await memory.add({ text });
    await memory.recall('which vehicle?');
  }
  for (const query of ['which vehicle?', 'which pet?', 'which drink?']) {
    expect((await memory.recall(query)).facts).toHaveLength(1);
  }
});

test('a fact that was added while the clock went back is found by another process that knows those before', async () => {
  let now = 1000;
  const store = await openStore(memoryBackend(), { clock: () => now });
  const memory = createMemory(store, { embedder: byMeaning });
  for (let at = 0; at < 70; at += 1) await memory.add({ text: `Automobile ${String(at)} is new` });
  await memory.recall('which vehicle?');
  now = 10;
  await createMemory(store, { embedder: byMeaning }).add({ text: 'Ada walks a puppy' });
  const { facts } = await memory.recall('which pet?');
  expect(facts.map(({ text }) => text)).toEqual(['Ada walks a puppy']);
});

test('forgetting destroys the vector', async () => {
  const { memory, store } = await remembering({ embedder: byMeaning });
  const { fact } = await memory.add({ text: 'Ada walks a puppy' });
  expect((await store.facts.get(fact.id))?.detail?.vector?.values).toHaveLength(24);
  await memory.forget(fact.id);
  expect(await store.facts.get(fact.id)).toBeUndefined();
});

test('a reranker gets up to 200 texts and reorders them; one that fails changes nothing', async () => {
  const asked: number[] = [];
  const { memory, open, events } = await remembering({
    reranker: ({ ids, texts = [] }) => {
      asked.push(texts.length);
      return new Map(ids.map((id, at) => [id, texts[at]?.includes('best') === true ? 1 : 0]));
    },
    rerankWeight: 2,
  });
  for (let at = 0; at < 250; at += 1)
    await memory.add({ text: `Tea number ${String(at)} is fine` });
  await memory.add({ text: 'Of the many teas that are known this is the best of all' });
  const { facts } = await memory.recall('tea', { limit: 1, threshold: 0.1 });
  expect(facts[0]?.text).toContain('best');
  expect(asked).toEqual([200]);
  const failing = open({ reranker: () => Promise.reject(new Error('offline')) });
  expect((await failing.recall('tea')).degraded).toBe(true);
  expect(failures(events)).toMatchObject([{ during: 'rerank' }]);
});

test('a recall that was aborted throws', async () => {
  const { memory } = await remembering({});
  const signal = AbortSignal.abort();
  await expect(memory.recall('tea', { signal })).rejects.toThrow('aborted');
});
