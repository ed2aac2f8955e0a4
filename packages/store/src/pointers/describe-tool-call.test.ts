import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeToolCall } from './describe-tool-call.ts';

test.each([
  [
    'grep',
    { pattern: 'TODO', path: 'src', limit: 5, all: true },
    'grep pattern=TODO path=src limit=5 all=true',
  ],
  ['bash', { command: 'ls -la  |\n wc' }, 'bash command="ls -la | wc"'],
  [
    'edit',
    { edits: [{ old: 'a', new: 'b' }], none: null },
    'edit edits=[{"old":"a","new":"b"}] none=null',
  ],
  ['run', {}, 'run'],
  ['run', null, 'run'],
  ['run', 'raw text', 'run "raw text"'],
  ['run', [1, 'a'], 'run [1,"a"]'],
  ['run', { a: '' }, 'run a=""'],
  ['e\u0000vil\u202e', { 'k\n': 'a\u2028b' }, 'e vil k="a b"'],
  ['', { a: 1 }, 'a=1'],
])('describes %s %j', (name, args, line) => {
  expect(describeToolCall(name, args)).toBe(line);
});

test('names every argument, however long the first one is', () => {
  const line = describeToolCall('write', {
    content: 'x'.repeat(9_000),
    path: 'src/a.ts',
    mode: 'w',
  });
  expect(line).toMatch(/^write content=x{140,}… path=src\/a\.ts mode=w$/);
  expect(line).toHaveLength(200);
});

test('shares the room evenly between long arguments', () => {
  const line = describeToolCall('edit', { old: 'o'.repeat(500), new: 'n'.repeat(500) });
  expect(line).toMatch(/^edit old=o{92}… new=n{92}…$/);
});

test('cuts at grapheme boundaries', () => {
  expect(describeToolCall('say', { text: '👨‍👩‍👧'.repeat(30) })).toMatch(/^say text=(👨‍👩‍👧)+…$/u);
});

test('is one line of at most 200 characters for anything', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.anything({ withBigInt: true, withMap: true }),
      (name, args) => {
        const line = describeToolCall(name, args);
        expect(line.length).toBeLessThanOrEqual(200);
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
      },
    ),
  );
});
