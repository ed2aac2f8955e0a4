import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff, withoutLineNumber } from './line-diff.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 30 });

/** The new lines, from the old ones and the hunks. */
function patched(before: readonly string[], diff: string): string[] {
  const after: string[] = [];
  let taken = 0;
  for (const line of diff === '' ? [] : diff.split('\n')) {
    const start = /^@@ line (\d+) @@$/.exec(line);
    if (start !== null) {
      while (after.length < Number(start[1]) - 1) {
        after.push(before[taken] ?? '');
        taken += 1;
      }
    } else {
      if (!line.startsWith('-')) after.push(line.slice(1));
      if (!line.startsWith('+')) taken += 1;
    }
  }
  return [...after, ...before.slice(taken)];
}

test('the old lines with the hunks give the new ones', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = lineDiff(before, after);
      expect(diff).toBeDefined();
      expect(patched(before, diff ?? '')).toEqual(after);
    }),
    { numRuns: 1000 },
  );
});

test('shows two lines around a change, and where it stands in the new text', () => {
  const before = ['1', '2', '3', '4', '5', '6', '7'];
  const after = ['1', '2', '3', 'four', '5', '6', '7'];
  expect(lineDiff(before, after)).toBe('@@ line 2 @@\n 2\n 3\n-4\n+four\n 5\n 6');
  expect(lineDiff(before, before)).toBe('');
});

test('gives up where more than 400 lines differ', () => {
  const numbered = (word: string): string[] =>
    Array.from({ length: 500 }, (_, index) => `${word} ${String(index)}`);
  expect(lineDiff(numbered('a'), numbered('b'))).toBeUndefined();
});

test.each([
  ['     7→const a = 1;', 'const a = 1;'],
  ['12\tconst', 'const'],
  ['const a = 1;', 'const a = 1;'],
  ['7 apples', '7 apples'],
])('takes the line number off %j', (line, expected) => {
  expect(withoutLineNumber(line)).toBe(expected);
});
