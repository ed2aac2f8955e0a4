import type { ContentBlock, Message } from '@ctx/core';
import { expect, it } from 'vitest';
import { testStore } from '../test-support/anthropic-conversation.ts';
import { countCalls } from './count-calls.ts';

const call = (id: string, name: string): ContentBlock => ({
  type: 'tool_use',
  id,
  name,
  input: {},
});
const result = (toolUseId: string, isError?: boolean): ContentBlock => ({
  type: 'tool_result',
  toolUseId,
  content: [],
  ...(isError === undefined ? {} : { isError }),
});
const says = (...content: readonly ContentBlock[]): Message => ({ role: 'assistant', content });
const answers = (...content: readonly ContentBlock[]): Message => ({ role: 'user', content });
const text: ContentBlock = { type: 'text', text: 'Read' };

/** What the session says of its calls once these messages were counted, each part from its place on. */
async function statsOf(parts: readonly (readonly [readonly Message[], number])[]) {
  const store = await testStore();
  for (const [messages, from] of parts) countCalls(store, 'p1', { messages, from });
  await store.sessions.flush();
  return (await store.sessions.get('p1'))?.document.tool_stats;
}

it('the calls that returned are counted by their tool, and those that failed apart', async () => {
  const messages = [
    answers(text),
    says(text, call('a', 'Read'), call('b', 'Bash'), call('c', 'Bash')),
    answers(result('b', true), result('a'), result('c', false), text),
  ];
  expect(await statsOf([[messages, 0]])).toEqual({
    total_calls: 3,
    by_tool: { Read: 1, Bash: 2 },
    failures: 1,
  });
});

it('a call is counted once, when its result is new, however far before it was made', async () => {
  const first = [answers(text), says(call('a', 'Read')), answers(result('a'))];
  const asked = [...first, says(call('b', 'Bash'), call('c', 'Grep'))];
  const partly = [...asked, answers(result('b'))];
  const all = [...partly, says(text), answers(result('c'))];
  const requests = [
    [first, 0],
    [asked, 3],
    [partly, 4],
    [all, 5],
  ] as const;
  expect(await statsOf(requests)).toMatchObject({
    total_calls: 3,
    by_tool: { Read: 1, Bash: 1, Grep: 1 },
  });
});

it('an id that is used again means its newest call', async () => {
  const messages = [
    says(call('0', 'Read')),
    answers(result('0')),
    says(call('0', 'Bash')),
    answers(result('0', true)),
  ];
  expect(await statsOf([[messages, 0]])).toMatchObject({
    by_tool: { Read: 1, Bash: 1 },
    failures: 1,
  });
});

it('a result whose call is nowhere, and a call without a result, are not counted', async () => {
  const messages = [says(call('a', 'Read')), answers(result('b'), text)];
  expect(await statsOf([[messages, 0]])).toBeUndefined();
});

it.each([
  ['exec_command', 'Wall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nboom', 1],
  ['run_shell_command', 'Output: boom\nExit Code: 2\nProcess Group PGID: 7', 1],
  ['exec_command', 'Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nok', 0],
  ['read_file', 'Exit Code: 2', 0],
])('%s with %j counts %i failures, without a flag of an error', async (name, output, failures) => {
  const content = [{ type: 'text', text: output } as const];
  const messages = [
    says(call('a', name)),
    answers({ type: 'tool_result', toolUseId: 'a', content }),
  ];
  expect(await statsOf([[messages, 0]])).toMatchObject({ total_calls: 1, failures });
});
