import type { Message } from '@ctx/core';
import { describe, expect, it, vi } from 'vitest';
import { assistant, call, result, testWindow, textOf, user } from '../test-support/test-window.ts';
import type { Window } from '../window.ts';

const day = 86_400_000;

const free = { coldTailTokens: 0, freeFloorTokens: 1, holdTokens: 0, otherTailTokens: 0 } as const;

function insertCall(window: Window, id: string): void {
  window.insert(call(id, 'Bash', { command: id }));
  window.insert(result(id, textOf(300, id)), { [id]: `ctx://outputs/${id}` });
}

const textsOf = ({ content }: Message): string[] =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : []));

const line = (id: string): string => `[Bash ${id} → ctx://outputs/${id}]`;

describe('lines of neighbouring messages', () => {
  it('are one message, and what the host gave stays as it is', () => {
    const { window } = testWindow({ changes: free });
    const task = user('task');
    const goOn = user('go on');
    window.insert(task);
    for (const id of ['a', 'b', 'c']) insertCall(window, id);
    window.insert(goOn);
    window.request(0);
    window.request(day);
    const messages = window.request(2 * day).messages;
    expect(messages.map(textsOf)).toEqual([['task'], [line('a'), line('b'), line('c')], ['go on']]);
    expect(messages[0]).toBe(task);
    expect(messages[2]).toBe(goOn);
  });

  it('stay apart from what the model says between them', () => {
    const { window } = testWindow({ changes: free });
    window.insert(user('task'));
    insertCall(window, 'a');
    window.insert(assistant('so far'));
    insertCall(window, 'b');
    window.insert(user('go on'));
    window.request(0);
    const { messages } = window.request(day);
    const roles = messages.map(({ role }) => role);
    expect(roles).toEqual(['user', 'user', 'assistant', 'user', 'user']);
  });

  it('are joined by later flushes, too, and are the same object from request to request', () => {
    const { window } = testWindow({ changes: free });
    window.insert(user('task'));
    insertCall(window, 'a');
    insertCall(window, 'b');
    window.request(0);
    const first = window.request(day).messages;
    insertCall(window, 'c');
    insertCall(window, 'd');
    window.insert(user('go on'));
    window.request(day + 1);
    const second = window.request(3 * day).messages;
    const third = window.request(3 * day + 1).messages;
    expect(first[0]).toBe(second[0]);
    expect(second.filter(({ role }) => role === 'user')).toHaveLength(3);
    expect(second[1]?.content).toHaveLength(4);
    expect(third[1]).toBe(second[1]);
  });

  it('are joined when they come: a request that changes nothing does not look at them again', () => {
    const { window } = testWindow({ changes: free });
    window.insert(user('task'));
    for (let at = 0; at < 20; at += 1) {
      insertCall(window, `a${String(at)}`);
      insertCall(window, `b${String(at)}`);
      window.insert(assistant('so far'));
    }
    window.insert(user('go on'));
    window.request(0);
    const first = window.request(day).messages;
    const lookUps = vi.spyOn(WeakMap.prototype, 'get');
    expect(window.request(day + 1).messages).toEqual(first);
    window.insert(user('and on'));
    const second = window.request(day + 2).messages;
    const times = lookUps.mock.calls.length;
    lookUps.mockRestore();
    // Each of the 20 joined messages is looked up where it is joined.
    expect(times).toBeLessThan(20);
    expect([first.length, second.length]).toEqual([42, 43]);
  });
});
