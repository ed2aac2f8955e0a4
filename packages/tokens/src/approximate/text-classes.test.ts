import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countByPatterns } from '../test-support/count-by-patterns.ts';
import { textClass } from './class-tally.ts';
import { countClasses } from './text-classes.ts';

/** By name, in the order in which the classes first come: the sum of a text's tokens is made in that order. */
function counted(text: string): [string, number][] {
  const { order, units } = countClasses(text);
  const names = new Map(Object.entries(textClass).map(([name, kind]) => [kind, name]));
  return order.map((kind) => [names.get(kind) ?? '', units[kind] ?? 0]);
}

const signs = ['a', 'f', 'g', 'Z', 'A', 'F', '7', '0', '-', '"', '\\', '@', ' ', '\t', '\n', '\r'];
const others = [
  'é',
  '×',
  'я',
  '你',
  'か',
  'ー',
  '한',
  'ש',
  '\u0301',
  '٣',
  '😀',
  '𐍈',
  '𠀀',
  '\ufeff',
];
const strange = ['\0', '\u0080', '\u2028', '\ud800', '\udc00', '\ufffd', '⼀', '０'];
const parts = fc.oneof(
  fc.constantFrom(...signs, ...others, ...strange, '\r\n'),
  fc.constantFrom('word', 'camelCase', 'HTMLElement', 'X1', '3b18e512dba79e4c8300dd', 'A1B2C3'),
  fc.string({ unit: 'binary' }),
);
const anyText = fc.array(parts, { maxLength: 60 }).map((all) => all.join(''));

test('counts what the patterns count, in their order', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(counted(text)).toEqual(countByPatterns(text));
    }),
    { numRuns: 3_000 },
  );
});

test('a run that goes on behind a chunk is one run', () => {
  const long = fc.constantFrom(
    'a',
    'A',
    '9',
    'f1',
    ' ',
    '-',
    '\r\n',
    'ש',
    'שa',
    '\u0301',
    '😀',
    'é',
  );
  fc.assert(
    fc.property(anyText, long, fc.integer({ min: 16_300, max: 16_400 }), (rest, part, length) => {
      const text = `${part.repeat(length).slice(0, length)}${rest}`;
      expect(counted(text)).toEqual(countByPatterns(text));
      expect(counted(rest + text)).toEqual(countByPatterns(rest + text));
    }),
    { numRuns: 150 },
  );
});

test('a line break at the start of a chunk knows the character before it', () => {
  for (const part of ['a', '-', '\u0000', '𐀀', ' '])
    for (const length of [16_383, 16_384, 16_385]) {
      const text = `${'x'.repeat(length - 1)}${part}\r\n\n${'y'.repeat(20_000)}\n`;
      expect(counted(text)).toEqual(countByPatterns(text));
    }
});

test('knows the class of every sign of the first planes', () => {
  for (let first = 0; first < 0x20000; first += 0x100) {
    const codes = Array.from({ length: 0x100 }, (_, at) => first + at);
    const text = codes.map((code) => `${String.fromCodePoint(code)}\n`).join('');
    expect(counted(text)).toEqual(countByPatterns(text));
  }
});
