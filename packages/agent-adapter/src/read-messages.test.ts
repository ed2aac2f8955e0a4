import type { Message } from '@ctx/core';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openSessionWindow, type SessionWindow, windowPolicy } from '@ctx/truncation';
import { expect, it } from 'vitest';
import { readBackTools } from './read-back/read-back-tools.ts';

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

it('reads messages that one line names together', async () => {
  const { store } = await session();
  const lines = ['[lines 1 to 7 of 7]', '[message 0, user]', 'Find the bug', '[message 2, user]'];
  const all = [...lines, '[result of a]', 'one', 'two: a race', 'three'].join('\n');
  expect(await read(store, { pointer: 'ctx://messages/0,2' }, 's')).toBe(all);
});

it('reads them by lines and by pattern, too', async () => {
  const { store } = await session();
  const pointer = 'ctx://messages/0-3';
  expect(await read(store, { pointer, from: 2, to: 2 }, 's')).toContain('Find the bug');
  const found = await read(store, { pointer, pattern: 'two', contextLines: 0 }, 's');
  expect(found).toContain('two: a race');
});

it('reads a message that holds one stored result alone as that output', async () => {
  const { store, window } = await session();
  const [stored] = (await store.outputs.pointers({ sessionId: 's' })).entries;
  const output = await read(store, { pointer: `ctx://outputs/${stored?.id ?? ''}` }, 's');
  expect(await read(store, { pointer: 'ctx://messages/2' }, 's')).toBe(output);
  expect(await read(store, { pointer: 's/2' })).toBe(output);
  expect(await read(store, { pointer: 's/2' }, 's')).toBe(output);
  expect(await read(store, { pointer: 's/2' }, 'another')).toContain('looks like');
  expect(output).toContain('[lines 1 to 3 of 3]\none');
  await window.fork('t');
  expect(await read(store, { pointer: 'ctx://messages/2' }, 't')).toBe(output);
});

it('reads what a line in the view names, by JSON path, too, and what several results share as messages', async () => {
  const store = await openStore(memoryBackend());
  const policy = windowPolicy('default', {
    ...{ tailTokens: 0, otherTailTokens: 0, editTailTokens: 0, coldTailTokens: 0 },
    ...{ freeFloorTokens: 1, partTailTokens: 0 },
  });
  const window = await openSessionWindow({ store, sessionId: 's', policy });
  const asked = (...ids: string[]): Message => ({
    role: 'assistant',
    content: ids.map((id) => ({ type: 'tool_use', id, name: 'Grep', input: { pattern: id } })),
  });
  const found = (...ids: string[]): Message => ({
    role: 'user',
    content: ids.map((id) => ({
      type: 'tool_result',
      toolUseId: id,
      content: text(JSON.stringify({ [id]: 'x'.repeat(900) })),
    })),
  });
  const steps = [asked('a'), found('a'), asked('b', 'c'), found('b', 'c'), asked('d'), found('d')];
  await window.insert([user('Find the bug'), ...steps]);
  await window.request(0);
  const view = JSON.stringify((await window.request(86_400_000)).messages);
  expect(view).toContain('→ ctx://messages/2]');
  expect(view.match(/→ ctx:\/\/outputs\/Grep_/g)).toHaveLength(2);
  const value = await read(store, { pointer: 'ctx://messages/2', jsonPath: 'a' }, 's');
  expect(value).toContain('a = xxx');
  const both = { pointer: 'ctx://messages/4', jsonPath: 'b' };
  expect(await read(store, both, 's')).toContain('messages are no JSON');
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
