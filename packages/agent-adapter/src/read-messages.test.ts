import { type ContextStore, memoryBackend, type Message, openStore } from '@ctx/core';
import { openSessionWindow, type SessionWindow } from '@ctx/truncation';
import { expect, it } from 'vitest';
import { readBackTools } from './read-back.ts';

const text = (value: string) => [{ type: 'text', text: value }] as const;
const user = (value: string): Message => ({ role: 'user', content: text(value) });

async function session(): Promise<{ store: ContextStore; window: SessionWindow }> {
  const store = await openStore(memoryBackend());
  const window = await openSessionWindow({ store, sessionId: 's' });
  await window.insert([
    user('Find the bug'),
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'a', name: 'Grep', input: { pattern: 'race' } }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', toolUseId: 'a', content: text('one\ntwo: a race\nthree') }],
    },
    user('And now fix it'),
  ]);
  return { store, window };
}

async function read(store: ContextStore, args: unknown, sessionId?: string): Promise<string> {
  const [tool] = readBackTools(store, sessionId === undefined ? {} : { sessionId });
  return tool.execute(args);
}

it('reads messages by the address that stands in the conversation, with the tool for outputs', async () => {
  const { store } = await session();
  expect(await read(store, { pointer: 'ctx://messages/1-3' }, 's')).toBe(
    [
      '[lines 1 to 12 of 12]',
      '[message 1, assistant]',
      '[call of Grep]',
      '{',
      '  "pattern": "race"',
      '}',
      '[message 2, user]',
      '[result of a]',
      'one',
      'two: a race',
      'three',
      '[message 3, user]',
      'And now fix it',
    ].join('\n'),
  );
});

it('reads them by lines and by pattern, too', async () => {
  const { store } = await session();
  const pointer = 'ctx://messages/0-3';
  expect(await read(store, { pointer, from: 2, to: 2 }, 's')).toContain('Find the bug');
  const found = await read(store, { pointer, pattern: 'two', contextLines: 0 }, 's');
  expect(found).toContain('two: a race');
});

it('says what is wrong with an address, and that it needs a session', async () => {
  const { store } = await session();
  expect(await read(store, { pointer: 'ctx://messages/7' }, 's')).toContain('has no messages 7');
  expect(await read(store, { pointer: 'ctx://messages/x' }, 's')).toContain('looks like');
  expect(await read(store, { pointer: 'ctx://messages/0' })).toContain('in a session only');
});

it('finds in a forked session the outputs of the one that it came from', async () => {
  const { store, window } = await session();
  await window.fork('t');
  const [pointer] = (await store.outputs.pointers({ sessionId: 's' })).entries;
  const args = { pointer: `ctx://outputs/${pointer?.id ?? ''}` };
  expect(await read(store, args, 't')).toContain('two: a race');
  expect(await read(store, args, 'other')).toContain('there is no output');
});
