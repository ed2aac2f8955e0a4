import { describe, expect, it } from 'vitest';
import { assistant, call, result, testWindow, textOf, user } from '../test-support/test-window.ts';
import type { Window } from '../window.ts';

const day = 86_400_000;

const free = { coldTailTokens: 0, freeFloorTokens: 1, holdTokens: 0, lineNumbers: 'all' } as const;

const opened = (namesMessages = true): Window =>
  testWindow({ changes: free, namesMessages }).window;

interface Call {
  readonly name?: string;
  readonly input?: unknown;
  readonly text?: string;
}

function insertCall(window: Window, id: string, { name = 'Bash', input, text }: Call = {}): void {
  window.insert(call(id, name, input ?? { command: id }));
  window.insert(result(id, text ?? textOf(300, id)), { [id]: `ctx://outputs/${id}` });
}

/** What is shown once everything has left. */
function leftTexts(window: Window): string[] {
  window.insert(user('go on'));
  window.request(0);
  window.request(day);
  window.request(2 * day);
  const blocks = window.view().flatMap(({ content }) => content);
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

describe('lines next to each other', () => {
  it('become one that tells each call, and names each message', () => {
    const window = opened();
    window.insert(user('task'));
    insertCall(window, 'ls');
    insertCall(window, 'pwd');
    insertCall(window, 'x', { name: 'Grep', input: { pattern: 'TODO' } });
    const line = '[Bash ls; pwd; Grep TODO → ctx://messages/2,4,6]';
    expect(leftTexts(window)).toEqual(['task', line, 'go on']);
  });

  it('name their messages as a range where they are many', () => {
    const window = opened();
    window.insert(user('task'));
    for (const id of ['a', 'b', 'c', 'd', 'e']) insertCall(window, id);
    expect(leftTexts(window)).toContain('[Bash a; b; c; d; e → ctx://messages/2-10]');
  });

  it('name the message of an input that is longer than a line tells', () => {
    const window = opened();
    window.insert(user('task'));
    insertCall(window, 'ls');
    insertCall(window, 'x', { input: { command: 'echo '.repeat(100) } });
    expect(leftTexts(window)[1]).toMatch(/^\[Bash ls; .* → ctx:\/\/messages\/2,3,4\]$/);
  });

  it('stay apart where something is shown between them', () => {
    const window = opened();
    window.insert(user('task'));
    insertCall(window, 'ls');
    insertCall(window, 'pwd');
    window.insert(assistant('now the date'));
    insertCall(window, 'date');
    const lines = leftTexts(window);
    expect(lines[1]).toBe('[Bash ls; pwd → ctx://messages/2,4]');
    expect(lines.slice(2)).toEqual(['now the date', '[Bash date → ctx://messages/7]', 'go on']);
  });

  it('stay apart where they do not name messages', () => {
    const window = opened(false);
    window.insert(user('task'));
    insertCall(window, 'ls');
    insertCall(window, 'pwd');
    const lines = ['[Bash ls → ctx://outputs/ls]', '[Bash pwd → ctx://outputs/pwd]'];
    expect(leftTexts(window)).toEqual(['task', ...lines, 'go on']);
  });

  it('stay apart where one names an output, because its message holds several', () => {
    const window = opened();
    window.insert(user('task'));
    const calls = ['a', 'b'].flatMap((id) => call(id, 'Bash', { command: id }).content);
    const results = ['a', 'b'].flatMap((id) => result(id, textOf(300, id)).content);
    window.insert({ role: 'assistant', content: calls });
    const pointers = { a: 'ctx://outputs/a', b: 'ctx://outputs/b' };
    window.insert({ role: 'user', content: results }, pointers);
    insertCall(window, 'ls');
    const lines = leftTexts(window);
    expect(lines).toContain('[Bash b → ctx://outputs/b]');
    expect(lines).toContain('[Bash ls → ctx://messages/4]');
  });
});
