import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findPattern } from './find-pattern.ts';

const ten = Array.from({ length: 10 }, (_, index) => `line ${String(index + 1)}`).join('\n');

test('gives the lines with their numbers and the lines around them', () => {
  expect(findPattern(ten, { pattern: 'line 2', contextLines: 1 })).toEqual({
    matches: [{ line: 2, text: 'line 2', before: ['line 1'], after: ['line 3'] }],
    totalMatches: 1,
  });
  expect(findPattern(ten, { pattern: 'line 10' }).matches).toEqual([
    { line: 10, text: 'line 10', before: ['line 8', 'line 9'], after: [] },
  ]);
  expect(findPattern(ten, { pattern: 'x' })).toEqual({ matches: [], totalMatches: 0 });
});

test('takes the pattern literally unless told otherwise', () => {
  expect(findPattern('a.b\naxb', { pattern: 'a.b' }).totalMatches).toBe(1);
  expect(findPattern('a.b\naxb', { pattern: 'a.b', regex: true }).totalMatches).toBe(2);
  expect(findPattern('Foo', { pattern: 'fOO' }).totalMatches).toBe(0);
  expect(findPattern('Foo', { pattern: 'fOO', ignoreCase: true }).totalMatches).toBe(1);
  expect(findPattern('Foo', { pattern: '^f', ignoreCase: true, regex: true }).totalMatches).toBe(1);
});

test('pages by number of matches and goes on behind the last one', () => {
  const first = findPattern(ten, { pattern: 'line', limit: 4, contextLines: 0 });
  expect(first.matches.map((match) => match.line)).toEqual([1, 2, 3, 4]);
  expect([first.totalMatches, first.nextAfter]).toEqual([10, 4]);
  const rest = findPattern(ten, { pattern: 'line', after: 4, contextLines: 0 });
  expect(rest.matches.map((match) => match.line)).toEqual([5, 6, 7, 8, 9, 10]);
  expect(rest).not.toHaveProperty('nextAfter');
});

test('pages by characters', () => {
  const answer = findPattern(ten, { pattern: 'line', contextLines: 0, maxCharacters: 15 });
  expect(answer.matches.map((match) => match.text)).toEqual(['line 1', 'line 2']);
  expect(answer.nextAfter).toBe(2);
});

test('shows the part of a long line around the match', () => {
  const [match] = findPattern(`${'a'.repeat(5_000)}needle${'b'.repeat(5_000)}`, {
    pattern: 'needle',
  }).matches;
  expect(match?.text).toBe(`…${'a'.repeat(100)}needle${'b'.repeat(394)}…`);
  const [end] = findPattern(`${'a'.repeat(5_000)}needle`, { pattern: 'needle' }).matches;
  expect(end?.text).toBe(`…${'a'.repeat(494)}needle`);
});

test('says where in the text a match in a long line stands, and where that line matches again', () => {
  const line = `${'a'.repeat(20_000)}needle${'b'.repeat(5_000)}needle${'c'.repeat(9_000)}needle`;
  for (const options of [{ pattern: 'needle' }, { pattern: 'ne+dle', regex: true }]) {
    const [match] = findPattern(`first\n${line}\nlast`, options).matches;
    expect(match).toMatchObject({ line: 2, character: 20_007, again: [25_013, 34_019] });
  }
  expect(findPattern(line, { pattern: 'needle$', regex: true }).matches[0]?.character).toBe(34_013);
  expect(findPattern('a needle', { pattern: 'needle' }).matches[0]).not.toHaveProperty('character');
});

test('gives one match without its surroundings where that alone is too big', () => {
  const text = `${'x'.repeat(400)}\nneedle ${'y'.repeat(100)}\n${'z'.repeat(400)}`;
  expect(findPattern(text, { pattern: 'needle', maxCharacters: 10 }).matches).toEqual([
    { line: 2, text: 'needle yyy', before: [], after: [] },
  ]);
});

test('shows at most 20 lines on each side', () => {
  const many = Array.from({ length: 100 }, (_, index) => `row ${String(index)}`).join('\n');
  const [match] = findPattern(many, { pattern: 'row 50', contextLines: 1_000 }).matches;
  expect([match?.before.length, match?.after.length]).toEqual([20, 20]);
});

test.each([
  { pattern: '' },
  { pattern: '(', regex: true },
  { pattern: 'a', limit: 0 },
  { pattern: 'a', maxCharacters: 0 },
])('refuses %j', (options) => {
  expect(() => findPattern(ten, options)).toThrow(
    expect.objectContaining({ code: 'CTX_INVALID_ADDRESS' }),
  );
});

test('pages give every match once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('hit', 'miss', 'a hit here')),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 80 }),
      (lines, limit, maxCharacters) => {
        const seen: number[] = [];
        let after: number | undefined = 0;
        while (after !== undefined) {
          const page = findPattern(lines.join('\n'), {
            pattern: 'hit',
            limit,
            maxCharacters,
            after,
          });
          seen.push(...page.matches.map((match) => match.line));
          after = page.nextAfter;
        }
        const expected = lines.flatMap((line, index) => (line.includes('hit') ? [index + 1] : []));
        expect(seen).toEqual(expected);
      },
    ),
  );
});
