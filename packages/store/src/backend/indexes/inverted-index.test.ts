import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInvertedIndex } from './inverted-index.ts';

const fields = [
  { name: 'title', weight: 4 },
  { name: 'text', weight: 1 },
];
const idsFound = (index: ReturnType<typeof createInvertedIndex>, words: readonly string[]) =>
  index.search({ equal: ['t'], words, limit: 1000 }).map((hit) => hit.key[1]);

describe('createInvertedIndex', () => {
  it('finds what a plain list finds, whatever is added and removed', () => {
    const word = fc.constantFrom('red', 'blue', 'green', 'red blue', 'blue blue green');
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.record({ id, text: fc.option(word), query: fc.constantFrom('red', 'blue') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const index = createInvertedIndex(fields);
        const model = new Map<string, string>();
        for (const { id: name, text, query } of steps) {
          index.remove(['t', name]);
          model.delete(name);
          if (text !== null) index.add(['t', name], { text });
          if (text !== null) model.set(name, text);
          const expected = [...model].filter(([, held]) => held.split(' ').includes(query));
          expect(idsFound(index, [query]).sort()).toEqual(expected.map(([key]) => key).sort());
        }
      }),
    );
  });

  it('scores one word in one of two records as BM25 does by hand', () => {
    const index = createInvertedIndex(fields);
    index.add(['t', 'a'], { text: 'red blue' });
    index.add(['t', 'b'], { text: 'blue blue' });
    // ln(1 + 1.5 / 1.5) · 1 · 2.2 / (1 + 1.2 · 1) = ln 2.
    expect(index.search({ equal: ['t'], words: ['red'], limit: 10 })[0]?.score).toBeCloseTo(
      Math.LN2,
      12,
    );
  });

  it('takes fields that are not declared for nothing', () => {
    const index = createInvertedIndex(fields);
    index.add(['t', 'a'], { other: 'red', text: '' });
    expect(idsFound(index, ['red', ''])).toEqual([]);
  });
});
