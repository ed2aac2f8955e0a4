import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formKey, formOf, hasWord, hasWords, idsOf } from './line-forms.ts';

/** Lines of what the forms look at: digits, hexadecimal ones, other letters, signs, what is no ASCII. */
const anyLine = fc
  .array(
    fc.constantFrom(
      '0',
      '9',
      'a',
      'F',
      'g',
      'Z',
      ' ',
      '-',
      '|',
      'é',
      '木',
      '😀',
      'deadbeef',
      '_',
      '$',
      'w',
    ),
  )
  .map((signs) => signs.join(''));

describe('the form of a line', () => {
  it('has # in place of hashes and numbers', () => {
    expect(formOf('took 12 ms at 0xDEADBEEF01 of decade 7a')).toBe('took # ms at #x# of decade #a');
  });

  it('is what the patterns make of any line', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        expect(formOf(line)).toBe(line.replaceAll(/[0-9a-f]{8,}|\d+/gi, '#'));
      }),
    );
  });

  it('has two words where two runs of letters are three or longer', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const words = line.split(/[^A-Za-z]/).filter(({ length }) => length >= 3);
        expect(hasWords(line, 3, 2)).toBe(words.length >= 2);
      }),
    );
  });

  it('has a key that lines of its form share, and no other of many lines has', () => {
    fc.assert(
      fc.property(anyLine, anyLine, (one, other) => {
        expect(formKey(one) === formKey(other)).toBe(formOf(one) === formOf(other));
      }),
    );
    const lines = Array.from({ length: 26 ** 3 }, (_, at) =>
      [at % 26, Math.floor(at / 26) % 26, Math.floor(at / 676)]
        .map((letter) => String.fromCharCode(97 + letter))
        .join(''),
    );
    expect(new Set(lines.map(formKey)).size).toBe(lines.length);
  });

  it('has the names that the pattern of names finds', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const found: string[] = [];
        hasWord(line, (word) => {
          found.push(word);
          return false;
        });
        expect(found).toEqual(line.match(/[A-Za-z_$][A-Za-z0-9_$]{3,}/g) ?? []);
      }),
    );
  });

  it('names the ids that the pattern of ids finds, if they hold a digit', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const words = line.match(/[A-Za-z0-9_-]{4,}/g) ?? [];
        expect(idsOf(line)).toEqual(words.filter((word) => /\d/.test(word)));
      }),
    );
  });
});
