import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCharacters } from './read-characters.ts';
import { readLines } from './read-lines.ts';

test('reads a range exactly, both ends included, and says what is left of it', () => {
  expect(readCharacters('abc\r\ndef', '3-6')).toEqual({
    text: 'c\r\nd',
    from: 3,
    to: 6,
    totalCharacters: 8,
  });
  expect(readCharacters('abcdefgh', '2-7', 4)).toMatchObject({ text: 'bcde', rest: '6-7' });
  expect(readCharacters('abcdefgh', '7-', 4).text).toBe('gh');
  expect(readCharacters('abcdefgh', '7').text).toBe('g');
  expect(readCharacters('', '1-')).toEqual({ text: '', from: 1, to: 0, totalCharacters: 0 });
});

test('never parts a surrogate pair', () => {
  expect(readCharacters('a😀b', '1-2', 2)).toMatchObject({ text: 'a', rest: '2-2' });
  expect(readCharacters('a😀b', '2-2', 1)).toMatchObject({ text: '😀', from: 2, to: 3 });
  expect(readCharacters('a😀b', '3-4').text).toBe('😀b');
});

test.each(['', '0-3', '5-3', '-3', 'a-b', '1-2-3', '1.5-2', '9-'])('refuses %j', (range) => {
  expect(() => readCharacters('abcdefgh', range)).toThrow(
    expect.objectContaining({ code: 'CTX_INVALID_ADDRESS' }),
  );
});

test('pages joined by what is left are the text, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, most) => {
      let joined = '';
      let rest: string | undefined = '1-';
      while (rest !== undefined) {
        const page = readCharacters(text, rest, most);
        joined += page.text;
        rest = page.rest;
      }
      expect(joined).toBe(text);
    }),
  );
});

test('what lines leave of a line that is too long is read on by characters, to its end', () => {
  const anyLine = fc
    .string({ unit: 'grapheme', maxLength: 90 })
    .map((x) => x.replace(/[\r\n]/g, ' '));
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 1 }), (lines) => {
      const text = lines.join('\n');
      lines.forEach((line, index) => {
        const from = index + 1;
        const page = readLines(text, { from, to: from, maxCharacters: 30, wrapAt: 7 });
        const rest = page.rest === undefined ? '' : readCharacters(text, page.rest).text;
        expect(page.text.replaceAll('\n', '') + rest).toBe(line);
      });
    }),
  );
});
