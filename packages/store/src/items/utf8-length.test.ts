import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8Length } from './utf8-length.ts';

const encodedLength = (text: string): number => new TextEncoder().encode(text).length;

const signs = fc.constantFrom('a', '\n', 'ü', '€', '😀', '\ud800', '\udc00', '\0');

test('gives the length that an encoder gives, of ill-formed text as well', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(signs).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, (value) => {
      expect(utf8Length(value)).toBe(encodedLength(value));
    }),
  );
});

test('gives the same where a long text is encoded in steps', () => {
  const ending = fc.array(signs, { minLength: 1, maxLength: 8 }).map((all) => all.join(''));
  fc.assert(
    fc.property(fc.integer({ min: -4, max: 4 }), ending, ending, (shift, middle, last) => {
      const text = 'x'.repeat(16_384 + shift) + middle + 'é'.repeat(16_384 + shift) + last;
      expect(utf8Length(text)).toBe(encodedLength(text));
    }),
  );
});
