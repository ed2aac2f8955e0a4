import { isCtxError } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { things } from '../../testing/case-collections.ts';
import { checkScan, searchableWords } from './check-query.ts';
import { completeColumns, isStorableText } from './check-value.ts';

describe('searchableWords', () => {
  it('keeps each word of letters and digits once and drops the rest', () => {
    const words = ['red', 'RED', 'red', 'a:b', '"red"', '', 'данные', '数据', 'x1', 'a b', '*'];
    expect(searchableWords({ words })).toEqual(['red', 'данные', '数据', 'x1']);
  });

  it('takes a long hostile word without going back and forth', () => {
    expect(searchableWords({ words: [`${'a'.repeat(1_000_000)}!`] })).toEqual([]);
  });
});

describe('isStorableText', () => {
  it('refuses what some store cannot keep', () => {
    for (const text of ['a\u0000', '\ud800', 'a\udc00b', '\udc00\ud800']) {
      expect(isStorableText(text)).toBe(false);
    }
    for (const value of [null, undefined, 1, {}, ['a']]) expect(isStorableText(value)).toBe(false);
  });

  it('takes all other text', () => {
    for (const text of ['', 'a', '\u{1f600}', '\uffff', '\u0001']) {
      expect(isStorableText(text)).toBe(true);
    }
  });
});

describe('completeColumns', () => {
  it('fills with null for a put, and with what was there for a patch', () => {
    const put = completeColumns(things, { kind: 'k', size: -0, weight: 1 });
    const expected = { kind: 'k', label: null, amount: null, ratio: null, weight: 1, size: 0 };
    expect(put).toEqual(expected);
    expect(Object.is(put['size'], 0)).toBe(true);
    expect(completeColumns(things, { label: 'l' }, put)).toEqual({ ...expected, label: 'l' });
    expect(completeColumns(things, { kind: 'x' }, put)['kind']).toBe('x');
  });
});

describe('checkScan', () => {
  it('names the field and never the value', () => {
    const query = { collection: 'things', index: 'by_amount', equal: ['t', 'secret'] };
    let caught: unknown;
    try {
      checkScan(things, query);
    } catch (error) {
      caught = error;
    }
    expect(isCtxError(caught, 'CTX_INVALID_INPUT')).toBe(true);
    expect(String(caught)).toContain('things.amount');
    expect(String(caught)).not.toContain('secret');
  });
});
