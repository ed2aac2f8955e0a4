import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachNumber, formKey, hasWord, hasWords, idsOf } from './line-forms.ts';

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

/** What the patterns make of a line. */
const formOf = (line: string): string => line.replaceAll(/[0-9a-f]{8,}|\d+/gi, '#');

const numbersOf = (line: string): number[] => {
  const numbers: number[] = [];
  eachNumber(line, (number) => numbers.push(number));
  return numbers;
};

describe('the form of a line', () => {
  it('is the same whatever its hashes and numbers are', () => {
    const line = 'took 12 ms at 0xDEADBEEF01 of decade 7a';
    expect(formKey(line)).toBe(formKey('took 3 ms at 77x0a0a0a0a0a0a of decade 100a'));
    expect(formKey(line)).not.toBe(formKey('took 12 ms at 0xDEADBEE of decade 7a'));
  });

  it('has the numbers that the patterns find', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const found = line.match(/[0-9a-f]{8,}|\d+/gi) ?? [];
        expect(numbersOf(line)).toHaveLength(found.length);
        for (const [at, number] of numbersOf(line).entries()) {
          const text = found[at] ?? '';
          if (/^\d{1,15}$/.test(text)) expect(number).toBe(Number(text));
        }
      }),
    );
    expect(new Set(['deadbeef', 'deadbeee', 'deadbfef', '1eadbeef'].flatMap(numbersOf)).size).toBe(
      4,
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
