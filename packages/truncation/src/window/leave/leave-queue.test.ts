import { describe, expect, it } from 'vitest';
import { call, insertPair, result, testWindow, textOf, user } from '../test-support/test-window.ts';
import { foldWindow, type Window } from '../window.ts';

const day = 86_400_000;
const changes = {
  tailTokens: 3000,
  otherTailTokens: 3000,
  coldTailTokens: 500,
  freeFloorTokens: 20,
  economicFloorTokens: 100,
  offloadFromTokens: 5000,
  holdTokens: 0,
};

function fill(window: Window, id: string, tokens: number): void {
  insertPair(window, id, { name: 'Bash', input: { command: id }, text: textOf(tokens, id) });
}

/** A result, the same again, and so much after it. */
function doubled(window: Window): void {
  window.insert(user('task'));
  insertPair(window, 'a', { name: 'Grep', input: { pattern: 'x' }, text: textOf(1500, 'same') });
  fill(window, 'm', 2800);
  insertPair(window, 'b', { name: 'Grep', input: { pattern: 'x' }, text: textOf(1500, 'same') });
}

describe('a result that a newer one only points to', () => {
  it('leaves in its turn where the newer one left at a cold moment', () => {
    const { window } = testWindow({ changes });
    doubled(window);
    fill(window, 'c', 600);
    window.request(0);
    window.request(day);
    expect(window.explain().find(({ form }) => form === 'same')).toBeUndefined();
    fill(window, 'd', 3500);
    window.request(day);
    window.request(3 * day);
    expect(JSON.stringify(window.view())).not.toContain('line of same text, 90');
  });

  it('leaves in its turn where nothing is saved by the newer one', () => {
    const { window } = testWindow({ changes: { ...changes, form: 'stub' } });
    doubled(window);
    fill(window, 'd', 3500);
    window.request(0);
    window.request(day);
    expect(JSON.stringify(window.view())).not.toContain('line of same text, 90');
  });
});

it('has the same queue when the log is read again after a request that failed', () => {
  const { window, events, options } = testWindow({ changes: { ...changes, holdTokens: 4000 } });
  window.insert(user('task'));
  const edit = { path: 'a.ts', old_string: 'x' };
  insertPair(window, 'e', { name: 'Edit', input: edit, text: 'ok' });
  insertPair(window, 'r', { name: 'Read', input: { path: 'a.ts' }, text: textOf(1500, 'r') });
  fill(window, 'm', 3500);
  window.request(0);
  window.resize({ fixedTokens: 300_000 });
  expect(() => window.request(1)).toThrow('does not fit');
  window.resize({ fixedTokens: 0 });
  const again = foldWindow(events, options);
  expect(again.steps).toBe(window.steps);
  window.insert(call('z', 'Read', { path: 'a.ts' }));
  window.insert(result('z', textOf(1500, 'r')));
  again.insert(call('z', 'Read', { path: 'a.ts' }));
  again.insert(result('z', textOf(1500, 'r')));
  expect(again.request(day)).toEqual(window.request(day));
});
