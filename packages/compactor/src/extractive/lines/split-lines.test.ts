import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOfText } from './split-lines.ts';

test('line numbers of file viewers and empty lines go', () => {
  expect(linesOfText('     1→import x\n     2→\n 3\t  y = 22\n---')).toEqual([
    'import x',
    'y = 22',
  ]);
});

test('a long line is cut after a sentence or a space, and nothing of it is lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 90 }), { maxLength: 30 }),
      (words) => {
        const line = `ab ${words.join(' ').replaceAll('\n', ' ')}`.repeat(3);
        const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');
        const pieces = linesOfText(line);
        expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(241);
        // Pieces without two letters or digits in a row are left out, so the rest is a subsequence.
        let position = 0;
        const all = bare(line);
        for (const piece of pieces.map(bare)) {
          const found = all.indexOf(piece, position);
          expect(found).toBeGreaterThanOrEqual(0);
          position = found + piece.length;
        }
      },
    ),
    { numRuns: 50 },
  );
});
