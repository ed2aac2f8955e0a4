import { type Message, missingResultText, validateMessages } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { type Admission, createAdmission } from './admit.ts';
import { assistant, call, result, user } from './test-support/test-window.ts';

function admitAll(
  messages: readonly Message[],
  admission: Admission = createAdmission(),
): Message[] {
  return [...messages.flatMap((message) => admission.admit(message)), ...admission.settle()];
}

describe('createAdmission', () => {
  it('lets a history through that needs nothing, as the same objects', () => {
    const history = [user('task'), call('a', 'Bash', {}), result('a', 'out'), assistant('done')];
    const admitted = admitAll(history);
    expect(admitted).toHaveLength(4);
    for (const [index, message] of admitted.entries()) expect(message).toBe(history[index]);
  });

  it('keeps words and system messages between a call and its result until the result is there', () => {
    const system: Message = { role: 'system', content: [{ type: 'text', text: 'note' }] };
    const history = [user('task'), call('a', 'Bash', {}), user('and?'), system, result('a', 'out')];
    expect(admitAll(history)).toEqual([
      user('task'),
      call('a', 'Bash', {}),
      result('a', 'out'),
      user('and?'),
      system,
    ]);
  });

  it('puts a placeholder where no result came, and makes text of what comes late', () => {
    const history = [user('task'), call('a', 'Bash', {}), assistant('next'), result('a', 'late')];
    expect(admitAll(history)).toEqual([
      user('task'),
      call('a', 'Bash', {}),
      result('a', missingResultText, true),
      assistant('next'),
      user('late'),
    ]);
  });

  it('gives a call id that was used before a new one, also in one message', () => {
    const twice = { ...call('a', 'Bash', {}) };
    const history = [user('task'), { ...twice, content: [...twice.content, ...twice.content] }];
    const admitted = admitAll([
      ...history,
      result('a', '1'),
      result('a', '2'),
      call('a', 'X', {}),
      result('a', '3'),
    ]);
    expect(validateMessages(admitted)).toEqual([]);
    const ids = admitted.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
    );
    expect(ids).toEqual(['a', 'a_2', 'a_3']);
  });

  it('drops what is empty, and begins with the user', () => {
    const admitted = admitAll([user(' '), { role: 'user', content: [] }, assistant('hello')]);
    expect(admitted.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(validateMessages(admitted)).toEqual([]);
  });

  it('makes text of calls and results in messages of the wrong role', () => {
    const wrong: Message = { ...call('a', 'Bash', { x: 1 }), role: 'user' };
    const admitted = admitAll([wrong, { ...result('b', 'out'), role: 'assistant' }]);
    expect(validateMessages(admitted)).toEqual([]);
    expect(JSON.stringify(admitted)).toContain('[Bash ');
    expect(JSON.stringify(admitted)).toContain('out');
  });
});
