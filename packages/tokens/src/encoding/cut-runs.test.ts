import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findCut } from './cut-runs.ts';

const limits = { runBytes: 64, sliceLength: 200 };

function slicesOf(text: string): string[] {
  const slices: string[] = [];
  for (let start = 0; start < text.length; ) {
    const { end } = findCut(text, start, limits);
    slices.push(text.slice(start, end));
    start = end;
  }
  return slices;
}

const part = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .constantFrom('a', ' ', '\n', '!', '中', '😀', '\u0301', '/\n')
    .chain((unit) => fc.nat(300).map((times) => unit.repeat(times))),
);

test('slices join to the text, keep pairs whole and stay under the hard end', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
      const text = parts.join('');
      const slices = slicesOf(text);
      expect(slices.join('')).toBe(text);
      for (const slice of slices)
        expect(slice.length).toBeLessThanOrEqual(2 * limits.sliceLength + 1);
      const halves = slices.map((slice) => slice.charCodeAt(slice.length - 1) & 0xfc00);
      const isSplit = slices.some(
        (_, index) =>
          halves[index] === 0xd800 && ((slices[index + 1] ?? '').charCodeAt(0) & 0xfc00) === 0xdc00,
      );
      expect(isSplit).toBe(false);
    }),
  );
});

test('a short text is one slice and needs no mending', () => {
  expect(findCut('plain words', 0)).toEqual({ end: 11, insideRun: false });
});

test('a run over the limit is cut inside, one at the limit is not', () => {
  expect(findCut('a'.repeat(65), 0, limits)).toEqual({ end: 64, insideRun: true });
  expect(findCut('a'.repeat(64), 0, limits)).toEqual({ end: 64, insideRun: false });
});

test('a long text of words ends before the white space of the next word', () => {
  expect(findCut('word '.repeat(100), 0, limits)).toEqual({ end: 204, insideRun: false });
});

test('digits never make a run, since the patterns take them by three', () => {
  expect(findCut('7'.repeat(199), 0, limits)).toEqual({ end: 199, insideRun: false });
});
