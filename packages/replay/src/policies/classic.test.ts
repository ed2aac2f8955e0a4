import { type Message, validateMessages } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import type { PolicyRun } from '../replay-policy.ts';
import { testContext } from '../test-support/test-context.ts';
import { classic } from './classic.ts';

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
  return classic.start(testContext({ windowTokens: 64_000, tokensOf: () => 10_000 }));
}

describe('the classic policy', () => {
  it('shows everything until the limit', () => {
    const run = startHeavy();
    const messages = [user('task'), call('a'), result('a')];
    for (const message of messages) run.insert(message, none);
    expect(run.render(0)).toEqual(messages);
  });

  it('keeps the task, the first call with its result and the newest messages, and says that something left', () => {
    const run = startHeavy();
    run.insert(user('task'), none);
    for (const id of ['a', 'b', 'c', 'd']) {
      run.insert(call(id), none);
      run.insert(result(id), none);
    }
    const view = run.render(0);
    expect(view[0]).toEqual(user('task'));
    expect(JSON.stringify(view[1])).toContain('some earlier messages were removed');
    expect(view.slice(2)).toEqual([result('a'), call('d'), result('d')]);
  });

  it('keeps all results of the first calls, also where they come in messages of their own', () => {
    const run = startHeavy();
    const both: Message = {
      role: 'assistant',
      content: [...call('a').content, ...call('b').content],
    };
    const front = [user('task'), both, result('a'), result('b')];
    for (const message of front) run.insert(message, none);
    for (const id of ['c', 'd', 'e']) {
      run.insert(call(id), none);
      run.insert(result(id), none);
    }
    const view = run.render(0);
    expect(view.length).toBeLessThan(10);
    expect(view.slice(2, 4)).toEqual([result('a'), result('b')]);
    expect(validateMessages(view)).toEqual([]);
  });

  it('keeps the task behind system messages', () => {
    const run = startHeavy();
    const system: Message = { role: 'system', content: [{ type: 'text', text: 'be kind' }] };
    for (const message of [system, system, user('task')]) run.insert(message, none);
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      run.insert(call(id), none);
      run.insert(result(id), none);
    }
    const view = run.render(0);
    expect(view.length).toBeLessThan(13);
    expect(view.slice(0, 3)).toEqual([system, system, user('task')]);
    expect(JSON.stringify(view[3])).toContain('some earlier messages were removed');
    expect(validateMessages(view)).toEqual([]);
  });

  it('does not drop what the user says between two loops when the cut falls on it', () => {
    const run = startHeavy();
    const said = user('now something else');
    const answer: Message = { role: 'assistant', content: [{ type: 'text', text: 'yes' }] };
    const all = [user('task'), answer, user('u1'), answer, said, answer, user('u3')];
    for (const message of all) run.insert(message, none);
    expect(run.render(0).slice(2)).toEqual([said, answer, user('u3')]);
  });

  it.each([
    [11, 0.5, 6],
    [11, 0.75, 8],
    [21, 0.5, 10],
    [21, 0.75, 16],
    [41, 0.75, 30],
    [3, 0.5, 2],
  ])('cuts %i alternating messages at the share %d before message %i', (count, share, first) => {
    const weight = share === 0.5 ? 37_001 / count : 80_000 / count;
    const run = classic.start(testContext({ windowTokens: 64_000, tokensOf: () => weight }));
    const messages = Array.from({ length: count }, (_, index): Message => {
      const role = index % 2 === 0 ? 'user' : 'assistant';
      return { role, content: [{ type: 'text', text: String(index) }] };
    });
    for (const message of messages) run.insert(message, none);
    expect(run.render(0).slice(2)).toEqual(messages.slice(first));
  });

  it('cuts once for one request, however often it is rendered', () => {
    const run = startHeavy();
    run.insert(user('task'), none);
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      run.insert(call(id), none);
      run.insert(result(id), none);
    }
    const once = [...run.render(0)];
    expect(once.length).toBeGreaterThan(4);
    expect(run.render(0)).toEqual(once);
  });

  it('never renders an invalid request, and never changes what it was given', () => {
    const run = startHeavy();
    const task = Object.freeze(user('task'));
    run.insert(task, none);
    for (let step = 0; step < 200; step += 1) {
      run.insert(Object.freeze(call(`c${String(step)}`)), none);
      run.insert(Object.freeze(result(`c${String(step)}`)), none);
      expect(validateMessages(run.render(0))).toEqual([]);
    }
    expect(run.render(0).length).toBeLessThan(12);
  });
});
