import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomHistory } from '../test-support/random-history.ts';
import { assistant, insertPair, testWindow, textOf, user } from '../test-support/test-window.ts';
import type { Window } from '../window.ts';

const day = 86_400_000;

const free = { coldTailTokens: 0, freeFloorTokens: 1 };

function shownText(window: Window, now = 0): string {
  return JSON.stringify(window.request(now).messages);
}

/** Reads some lines of one file, as tools show them. */
function readPage(window: Window, id: string, [first, last]: readonly [number, number]): void {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
  const text = numbers.map((number) => `${number}→line ${number}, ${'x'.repeat(40)}`).join('\n');
  const input = { path: 'a.ts', offset: first, limit: last - first + 1 };
  insertPair(window, id, { name: 'Read', input, text });
}

test('of a page that overlaps with one in view only the new lines are shown', () => {
  const { window } = testWindow();
  window.insert(user('task'));
  readPage(window, 'a', [1, 100]);
  const before = JSON.stringify(window.view());
  readPage(window, 'b', [50, 150]);
  const shown = shownText(window);
  expect(shown).toContain('lines 50 to 100 stand in the result of Read a.ts above');
  expect(shown).toContain('whole at ctx://outputs/b');
  expect(shown.split('→line 100,')).toHaveLength(2);
  expect(shown).toContain('→line 101,');
  expect(JSON.stringify(window.view())).toContain(before.slice(0, -1));
  expect(window.explain().at(-1)).toMatchObject({ form: 'overlap' });
});

test('a page is shown whole where the one that it overlaps with has left', () => {
  const { window } = testWindow({ changes: { ...free, holdTokens: 0 } });
  window.insert(user('task'));
  readPage(window, 'a', [1, 100]);
  insertPair(window, 'e', { name: 'Edit', input: { path: 'b.ts' }, text: 'ok' });
  window.insert(assistant('done'));
  window.insert(user('something else'));
  window.request(0);
  expect(window.request(day).flush?.cause).toBe('free');
  readPage(window, 'b', [50, 150]);
  expect(window.explain().at(-1)).toMatchObject({ form: 'whole' });
});

test('a page stays in view while a newer one in the tail leaves out its lines', () => {
  const { window } = testWindow({ changes: { ...free, tailTokens: 3000, coldTailTokens: 3000 } });
  window.insert(user('task'));
  readPage(window, 'a', [1, 100]);
  insertPair(window, 'e', { name: 'Edit', input: { path: 'b.ts' }, text: 'ok' });
  insertPair(window, 'o', { text: textOf(1900) });
  readPage(window, 'b', [50, 150]);
  window.insert(assistant(textOf(2000)));
  window.insert(user('something else'));
  window.request(0);
  expect(window.request(day).flush?.cause).toBe('free');
  expect(shownText(window)).toContain('→line 99,');
});

test('a failed read leaves out nothing', () => {
  const { window } = testWindow();
  window.insert(user('task'));
  readPage(window, 'a', [1, 100]);
  window.insert({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'b', name: 'Read', input: { path: 'a.ts' } }],
  });
  const page = window.view()[2]?.content[0];
  const content = page?.type === 'tool_result' ? page.content : [];
  window.insert({
    role: 'user',
    content: [{ type: 'tool_result', toolUseId: 'b', content, isError: true }],
  });
  expect(window.explain().at(-1)).not.toMatchObject({ form: 'overlap' });
});

test('random histories of the laws have overlapping pages', () => {
  const histories = fc.sample(randomHistory, { numRuns: 400, seed: 1 });
  const forms = histories.flatMap((steps) => {
    const { window } = testWindow();
    for (const step of steps) if (step.kind === 'message') window.insert(step.message);
    return window.explain().map(({ form }) => form);
  });
  expect(forms.filter((form) => form === 'overlap').length).toBeGreaterThan(5);
});
