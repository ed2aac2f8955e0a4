import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { createMemory } from '../create-memory.ts';
import type { Memory } from '../memory.ts';
import type { MemoryOptions } from '../memory-options.ts';

const open = async (now = 1_000_000) => {
  let time = now;
  const store = await openStore(memoryBackend(), { clock: () => time });
  const memory = createMemory(store);
  const texts = async (asOf?: number) =>
    (await memory.recall('gate code', asOf === undefined ? {} : { asOf })).facts.map(
      ({ text }) => text,
    );
  return { store, memory, texts, to: (later: number) => (time = later) };
};

const calls: [keyof Memory, ...unknown[]][] = [
  ['recall', null],
  ['recall', 'tea', null],
  ['recall', 'tea', { asOf: Number.NaN }],
  ['recall', 'tea', { limit: Number.NaN }],
  ['recall', 'tea', { threshold: 'high' }],
  ['recall', 'tea', { budgetTokens: -1 }],
  ['add', undefined],
  ['add', { text: 1 }],
  ['add', { text: 'tea', kind: 'drink' }],
  ['add', { text: 'tea', kind: {} }],
  ['add', { text: 'tea', trust: 'low' }],
  ['add', { text: 'tea', trust: null }],
  ['add', { text: 'tea', sessionId: 5 }],
  ['add', { text: 'tea', subject: null, attribute: 'y' }],
  ['correct', 'tea', { text: 'coffee', sessionId: {} }],
  ['observe', [{ role: 'user', content: [] }], { sessionId: 's', saidAt: '7' }],
  ['list', null],
  ['get', undefined],
  ['history', 7],
  ['correct', 'tea', undefined],
  ['forget', undefined],
  ['observe', undefined, { sessionId: 's' }],
  ['observe', []],
  ['observe', [], { sessionId: 's', from: Number.NaN }],
  ['observe', [{ role: 'user', content: [] }], { sessionId: 's', saidAt: [] }],
  ['block', { maxTokens: Number.NaN }],
  ['reembed', null],
];

test.each(calls)('%s is not called with %j, %j', async (name, ...given) => {
  const { memory } = await open();
  const call: unknown = Reflect.get(memory, name);
  const refused: unknown = Reflect.apply(call as () => Promise<unknown>, memory, given);
  await expect(refused).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
  await expect(refused).rejects.toThrow('must be');
});

test('a fact that is stated for later holds from then on, and ends nothing before', async () => {
  const { memory, texts, to } = await open();
  const matter = { subject: 'gate', attribute: 'code' };
  await memory.add({ ...matter, text: 'The gate code is red' });
  const { ended } = await memory.add({
    ...{ ...matter, text: 'The gate code is green', validFrom: 2_000_000 },
  });
  expect(ended).toEqual([]);
  expect(await texts()).toEqual(['The gate code is red']);
  expect(await memory.block()).not.toContain('green');
  expect(await texts(2_000_000)).toEqual(['The gate code is green']);
  to(1_500_000);
  await memory.add({ ...matter, text: 'The gate code is blue' });
  expect(await texts()).toEqual(['The gate code is blue']);
  to(2_500_000);
  expect(await texts()).toEqual(['The gate code is green']);
  expect(await memory.block()).not.toMatch(/red|blue/);
  const last = await memory.add({ ...matter, text: 'The gate code is white' });
  expect(last.ended.map(({ text }) => text).sort()).toEqual([
    'The gate code is blue',
    'The gate code is green',
  ]);
  expect(await texts()).toEqual(['The gate code is white']);
});

test('vectors of 200,000 dimensions are compared like others', async () => {
  const wide = async (texts: readonly string[]) =>
    texts.map((text) => new Float32Array(200_000).fill(0).fill(1, text.length, text.length + 9));
  const store = await openStore(memoryBackend());
  const events: unknown[] = [];
  const memory = createMemory(store, { embedder: wide, onEvent: (event) => events.push(event) });
  await memory.add({ text: 'Tea at noon' });
  const recalled = await memory.recall('xxxxxxxxxxx');
  expect(recalled).toMatchObject({ degraded: false, facts: [{ text: 'Tea at noon' }] });
  expect(events).toMatchObject([{ type: 'kept' }]);
});

test.each<[string, object]>([
  ['embedder must be a function or an embedding model', { embedder: 5 }],
  ['reranker must be a function', { reranker: {} }],
  ['onEvent must be a function', { onEvent: 'log' }],
  ['rerankWeight must be a number from 0', { rerankWeight: Number.NaN }],
  ['rerankWeight must be a number from 0', { rerankWeight: -1 }],
  ['observe must be an observer', { observe: {} }],
  ['observe must be an observer', { observe: [null] }],
  ['scope must be a text or an object', { scope: null }],
  ['timeoutMs must be above 0', { timeoutMs: 10_000_000_000 }],
])('a memory says: %s', async (words, options) => {
  const store = await openStore(memoryBackend());
  expect(() => createMemory(store, options as MemoryOptions)).toThrow(words);
});
