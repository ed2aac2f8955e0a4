import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tellingLines } from './telling-lines.ts';

const about = (...words: string[]) => {
  const known = new Set(words);
  return (word: string): boolean => known.has(word);
};

const numbered = (count: number, special: Readonly<Record<number, string>>): string[] =>
  Array.from(
    { length: count },
    (_, index) => special[index] ?? `line of no meaning ${String(index)}`,
  );

describe('the lines that tell most', () => {
  it('are those around a word of the work, with a count of what is left out', () => {
    const lines = numbered(100, { 50: 'const parseRange = 1;' });
    const shown = tellingLines(lines.join('\n'), { isWorkWord: about('parseRange'), share: 0.05 });
    expect(shown?.split('\n')).toEqual([
      '[… 48 lines …]',
      ...lines.slice(48, 52),
      '[… 48 lines …]',
    ]);
  });

  it('are those with the rarer word first', () => {
    const lines = numbered(100, { 80: 'rareWord' }).map((line, index) =>
      index < 40 ? `${line} often` : line,
    );
    const isWorkWord = about('often', 'rareWord');
    const shown = tellingLines(lines.join('\n'), { isWorkWord, share: 0.02 });
    expect(shown).toContain('rareWord');
    expect(shown).not.toContain('often');
  });

  it('are none where no word is of the work', () => {
    const text = numbered(10, {}).join('\n');
    expect(tellingLines(text, { isWorkWord: about('other'), share: 1 })).toBeUndefined();
    expect(tellingLines('', { isWorkWord: about('other'), share: 1 })).toBeUndefined();
  });

  it('are lines of the text in their order, never more of it than asked for', () => {
    const word = fc.constantFrom('alpha', 'beta_two', 'gammaThree', 'x', '12');
    const line = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
    const share = fc.double({ min: 0.05, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), share, (lines, part) => {
        const text = lines.join('\n');
        const shown = tellingLines(text, { isWorkWord: about('alpha', 'gammaThree'), share: part });
        const kept = (shown ?? '').split('\n').filter((each) => !each.startsWith('[… '));
        const characters = kept.reduce((sum, each) => sum + each.length + 1, 0);
        if (shown !== undefined) expect(characters).toBeLessThanOrEqual(part * text.length + 1);
        let from = 0;
        for (const each of shown === undefined ? [] : kept) {
          from = lines.indexOf(each, from) + 1;
          expect(from).toBeGreaterThan(0);
        }
      }),
    );
  });
});
