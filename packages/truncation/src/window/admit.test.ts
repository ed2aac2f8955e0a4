import { type Message, missingResultText, validateMessages } from '@ctx/core';
import { describe, expect, it, vi } from 'vitest';
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

  it('gives results of equal call ids to their calls in order', () => {
    const asked: Message = {
      role: 'assistant',
      content: ['1', '2', '3'].map((input) => ({ type: 'tool_use', id: 'a', name: 'X', input })),
    };
    const admitted = admitAll([
      user('task'),
      asked,
      result('a', '1'),
      result('a', '2'),
      result('a', '3'),
      call('a', 'X', '4'),
      result('a', '4'),
      result('a', 'too many'),
    ]);
    const results = admitted.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : [])),
    );
    expect(results).toEqual(['a', 'a_2', 'a_3', 'a_4']);
    expect(admitted.at(-1)).toEqual(user('too many'));
  });

  it('forgets the calls of before where results of equal ids come late', () => {
    const admitted = admitAll([
      user('task'),
      call('a', 'X', 1),
      call('a', 'X', 2),
      result('a', 'of the second'),
      result('a', 'late'),
    ]);
    expect(admitted.slice(4)).toEqual([result('a_2', 'of the second'), user('late')]);
  });

  it('looks at each of many parallel calls once, not at all of them for each result', () => {
    const lookUps = (count: number): number => {
      const ids = Array.from({ length: count }, (_, index) => `c${String(index)}`);
      const all = [...ids, ...ids.map(() => 'same')];
      const asked: Message = {
        role: 'assistant',
        content: all.map((id) => ({ type: 'tool_use', id, name: 'X', input: 1 })),
      };
      const history = [user('task'), asked, ...all.toReversed().map((id) => result(id, 'out'))];
      const methods = ['get', 'has', 'set', 'delete'] as const;
      const spies = [
        ...methods.map((name) => vi.spyOn(Map.prototype, name)),
        vi.spyOn(Set.prototype, 'has'),
        // Each step of a loop over a map.
        vi.spyOn(Object.getPrototypeOf(new Map().entries()) as { next: () => unknown }, 'next'),
      ];
      try {
        admitAll(history);
        return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      } finally {
        for (const spy of spies) spy.mockRestore();
      }
    };
    expect(lookUps(1000)).toBeLessThan(11 * lookUps(100));
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
