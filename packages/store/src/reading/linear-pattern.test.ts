import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePattern } from './linear-pattern.ts';

test.each([
  ['abc', 'xxabc', 2],
  ['abcd|c', 'abcd', 0],
  ['', 'abc', 0],
  ['a|', 'b', 0],
  ['^b', 'ab', -1],
  ['b$', 'abab', 3],
  ['\\bfoo\\b', 'foobar foo', 7],
  ['\\Boo', 'oo foo', 4],
  ['[a-c]+[^a-c]', 'xabcd', 1],
  ['[\\d.-]+$', 'v1.2-3', 1],
  ['[]]', 'a', -1],
  ['(?:ab){2,3}c', 'abababc', 0],
  ['(?<year>\\d{4})-\\d\\d', 'on 2026-11', 3],
  ['a{2}', 'aba', -1],
  ['a{2,}', 'abaaa', 2],
  ['a{', 'a{', 0],
  ['\\x41\\u0042', 'AB', 0],
  ['\\.\\*\\t', '.*\t', 0],
  ['.+?b', 'aab', 0],
  ['(a*)*b', 'aaab', 0],
  ['(|a)+b', 'aab', 0],
  ['-', 'a-b', 1],
  ['[a-]', '-', 0],
  ['\\s\\S\\w\\W\\D', '1 a_!x', 1],
])('searches %j in %j', (source, line, place) => {
  expect(compilePattern(source).search(line)).toBe(place);
});

test('looks past the letter case where asked', () => {
  expect(compilePattern('straße [a-f]\\d', true).search('STRAßE C3')).toBe(0);
  expect(compilePattern('Ä', true).search('ä')).toBe(0);
  expect(compilePattern('a').search('A')).toBe(-1);
});

test.each([
  ['(a)\\1', 'reference back'],
  ['\\k<a>', 'reference back'],
  ['(?=a)', 'look ahead or behind'],
  ['(?<!a)', 'look ahead or behind'],
  ['(a', '( without its )'],
  ['a)', ') without its ('],
  ['[a', '[ without its ]'],
  ['[a-', '[ without its ]'],
  ['[b-a]', 'runs backwards'],
  ['[a-\\d]', 'runs backwards'],
  ['*a', 'nothing to repeat'],
  ['a**', 'repetition of a repetition'],
  ['^*', 'repeated place'],
  ['a{3,2}', 'impossible repetition'],
  ['a{1001}', 'impossible repetition'],
  ['(a{1000}){1000}', 'too many parts'],
  ['\\', 'not known'],
  ['\\p', 'not known'],
  ['\\x4', 'not known'],
  ['\\u00e', 'not known'],
  ['\\cA', 'not known'],
  ['a'.repeat(501), 'more than 500 characters'],
])('refuses %j: %s', (source, reason) => {
  expect(() => compilePattern(source)).toThrow(
    expect.objectContaining({
      code: 'CTX_INVALID_ADDRESS',
      message: expect.stringContaining(reason) as unknown,
    }),
  );
});

test('finds what the regular expressions of JavaScript find', () => {
  const { pattern } = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
    atom: fc.oneof(
      fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\d', '\\s', ' ', '1'),
      tie('pattern').map((inner) => `(${inner})`),
    ),
    pattern: fc
      .array(
        fc.oneof(
          {
            weight: 6,
            arbitrary: fc
              .tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '{2}', '{0,2}', '*?'))
              .map((x) => x.join('')),
          },
          { weight: 1, arbitrary: fc.constantFrom('|', '^', '$', '\\b', '\\B') },
        ),
        { maxLength: 4 },
      )
      .map((parts) => parts.join('')),
  }));
  const line = fc
    .array(fc.constantFrom('a', 'b', 'A', '1', ' ', 'c'), { maxLength: 12 })
    .map((x) => x.join(''));
  fc.assert(
    fc.property(pattern, line, fc.boolean(), (source, text, ignoreCase) => {
      fc.pre(source.length < 60);
      const expected = text.search(new RegExp(source, ignoreCase ? 'i' : ''));
      expect(compilePattern(source, ignoreCase).search(text)).toBe(expected);
    }),
    { numRuns: 3_000 },
  );
});

test.each(['(a+)+$', '(a|a)*b', '(.*)*(.*)*x', 'a*a*a*a*a*b', '(\\w+\\/?)+\\.ts', '(a?){50}a{50}'])(
  'comes to an end on %j, where others hang',
  (source) => {
    expect(compilePattern(source).search(`${'a'.repeat(20_000)}!`)).toBeGreaterThanOrEqual(-1);
  },
);
