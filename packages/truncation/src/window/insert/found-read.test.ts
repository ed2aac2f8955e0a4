import { expect, test } from 'vitest';
import { insertPair, testWindow, user } from '../test-support/test-window.ts';
import { openWindow, type Window } from '../window.ts';

const lines = Array.from(
  { length: 200 },
  (_line, index) => `const value${String(index)} = compute${String(index * 7)}(options);`,
);

const page = (first: number, last: number): string =>
  lines
    .slice(first - 1, last)
    .map((line, index) => `${String(first + index)}\t${line}`)
    .join('\n');

function readAll(window: Window): void {
  window.insert(user('task'));
  insertPair(window, 'r', { name: 'Read', input: { path: 'src/a.ts' }, text: page(1, 200) });
}

const shownText = (window: Window): string => JSON.stringify(window.request(0).messages);

test('a command that does not tell what it shows is a read of the file whose lines it shows, and only new lines are shown', () => {
  const { window, events, options } = testWindow();
  readAll(window);
  const input = { command: './show.sh first-half' };
  insertPair(window, 's', { name: 'Bash', input, text: `${lines.slice(0, 90).join('\n')}\ndone` });
  const shown = shownText(window);
  expect(shown).toContain(
    'lines 1 to 90 of this result stand in the result of Read src/a.ts above',
  );
  expect(window.explain().at(-1)).toMatchObject({ form: 'overlap' });
  expect(JSON.stringify(events)).toContain('"found":"src/a.ts"');
  expect(openWindow(options, events).view()).toEqual(window.view());
});

test('lines are known whether they are numbered or not', () => {
  const { window } = testWindow();
  readAll(window);
  const input = { command: "sed -n '20,120p' src/a.ts" };
  insertPair(window, 's', { name: 'Bash', input, text: lines.slice(19, 120).join('\n') });
  expect(shownText(window).split('compute140(')).toHaveLength(2);
});

test('output that shares a few lines with a file is no read of it', () => {
  const { window, events } = testWindow();
  readAll(window);
  const own = Array.from({ length: 60 }, (_line, index) => `line ${String(index)} of a report`);
  const text = [...own, ...lines.slice(0, 20)].join('\n');
  insertPair(window, 's', { name: 'Bash', input: { command: './report.sh' }, text });
  expect(JSON.stringify(events)).not.toContain('"found"');
  expect(window.explain().at(-1)).toMatchObject({ form: 'whole' });
});

const codexOutput = (id: string, seconds: string, text: string, code = 0): string =>
  `Chunk ID: ${id}\nWall time: ${seconds} seconds\nProcess exited with code ${String(code)}\nOriginal token count: 900\nOutput:\n${text}`;

test('two results of Codex are the same if only the id of the chunk and the time differ, and not if the exit code does', () => {
  const { window } = testWindow();
  window.insert(user('task'));
  const run = (id: string, text: string): void => {
    insertPair(window, id, { name: 'exec_command', input: { cmd: 'go run ./list' }, text });
  };
  const text = lines.slice(0, 60).join('\n');
  run('a', codexOutput('383403', '0.0000', text));
  run('b', codexOutput('91c255', '0.3232', text));
  expect(window.explain().at(-1)).toMatchObject({ form: 'same' });
  run('c', codexOutput('5115a6', '0.0100', text, 1));
  expect(window.explain().at(-1)).not.toMatchObject({ form: 'same' });
});
