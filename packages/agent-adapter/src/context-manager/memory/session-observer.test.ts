import type { Message } from '@ctx/core';
import type { Observer } from '@ctx/memory';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { createContextManager } from '../create-context-manager.ts';

const say = (role: 'user' | 'assistant', text: string): Message => ({
  role,
  content: [{ type: 'text', text }],
});

test('what the user says in one session is known in the next, with the message that says it', async () => {
  const store = await openStore(memoryBackend());
  const options = { store, memory: { scope: { user: 'ada' } } };
  const first = createContextManager({ ...options, sessionId: 'one' });
  const messages = [say('user', 'Hello'), say('assistant', 'Hi'), say('user', 'My name is Ada.')];
  await first.prepare(messages);
  await first.end();
  const second = createContextManager({ ...options, sessionId: 'two' });
  const { facts = [] } = (await second.memory?.recall('what is my name?')) ?? {};
  expect(facts).toMatchObject([
    { text: 'My name is Ada', scope: 'user', sessionId: 'one', address: 'ctx://messages/2' },
  ]);
  const recall = second.tools().find(({ name }) => name === 'ctx_recall');
  expect(await recall?.execute({ query: 'name' })).toContain('My name is Ada');
});

test.each([{ user: 'ada' }, '@user/ada'])(
  'what a model remembers in a session of %o is not told to another user of the agent',
  async (scope) => {
    const store = await openStore(memoryBackend());
    const run = (name: string, args: object, of: { readonly user: string } | string = scope) =>
      createContextManager({ store, sessionId: 's', memory: { scope: of } })
        .tools()
        .find((one) => one.name === name)
        ?.execute(args);
    const fact = 'Her blood type is AB';
    expect(await run('ctx_remember', { fact })).toBe('Remembered.');
    const query = 'blood type';
    expect(await run('ctx_recall', { query })).toContain(fact);
    expect(await run('ctx_recall', { query }, { user: 'eve' })).not.toContain(fact);
  },
);

/** Managers of one session whose observer says what it was given. */
async function watched() {
  const store = await openStore(memoryBackend());
  const seen: string[][] = [];
  const observe: Observer = {
    name: 'seen',
    observe: (messages) => {
      seen.push(messages.map(({ sequence, text }) => `${String(sequence)} ${text}`));
      return [];
    },
  };
  const open = () => createContextManager({ store, sessionId: 's', memory: { observe } });
  return { seen, open };
}

const talk = [say('user', 'One'), say('assistant', 'Two'), say('user', 'Three')];

test('a process that goes on with a session reads what came since, and nothing twice', async () => {
  const { seen, open } = await watched();
  const first = open();
  await first.prepare(talk);
  await first.end();
  const second = open();
  await second.prepare([...talk, say('assistant', 'Four'), say('user', 'Five')]);
  await second.end();
  const third = open();
  await third.prepare([...talk, say('assistant', 'Four'), say('user', 'Five')]);
  await third.end();
  expect(seen).toEqual([
    ['0 One', '1 Two', '2 Three'],
    ['3 Four', '4 Five'],
  ]);
});

test.each(['the same process', 'another process'])(
  'what is said after the history went back is read by %s',
  async (by) => {
    const { seen, open } = await watched();
    const first = open();
    await first.prepare(talk);
    if (by === 'another process') await first.end();
    const next = by === 'another process' ? open() : first;
    const back = [say('user', 'One'), say('assistant', 'Two'), say('user', 'Other')];
    await next.prepare(back);
    await next.prepare([...back, say('assistant', 'Four'), say('user', 'Five')]);
    await next.end();
    expect(seen.flat()).toEqual(expect.arrayContaining(['2 Other', '3 Four', '4 Five']));
    expect(seen.flat().filter((text) => text === '2 Other')).toHaveLength(1);
    if (by === 'the same process') expect(seen.flat()).toHaveLength(6);
  },
);

test('what the user says is dated to when the log took it in, not to when it is read', async () => {
  let now = 1_000;
  const store = await openStore(memoryBackend(), { clock: () => now });
  const talks = [say('user', 'Our port is 8080.'), say('assistant', 'Noted.')];
  const later = [...talks, say('user', 'Our port is 9090.')];
  const first = createContextManager({ store, sessionId: 's' });
  await first.prepare(talks);
  now = 2_000;
  await first.prepare(later);
  await first.end();
  now = 9_000;
  const second = createContextManager({ store, sessionId: 's', memory: {} });
  await second.prepare(later);
  await second.end();
  const textsAt = async (asOf: number) => {
    const { facts = [] } = (await second.memory?.recall('port', { asOf })) ?? {};
    return facts.map(({ text }) => text);
  };
  expect(await textsAt(500)).toEqual([]);
  expect(await textsAt(1_500)).toEqual(['Our port is 8080']);
  expect(await textsAt(2_000)).toEqual(['Our port is 9090']);
});

test('an observer that fails does not stop the agent', async () => {
  const store = await openStore(memoryBackend());
  const observe = { name: 'broken', observe: () => Promise.reject(new Error('offline')) };
  const manager = createContextManager({ store, sessionId: 's', memory: { observe } });
  const degraded: string[] = [];
  manager.on('degraded', ({ during }) => degraded.push(during));
  const { messages } = await manager.prepare([say('user', 'My name is Ada.')]);
  await manager.end();
  expect(messages).toHaveLength(1);
  expect(degraded).toContain('memory');
});

test('without the option nothing is observed', async () => {
  const store = await openStore(memoryBackend());
  const manager = createContextManager({ store, sessionId: 's' });
  await manager.prepare([say('user', 'My name is Ada.')]);
  await manager.end();
  expect(manager.memory).toBeUndefined();
  expect((await store.facts.list()).entries).toEqual([]);
});
