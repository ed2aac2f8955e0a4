import fc from 'fast-check';
import { expect, test } from 'vitest';
import { previewOf } from './preview.ts';

test('leaves a text that fits', () => {
  expect(previewOf('a'.repeat(200), { maxCharacters: 200 })).toBe('a'.repeat(200));
});

test('shows two thirds beginning, one third end, and how much is missing', () => {
  const text = 'h'.repeat(1_000) + 't'.repeat(1_000);
  const preview = previewOf(text, { maxCharacters: 332 });
  expect(preview).toBe(`${'h'.repeat(200)}\n[… 1700 characters left out …]\n${'t'.repeat(100)}`);
});

test('shows only the beginning where there is little room', () => {
  expect(previewOf('abcdef'.repeat(100), { maxCharacters: 6 })).toBe('abcdef');
});

test('counts what it leaves out and keeps to the budget', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 200, maxLength: 900 }),
      fc.nat(600),
      (text, maxCharacters) => {
        const preview = previewOf(text, { maxCharacters });
        expect(preview.length).toBeLessThanOrEqual(Math.max(maxCharacters, 0));
        const mark = /\n\[… (\d+) characters left out …\]\n/.exec(preview);
        const shown = preview.length - (mark?.[0].length ?? 0);
        expect(mark === null || shown + Number(mark[1]) === text.length).toBe(true);
      },
    ),
  );
});
