import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { createMemory } from '../create-memory.ts';
import type { Observer } from '../observe/observer.ts';

/** Takes each message for a fact. */
const eachMessage: Observer = {
  name: 'each message',
  observe: (messages) =>
    messages.map(({ sequence, text }) => ({ sequence, text, quote: text, kind: 'event' })),
};

async function remembering(sessions: Readonly<Record<string, readonly string[]>>) {
  const memory = createMemory(await openStore(memoryBackend()), { observe: eachMessage });
  for (const [sessionId, texts] of Object.entries(sessions)) {
    const messages = texts.map((text) => ({
      ...{ role: 'user' as const, content: [{ type: 'text' as const, text }] },
    }));
    await memory.observe(messages, { sessionId });
  }
  return async (query: string) => {
    const { facts } = await memory.recall(query, { threshold: 0 });
    return facts.map(({ text }) => text);
  };
}

const vague = 'On that day all were in a good mood, as far as one could tell.';

test('a fact of the session that the query asks about comes before one that says a little more', async () => {
  const recall = await remembering({
    zoo: ['The keeper fed the lions.', 'Rain fell.', 'A bus came.', vague],
    trip: ['A long road.', 'A good mood.'],
  });
  const [first, second] = await recall('mood of the keeper who fed the lions');
  expect([first, second]).toEqual(['The keeper fed the lions.', vague]);
});

test('within a session the fact beside what the query asks about comes before one that says a little more', async () => {
  const said = ['The keeper fed the lions.', vague, 'Rain fell.', 'A good mood.'];
  const recall = await remembering({ zoo: said });
  const query = 'mood of the keeper who fed the lions';
  expect((await recall(query)).slice(0, 2)).toEqual([said[0], vague]);
  const apart = await remembering({
    zoo: [said[1] ?? '', said[2] ?? '', said[3] ?? '', said[0] ?? ''],
  });
  expect((await apart(query))[1]).toBe('A good mood.');
});

test('a fact that says more of the query stays before one whose session does', async () => {
  const recall = await remembering({
    zoo: ['The keeper fed the lions.', 'Their cage is green.'],
    trip: ['The lions of the green gate sleep.'],
  });
  expect((await recall('green gate of the lions'))[0]).toBe('The lions of the green gate sleep.');
});

test('facts that were stated without a session raise none of each other', async () => {
  const memory = createMemory(await openStore(memoryBackend()));
  for (const text of ['The pond is deep.', 'The pond and the mill are old.', 'The mill is far.']) {
    await memory.add({ text, kind: 'event' });
  }
  const { facts } = await memory.recall('the deep pond', { threshold: 0 });
  expect(facts.map(({ text }) => text)).toEqual([
    'The pond is deep.',
    'The pond and the mill are old.',
  ]);
});
