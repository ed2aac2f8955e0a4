import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseFact } from './normalise-fact.ts';

describe('normaliseFact', () => {
  it.each([
    ['User prefers verbose output', 'user  prefers VERBOSE output.'],
    ['Project uses Rust 1.75', ' project uses rust 1.75!'],
    ['It is well-known', 'it is well known'],
    ["Don't push", 'don’t push'],
    ['“Quoted”, said he', 'quoted said he'],
    ['ＡＢＣ', 'abc'],
    ['Straße', 'STRASSE'.toLowerCase().replace('ss', 'ß')],
    ['a\u00a0b\tc', 'a b c'],
  ])('takes %j and %j for one', (one, other) => {
    expect(normaliseFact(one)).toBe(normaliseFact(other));
  });

  it.each([
    ['Uses C++', 'Uses C'],
    ['Uses C#', 'Uses C'],
    ['version 1.75', 'version 175'],
    ['offset -5', 'offset 5'],
    ['100% done', '100 done'],
    ['x > 3', 'x < 3'],
    ['src/a.ts', 'src a.ts'],
  ])('keeps %j and %j apart', (one, other) => {
    expect(normaliseFact(one)).not.toBe(normaliseFact(other));
  });

  it('changes nothing the second time, whatever the text', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(texts, (text) => {
        expect(normaliseFact(normaliseFact(text))).toBe(normaliseFact(text));
      }),
    );
  });
});
