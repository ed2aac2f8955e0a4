import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPostings } from './postings.ts';

describe('postings', () => {
  it('gives back each list as it was added, however the lists were mixed', () => {
    const entries = fc.array(fc.tuple(fc.nat(40), fc.nat(2 ** 32 - 1)), { maxLength: 3_000 });
    fc.assert(
      fc.property(entries, (added) => {
        const postings = createPostings();
        const expected = new Map<number, number[]>();
        for (const [term, value] of added) {
          postings.append(term, value);
          expected.set(term, [...(expected.get(term) ?? []), value]);
        }
        for (let term = 0; term <= 40; term++) {
          const list = new Uint32Array(postings.count(term));
          expect(postings.read(term, list)).toBe(list.length);
          expect([...list]).toEqual(expected.get(term) ?? []);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('holds lists that are longer than a page', () => {
    const postings = createPostings();
    for (let value = 0; value < 200_000; value++) postings.append(value % 2, value);
    const list = new Uint32Array(postings.count(1));
    postings.read(1, list);
    expect(list.length).toBe(100_000);
    expect(list.every((value, index) => value === 2 * index + 1)).toBe(true);
  });

  it('takes terms far beyond those it knows', () => {
    const postings = createPostings();
    postings.append(100_000, 7);
    expect(postings.count(100_000)).toBe(1);
    expect(postings.count(99_999)).toBe(0);
    expect(postings.count(1_000_000)).toBe(0);
  });
});
