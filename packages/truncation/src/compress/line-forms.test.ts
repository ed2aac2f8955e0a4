import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formOf, hasTwoWords } from './line-forms.ts';

/** Lines of what the forms look at: digits, hexadecimal ones, other letters, signs, what is no ASCII. */
const anyLine = fc
  .array(fc.constantFrom('0', '9', 'a', 'F', 'g', 'Z', ' ', '-', '|', 'é', '木', '😀', 'deadbeef'))
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
        expect(hasTwoWords(line)).toBe(words.length >= 2);
      }),
    );
  });
});
