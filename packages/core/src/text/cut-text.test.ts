import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { cutText, cutTextEnd } from './cut-text.ts';

const family = '👨‍👩‍👧';

test('leaves what fits', () => {
  expect(cutText('abc', { maxCharacters: 3 })).toBe('abc');
  expect(cutText('abc', {})).toBe('abc');
  expect(cutTextEnd('abc', 5)).toBe('abc');
});

test('cuts ordinary text exactly at the budget', () => {
  expect(cutText('abcdef', { maxCharacters: 4 })).toBe('abcd');
  expect(cutText('abcdef', { maxCharacters: 0 })).toBe('');
  expect(cutText('abcdef', { maxCharacters: -1 })).toBe('');
  expect(cutTextEnd('abcdef', 4)).toBe('cdef');
  expect(cutTextEnd('abcdef', 0)).toBe('');
});

test('counts bytes as UTF-8', () => {
  expect(cutText('aé€😀', { maxBytes: 2 })).toBe('a');
  expect(cutText('aé€😀', { maxBytes: 3 })).toBe('aé');
  expect(cutText('aé€😀', { maxBytes: 6 })).toBe('aé€');
  expect(cutText('aé€😀', { maxBytes: 9 })).toBe('aé€');
  expect(cutText('aé€😀', { maxBytes: 10 })).toBe('aé€😀');
  expect(cutText('aé€😀', { maxBytes: 10, maxCharacters: 2 })).toBe('aé');
});

test('never cuts a sign in two', () => {
  expect(cutText(`a${family}b`, { maxCharacters: 6 })).toBe('a');
  expect(cutText(`a${family}b`, { maxCharacters: 9 })).toBe(`a${family}`);
  expect(cutTextEnd(`a${family}b`, 5)).toBe('b');
  expect(cutTextEnd(`a${family}b`, 9)).toBe(`${family}b`);
  expect(cutText('e\u0301x', { maxCharacters: 1 })).toBe('');
  expect(cutText('a\r\nb', { maxCharacters: 2 })).toBe('a');
  expect(cutText('🇩🇪🇫🇷', { maxCharacters: 6 })).toBe('🇩🇪');
});

test('cuts a sign of endless accents between code points', () => {
  const stacked = `a${'\u0301'.repeat(5_000)}`;
  expect(cutText(stacked, { maxCharacters: 2_000 })).toHaveLength(2_000);
  expect(cutTextEnd(stacked, 2_000)).toHaveLength(2_000);
  const chain = '👨\u200d'.repeat(2_000);
  expect(cutText(chain, { maxCharacters: 3_001 })).toHaveLength(3_000);
});

test('gives a beginning and an end within the budget, of whole code points', () => {
  const anyText = fc.string({ unit: 'grapheme', maxLength: 40 });
  fc.assert(
    fc.property(anyText, fc.nat(60), (text, budget) => {
      const head = cutText(text, { maxCharacters: budget });
      const tail = cutTextEnd(text, budget);
      const bytes = cutText(text, { maxBytes: budget });
      expect(text.startsWith(head) && text.endsWith(tail) && text.startsWith(bytes)).toBe(true);
      expect(Math.max(head.length, tail.length)).toBeLessThanOrEqual(budget);
      expect(new TextEncoder().encode(bytes).length).toBeLessThanOrEqual(budget);
      const signs = Array.from(new Intl.Segmenter('en').segment(text), (sign) => sign.segment);
      let whole = '';
      for (const sign of signs) {
        if ((whole + sign).length > budget) break;
        whole += sign;
      }
      expect(head).toBe(whole);
    }),
    { numRuns: 500 },
  );
});

test('loads the rules of graphemes only for a text that needs them', async () => {
  const Segmenter = Intl.Segmenter;
  let made = 0;
  const counted = class extends Segmenter {
    constructor(...args: ConstructorParameters<typeof Segmenter>) {
      super(...args);
      made += 1;
    }
  };
  vi.stubGlobal('Intl', { Segmenter: counted });
  vi.resetModules();
  const fresh = await import('./cut-text.ts');
  expect(fresh.cutText('plain text', { maxCharacters: 5 })).toBe('plain');
  expect(made).toBe(0);
  expect(fresh.cutText(`${family}${family}`, { maxCharacters: family.length + 1 })).toBe(family);
  expect(made).toBe(1);
  vi.unstubAllGlobals();
});
