import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withEveryNumber, withEveryTenthNumber } from './line-numbers.ts';

const numbered = (lines: readonly string[], first = 1, mark = '→'): string =>
  lines.map((line, index) => `${String(first + index).padStart(6)}${mark}${line}`).join('\n');

const letters = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `line ${'ab'.charAt(index % 2)}`);

it('a run keeps the numbers of its first, its last and every tenth line, without the padding', () => {
  expect(withEveryTenthNumber(numbered(letters(12)))).toBe(
    [
      '[ctx: every tenth line is numbered]',
      '1→line a',
      ...letters(8).map((_, index) => `line ${'ba'.charAt(index % 2)}`),
      '10→line b',
      'line a',
      '12→line b',
    ].join('\n'),
  );
});

it('what stands around a run, and a second run, stay what they are', () => {
  const text = `cat -n a.ts\n${numbered(letters(4), 98)}\n\n${numbered(letters(3), 7, '\t')}\nthe end`;
  const thin = withEveryTenthNumber(text);
  expect(thin?.split('\n')).toEqual([
    '[ctx: every tenth line is numbered]',
    'cat -n a.ts',
    '98→line a',
    'line b',
    '100→line a',
    '101→line b',
    '',
    '7\tline a',
    'line b',
    '9\tline a',
    'the end',
  ]);
  expect(withEveryNumber(thin ?? '')).toBe(text);
});

it.each([
  ['without numbers', 'one\ntwo\nthree\nfour'],
  ['with a run of two lines', numbered(['one', 'two'])],
  ['whose numbers do not follow each other', '     1→a\n     3→b\n     5→c\n     7→d'],
  ['whose numbers fill their column', numbered(letters(5), 100_000)],
  ['whose numbers stand at the beginning', '1→a\n2→b\n3→c\n4→d'],
  ['whose numbers begin with a zero', '   001→a\n   002→b\n   003→c'],
  ['that is empty', ''],
])('a text %s stays as it is', (_name, text) => {
  expect(withEveryTenthNumber(text)).toBeUndefined();
  expect(withEveryNumber(text)).toBe(text);
});

it('a file that looks as if it bore the numbers that are left out keeps them all', () => {
  const text = numbered(['a', '2→b', 'c', 'd']);
  const thin = withEveryTenthNumber(text);
  expect(thin === undefined || withEveryNumber(thin) === text).toBe(true);
  expect(withEveryTenthNumber(numbered(['a', 'b', '4→c', 'd', 'e'], 2))).toBeUndefined();
});

it('a text that begins with the notice comes back, too', () => {
  const text = `[ctx: every tenth line is numbered]\n${numbered(letters(30))}`;
  expect(withEveryNumber(withEveryTenthNumber(text) ?? '')).toBe(text);
});

it('random texts of numbered runs and of anything that looks like them come back byte for byte', () => {
  const mark = fc.constantFrom('→', '\t');
  const content = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      'x',
      '}',
      '1→x',
      '2→',
      '10\ty',
      '     3→z',
      '[ctx: every tenth line is numbered]',
      'a\r',
    ),
    fc.string({ maxLength: 12 }).filter((text) => !text.includes('\n')),
  );
  const run = fc
    .tuple(fc.array(content, { maxLength: 35 }), fc.integer({ min: 1, max: 100_010 }), mark)
    .map(([lines, first, sign]) => numbered(lines, first, sign));
  let thinned = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(run, content), { maxLength: 6 }), (parts) => {
      const text = parts.join('\n');
      const thin = withEveryTenthNumber(text);
      if (thin === undefined) return;
      thinned += 1;
      expect(withEveryNumber(thin)).toBe(text);
    }),
    { numRuns: 2000 },
  );
  expect(thinned).toBeGreaterThan(500);
});

it('work grows with the text alone', () => {
  const thin = withEveryTenthNumber(numbered(letters(99_000)));
  expect(thin?.split('\n')).toHaveLength(99_001);
  const trap = '9→x\n'.repeat(50_000);
  expect(withEveryNumber(`[ctx: every tenth line is numbered]\n${trap}`)).toContain('9→x');
});
