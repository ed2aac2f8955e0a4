import { expect, test } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { type ContextStore, openStore } from '../open-store.ts';
import type { FactDetailInput } from './state-fact.ts';

const detail = {
  kind: 'environment',
  subject: 'project',
  attribute: 'port',
  confidence: 1,
} as const;

async function say(
  store: ContextStore,
  text: string,
  { sessionId = 's', ...more }: Partial<FactDetailInput> & { readonly sessionId?: string } = {},
) {
  return store.facts.remember({ text, source: 'user', sessionId, detail: { ...detail, ...more } });
}

async function openAt(times: readonly number[]): Promise<ContextStore> {
  const left = [...times];
  let now = 0;
  return openStore(memoryBackend(), { clock: () => (now = left.shift() ?? now) });
}

const recalled = async (store: ContextStore, query = 'port'): Promise<string[]> =>
  (await store.facts.recall({ query })).map(({ text }) => text);

test('a later fact about the same matter ends the earlier one, which stays readable', async () => {
  const store = await openAt([0, 100, 200]);
  await say(store, 'The port is 8080');
  const { ended } = await say(store, 'The port is 9090');
  expect(ended.map(({ text }) => text)).toEqual(['The port is 8080']);
  expect(await recalled(store)).toEqual(['The port is 9090']);
  const { entries } = await store.facts.list();
  expect(entries.map(({ text, detail: of }) => [text, of?.periods])).toEqual(
    expect.arrayContaining([
      ['The port is 8080', [{ from: 100, to: 200 }]],
      ['The port is 9090', [{ from: 200 }]],
    ]),
  );
});

test('of two facts of one moment the one said later holds, also if the clock goes back', async () => {
  const store = await openAt([0, 500, 500, 100]);
  await say(store, 'The port is 1');
  await say(store, 'The port is 2');
  await say(store, 'The port is 3');
  expect(await recalled(store)).toEqual(['The port is 3']);
});

test('facts are listed in the order in which they were stated, also of one moment and if the clock goes back', async () => {
  const store = await openAt([0, 500, 500, 500, 100, 600]);
  const texts = ['zero', 'one', 'two', 'three', 'four'].map((name) => `Team ${name} meets`);
  const [first = '', second = '', ...others] = texts;
  await store.facts.remember({ text: first });
  for (const text of [second, ...others]) {
    await store.facts.remember({ text, detail: { kind: 'event', confidence: 1 } });
  }
  const { entries } = await store.facts.list();
  expect(entries.map(({ text }) => text)).toEqual([...texts].reverse());
  await store.facts.remember({ text: first });
  expect((await store.facts.list({ limit: 1 })).entries[0]?.text).toBe(first);
});

test('a message that is read again changes nothing', async () => {
  const store = await openAt([0, 100, 200, 300]);
  await say(store, 'The port is 1', { sequence: 4 });
  await say(store, 'The port is 2', { sequence: 9 });
  const again = await say(store, 'The port is 1', { sequence: 4 });
  expect(again.isNew).toBe(false);
  expect(await recalled(store)).toEqual(['The port is 2']);
});

test('a message that is read late is past already', async () => {
  const store = await openAt([0, 100, 200]);
  await say(store, 'The port is 2', { sequence: 9 });
  await say(store, 'The port is 1', { sequence: 4 });
  expect(await recalled(store)).toEqual(['The port is 2']);
});

test('a fact that was said to hold from an earlier day on ends where the later one begins', async () => {
  const store = await openAt([0, 1000, 1100]);
  await say(store, 'The port is 2', { validFrom: 500 });
  const { fact } = await say(store, 'The port is 1', { validFrom: 200, sessionId: 't' });
  expect(fact.detail?.periods).toEqual([{ from: 200, to: 500 }]);
});

test('a fact that holds again begins again and keeps when it held before', async () => {
  const store = await openAt([0, 100, 200, 300]);
  await say(store, 'The port is 1');
  await say(store, 'The port is 2');
  const { fact, isNew } = await say(store, 'the port is 1!');
  expect(isNew).toBe(true);
  expect(fact.detail?.periods).toEqual([{ from: 300 }, { from: 100, to: 200 }]);
  expect(await recalled(store)).toEqual(['The port is 1']);
});

test('a typed fact without details can be ended by name', async () => {
  const store = await openAt([0, 100, 200]);
  await store.facts.remember({ text: 'The port is 1', source: 'user' });
  const kept = { text: 'The port is 2', source: 'user', supersedes: 'the port is 1' };
  await store.facts.remember({ ...kept, detail });
  expect(await recalled(store)).toEqual(['The port is 2']);
  expect((await store.facts.list()).entries).toHaveLength(2);
});

test('forgetting a fact takes it out of what others quote', async () => {
  const store = await openAt([0]);
  await say(store, 'The port is 8080', { quote: 'Call me Ada. The port is 8080' });
  const name = { kind: 'identity', confidence: 1, quote: 'Call me Ada. The port is 8080' } as const;
  await store.facts.remember({ text: 'Call me Ada', source: 'user', detail: name });
  await store.facts.forget({ text: 'The port is 8080' });
  expect(JSON.stringify((await store.facts.list()).entries)).not.toContain('The port');
});
