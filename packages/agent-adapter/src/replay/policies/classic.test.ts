import { type Message, validateMessages } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import type { PolicyRun } from '../replay-policy.ts';
import { classic, contextLimit } from './classic.ts';

const none = new Map<string, never>();

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (id: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Bash', input: {} }],
});
const result = (id: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId: id, content: [{ type: 'text', text: id }] }],
});

/** Every message weighs 10,000 tokens; the limit of a 64,000 window is 37,000. */
function startHeavy(): PolicyRun {
  return classic.start({ windowTokens: 64_000, fixedTokens: 0, tokensOf: () => 10_000 });
}

describe('the classic policy', () => {
  it.each([
    [64_000, 37_000],
    [128_000, 98_000],
    [200_000, 160_000],
    [300_000, 260_000],
    [100_000, 80_000],
  ])('takes the limit of the seed for a window of %i', (window, limit) => {
    expect(contextLimit(window)).toBe(limit);
  });

  it('shows everything until the limit', () => {
    const run = startHeavy();
    const messages = [user('task'), call('a'), result('a')];
    for (const message of messages) run.insert(message, none);
    expect(run.render()).toEqual(messages);
  });

  it('keeps the task, the first call with its result and the newest messages, and says that something left', () => {
    const run = startHeavy();
    run.insert(user('task'), none);
    for (const id of ['a', 'b', 'c', 'd']) {
      run.insert(call(id), none);
      run.insert(result(id), none);
    }
    const view = run.render();
    expect(view[0]).toEqual(user('task'));
    expect(JSON.stringify(view[1])).toContain('some earlier messages were removed');
    expect(view.slice(2)).toEqual([result('a'), call('d'), result('d')]);
  });

  it('never renders an invalid request, and never changes what it was given', () => {
    const run = startHeavy();
    const task = Object.freeze(user('task'));
    run.insert(task, none);
    for (let step = 0; step < 200; step += 1) {
      run.insert(Object.freeze(call(`c${String(step)}`)), none);
      run.insert(Object.freeze(result(`c${String(step)}`)), none);
      expect(validateMessages(run.render())).toEqual([]);
    }
    expect(run.render().length).toBeLessThan(12);
  });
});
