import { expect, test } from 'vitest';
import { rememberCounts } from './remember-counts.ts';

/** A counter that tells what it was asked. */
function asked(): { readonly texts: string[]; readonly count: (text: string) => number } {
  const texts: string[] = [];
  return {
    texts,
    count: (text) => {
      texts.push(text);
      return text.length;
    },
  };
}

test('a long text is counted once, and each text gets its own count', () => {
  const { texts, count } = asked();
  const remembering = rememberCounts(count);
  const [one, other] = ['a'.repeat(500), 'b'.repeat(501)];
  expect([one, other, one, other].map(remembering)).toEqual([500, 501, 500, 501]);
  expect(texts).toEqual([one, other]);
});

test('what is remembered stays bounded', () => {
  const { texts, count } = asked();
  const remembering = rememberCounts(count, 1_000);
  const [one, other, third] = ['a', 'b', 'c'].map((sign) => sign.repeat(400));
  for (const text of [one, other, third, one]) remembering(text ?? '');
  expect(texts).toEqual([one, other, third, one]);
});
