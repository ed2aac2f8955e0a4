import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normaliseText } from './normalise.ts';

test.each([
  ['colours', '\u001b[31;1merror\u001b[0m done', 'error done'],
  ['titles and links', '\u001b]0;title\u0007text', 'text'],
  ['a progress bar', ' 10 %\r 50 %\r100 %\ndone', '100 %\ndone'],
  ['line ends of Windows', 'a\r\nb\r\n', 'a\nb\n'],
  ['runs of equal lines', 'x\n.\n.\n.\n.\n.\ny', 'x\n.\n[… 4 more lines like this …]\ny'],
  ['three equal lines: they stay', '.\n.\n.', '.\n.\n.'],
])('takes out %s', (_, text, expected) => {
  expect(normaliseText(text)).toBe(expected);
});

test('a text without any of this comes back as it is', () => {
  const lines = fc.uniqueArray(fc.string({ unit: 'grapheme' }), { maxLength: 20 });
  fc.assert(
    fc.property(lines, (given) => {
      const text = given.join('\n');
      const isPlain =
        !text.includes('\r') &&
        !text.includes('\u001b') &&
        new Set(text.split('\n')).size === text.split('\n').length;
      fc.pre(isPlain);
      expect(normaliseText(text)).toBe(text);
    }),
  );
});

test.each(['\u001b[', '\u001b]', '\u001b[1;', '\r', '\n', 'a\r'])(
  'comes to an end on 500,000 repetitions of %j',
  (part) => {
    expect(normaliseText(part.repeat(500_000)).length).toBeLessThanOrEqual(part.length * 500_000);
  },
);
