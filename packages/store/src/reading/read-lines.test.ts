import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLines, splitLines } from './read-lines.ts';

const ten = Array.from({ length: 10 }, (_, index) => `line ${String(index + 1)}`).join('\n');

test('reads a range, both ends included', () => {
  expect(readLines(ten, { from: 3, to: 4 })).toEqual({
    text: 'line 3\nline 4',
    from: 3,
    to: 4,
    totalLines: 10,
  });
});

test('reads all of a short text', () => {
  expect(readLines(`${ten}\n`)).toEqual({ text: ten, from: 1, to: 10, totalLines: 10 });
  expect(readLines('')).toEqual({ text: '', from: 1, to: 0, totalLines: 0 });
  expect(readLines('\n')).toEqual({ text: '', from: 1, to: 1, totalLines: 1 });
});

test('says where to read on when the answer is full', () => {
  expect(readLines(ten, { maxCharacters: 20, to: 5 })).toEqual({
    text: 'line 1\nline 2\nline 3',
    from: 1,
    to: 3,
    totalLines: 10,
    nextLine: 4,
  });
  expect(readLines(ten, { maxCharacters: 20, from: 4, to: 5 })).not.toHaveProperty('nextLine');
});

test('gives nothing behind the end', () => {
  expect(readLines(ten, { from: 11 })).toEqual({
    text: '',
    from: 11,
    to: 10,
    totalLines: 10,
  });
  expect(readLines(ten, { from: 9, to: 99 }).text).toBe('line 9\nline 10');
});

test('wraps long lines', () => {
  expect(readLines('abcdefgh\nxy', { wrapAt: 3 }).text).toBe('abc\ndef\ngh\nxy');
  expect(readLines('a👨‍👩‍👧b', { wrapAt: 8 }).text).toBe('a\n👨‍👩‍👧\nb');
});

test('cuts a line that alone is too long, and goes on behind it', () => {
  const answer = readLines(`${'x'.repeat(100_000)}\nend`, { maxCharacters: 50 });
  expect(answer).toEqual({
    text: 'x'.repeat(50),
    from: 1,
    to: 1,
    totalLines: 2,
    nextLine: 2,
    rest: '51-100000',
  });
});

test('takes line breaks of Windows', () => {
  expect(splitLines('a\r\nb\r\n\r\nc')).toEqual(['a', 'b', '', 'c']);
});

test.each([
  { from: 0 },
  { from: 1.5 },
  { to: 0 },
  { to: Number.NaN },
  { maxCharacters: 0 },
  { wrapAt: -1 },
])('refuses %j', (options) => {
  expect(() => readLines(ten, options)).toThrow(
    expect.objectContaining({ code: 'CTX_INVALID_ADDRESS' }),
  );
});

test('pages give every line once, each page within its limit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 20 }).map((line) => line.replace(/[\r\n]/g, ' '))),
      fc.integer({ min: 20, max: 60 }),
      (lines, maxCharacters) => {
        const text = lines.map((line) => `${line}\n`).join('');
        const seen: string[] = [];
        let next: number | undefined = lines.length > 0 ? 1 : undefined;
        while (next !== undefined) {
          const page = readLines(text, { from: next, maxCharacters });
          expect(page.text.length).toBeLessThanOrEqual(maxCharacters);
          seen.push(...page.text.split('\n'));
          next = page.nextLine;
        }
        expect(seen).toEqual(lines);
      },
    ),
  );
});
