import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signAutomaton } from './character-automaton.ts';

const words = ['he', 'she', 'his', 'hers', 'usher-', 'a_b', '://', 'aab', 'aaab'];
const bits = new Map(words.map((word, place) => [word, 1 << place]));

function bitsByLooking(text: string): number {
  const small = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return words.reduce(
    (seen, word, place) => (small.includes(word) ? seen | (1 << place) : seen),
    0,
  );
}

test('finds just the words that stand in a text, in any case', () => {
  const { find } = signAutomaton(bits);
  const part = fc.constantFrom(...words, 'h', 'S', 'HE', 'aA', 'ü', '漢', '\ud800', 'K', ' ', '\n');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      expect(find(text)).toBe(bitsByLooking(text));
      const long = `${text}${'x'.repeat(300)}${text}`;
      expect(find(long)).toBe(bitsByLooking(long));
    }),
  );
});

test('finds a word wherever a long text is cut into parts', () => {
  const { find } = signAutomaton(bits);
  for (const at of [16_380, 16_381, 16_382, 16_383, 16_384, 16_385, 32_766]) {
    expect(find(`${'x'.repeat(at)}usher-${'x'.repeat(100)}`)).toBe(bitsByLooking('usher-'));
  }
});

test('words that share a bit are one', () => {
  const { find } = signAutomaton(
    new Map([
      ['one', 1],
      ['two', 1],
      ['three', 2],
    ]),
  );
  expect([find('one'), find('TWO'), find('three one'), find('four')]).toEqual([1, 1, 3, 0]);
});
