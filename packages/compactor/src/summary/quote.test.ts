import { sequenceIds } from '@ctx/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  endQuote,
  escapeMarks,
  newQuoteMark,
  outsideAnyQuotes,
  outsideQuotes,
  quoteData,
} from './quote.ts';

const anyForeign: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.constantFrom('<<<', '>>>', 'data m1>>>', '<<<data m1', 'm1', '<<<<<<', 'data '),
    ),
  )
  .map((parts) => parts.join(''));

test('nothing that is quoted gets out of its quote, whatever it holds', () => {
  fc.assert(
    fc.property(anyForeign, anyForeign, (first, second) => {
      const text = `before\n${quoteData(first, 'm1')}\nbetween\n${quoteData(second, 'm1')}\nafter`;
      expect(outsideQuotes(text, 'm1')).toBe('before\n\nbetween\n\nafter');
      expect(outsideAnyQuotes(text)).toBe('before\n\nbetween\n\nafter');
    }),
  );
});

test('a quote that does not end hides the rest', () => {
  expect(outsideQuotes('a <<<data m1\nb', 'm1')).toBe('a ');
});

test('a mark is the start of an id', () => {
  expect(newQuoteMark(sequenceIds('abcdefghijkl'))).toBe('abcdefghijkl');
});

test('no three brackets in a row are left, however many there were, and words stay as they are', () => {
  expect(escapeMarks('<<<<<data m1 a >>>> b << c')).toBe('<\\<\\<\\<<data m1 a >\\>\\>> b << c');
  expect(quoteData('more of the same', 'm')).toContain('more of the same');
  fc.assert(
    fc.property(anyForeign, (text) => {
      const once = escapeMarks(text);
      expect(once).not.toMatch(/<<<|>>>/);
      expect(escapeMarks(once)).toBe(once);
    }),
  );
});

test('a quote that was cut is ended; one whose mark was cut is left out', () => {
  const whole = `Before.\n${quoteData('a page', 'm1')}`;
  expect(endQuote(whole)).toBe(whole);
  expect(endQuote('Before.\n<<<data m1\na pa')).toBe('Before.\n<<<data m1\na pa\ndata m1>>>');
  expect(endQuote('Before.\n<<<data m')).toBe('Before.');
  expect(endQuote('Before.')).toBe('Before.');
});
