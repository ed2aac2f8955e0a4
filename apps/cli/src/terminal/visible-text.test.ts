import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAt, oneLine, visibleText } from './visible-text.ts';

describe('visibleText', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['a\rb', 'a\\u000db'],
    ['\u202eevil', '\\u202eevil'],
    ['zero\u200bwidth', 'zero\\u200bwidth'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['\u009b2J', '\\u009b2J'],
    ['tab\tand\nline', 'tab\tand\nline'],
    ['grüße 漢字 🎉', 'grüße 漢字 🎉'],
  ])('shows %j as %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it('leaves no sign that a terminal acts on', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
        const text = String.fromCharCode(...units);
        const shown = visibleText(text).replaceAll(/[\t\n]/g, '');
        expect(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/u.test(shown)).toBe(false);
        expect(visibleText(shown)).toBe(shown);
      }),
    );
  });
});

describe('oneLine', () => {
  it('joins lines and cuts with an ellipsis', () => {
    expect(oneLine(' a\nb\tc ')).toBe('a b c');
    expect(oneLine('abcdef', 4)).toBe('abc…');
    expect(oneLine('abcd', 4)).toBe('abcd');
  });

  it('never cuts a pair of surrogates in half', () => {
    expect(oneLine('ab🎉🎉', 4)).toBe('ab…');
    expect(cutAt('🎉', 1)).toBe('');
  });
});
