import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFieldIndex } from './field-index.ts';
import { seekPostings } from './seek-posting.ts';

describe('seekPostings', () => {
  it('gives the count of each document asked for in rising order, 0 where the word is not', () => {
    const list = fc.uniqueArray(fc.nat(4_000), { maxLength: 3_000 });
    fc.assert(
      fc.property(list, fc.uniqueArray(fc.nat(4_100)), (held, asked) => {
        const index = createFieldIndex();
        const counts = new Map(held.sort((a, b) => a - b).map((at) => [at, 1 + (at % 3)]));
        for (const [ordinal, count] of counts) {
          index.add(
            'body',
            ordinal,
            Array.from({ length: count }, () => 'word'),
          );
        }
        const seek = seekPostings(index.fields.body.runs(index.termOf('word') ?? 0));
        for (const ordinal of asked.sort((a, b) => a - b)) {
          expect(seek(ordinal)).toBe(counts.get(ordinal) ?? 0);
        }
      }),
      { numRuns: 30 },
    );
  });
});
