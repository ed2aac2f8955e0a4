import { describe, expect, it } from 'vitest';
import { call, insertPair, result, testWindow, textOf, user } from '../test-support/test-window.ts';
import { openWindow, type Window } from '../window.ts';

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

describe('what is about to leave', () => {
  it('stays if a call touches its file again before it goes', () => {
    const policy = { tailTokens: 500, holdTokens: 9000, workCalls: 2, rereadWeight: 9 };
    const { window } = testWindow({ changes: { ...changes, ...policy, patience: 1000 } });
    const shows = (): boolean => JSON.stringify(window.view()).includes('line of r text, 200');
    window.insert(user('task'));
    insertPair(window, 'r', { name: 'Read', input: { path: 'a.ts' }, text: textOf(1500, 'r') });
    for (const id of ['b', 'c', 'd', 'e']) {
      fill(window, id, 300);
      window.request(0);
    }
    const edit = { path: 'a.ts', old_string: 'x' };
    insertPair(window, 'z', { name: 'Edit', input: edit, text: 'ok' });
    window.request(1);
    window.request(day);
    expect(shows()).toBe(true);
  });

  it('goes once waiting has cost enough, though its files are at work, if there is no room to hold it', () => {
    const policy = { tailTokens: 500, holdTokens: 2000, workCalls: 100, patience: 2 };
    const { window } = testWindow({ windowTokens: 400_000, changes: { ...changes, ...policy } });
    window.insert(user('task'));
    for (let step = 0; step < 40; step += 1) {
      const input = { path: `f${String(step % 4)}.ts`, offset: step * 10, limit: 10 };
      insertPair(window, `r${String(step)}`, {
        name: 'Read',
        input,
        text: textOf(1000, `r${String(step)}`),
      });
      window.request(step * 1000);
    }
    expect(JSON.stringify(window.view())).not.toContain('line of r0 text');
  });

  it('is no result of an edit that shows a file at work: it stays under the line of its call', () => {
    const policy = { editTailTokens: 0, partTailTokens: 100, holdTokens: 9000 };
    const { window } = testWindow({ changes: { ...changes, ...policy } });
    window.insert(user('task'));
    const edit = { path: 'a.ts', old_string: textOf(800, 'old') };
    insertPair(window, 'e', { name: 'Edit', input: edit, text: textOf(400, 'now') });
    fill(window, 'm', 3500);
    window.request(0);
    window.request(day);
    insertPair(window, 'n', { name: 'Read', input: { path: 'b.ts' }, text: textOf(3500, 'b') });
    window.request(2 * day);
    window.request(4 * day);
    const view = JSON.stringify(window.view());
    expect(view).toContain('line of now text, 60');
    expect(view).not.toContain('line of old text');
    // A read of the whole file shows what it is now.
    insertPair(window, 'r', { name: 'Read', input: { path: 'a.ts' }, text: textOf(900, 'new') });
    window.request(6 * day);
    expect(JSON.stringify(window.view())).not.toContain('line of now text');
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
  const again = openWindow(options, events);
  expect(again.steps).toBe(window.steps);
  window.insert(call('z', 'Read', { path: 'a.ts' }));
  window.insert(result('z', textOf(1500, 'r')));
  again.insert(call('z', 'Read', { path: 'a.ts' }));
  again.insert(result('z', textOf(1500, 'r')));
  expect(again.request(day)).toEqual(window.request(day));
});
