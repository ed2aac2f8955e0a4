import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareText, compareValueLists, compareValues } from './compare-values.ts';

const wellFormed = fc.string({ unit: 'binary' });

describe('compareText', () => {
  it('orders as the UTF-8 bytes do', () => {
    fc.assert(
      fc.property(wellFormed, wellFormed, (left, right) => {
        const byBytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
        expect(Math.sign(compareText(left, right))).toBe(byBytes);
      }),
    );
  });

  it('puts astral characters behind the end of the basic plane', () => {
    expect(compareText('\u{1f600}', '\uffee')).toBeGreaterThan(0);
    expect(compareText('\ud7ff', '\ue000')).toBeLessThan(0);
    expect(compareText('\u{1f600}', '\u{1f601}')).toBeLessThan(0);
  });
});

describe('compareValues', () => {
  it('puts null before numbers before text', () => {
    const values = ['', 'a', 0, -1, null, 1.5];
    expect(values.toSorted(compareValues)).toEqual([null, -1, 0, 1.5, '', 'a']);
  });

  it('takes equal values for equal', () => {
    for (const value of [null, 0, -0, 1.5, '', 'a']) expect(compareValues(value, value)).toBe(0);
    expect(compareValues(0, -0)).toBe(0);
  });
});

describe('compareValueLists', () => {
  it('lets the first difference decide, else the length', () => {
    expect(compareValueLists(['a', 1], ['a', 2])).toBeLessThan(0);
    expect(compareValueLists(['b', 1], ['a', 2])).toBeGreaterThan(0);
    expect(compareValueLists(['a'], ['a', null])).toBeLessThan(0);
    expect(compareValueLists([], [])).toBe(0);
  });
});
