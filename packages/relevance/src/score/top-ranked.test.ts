import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highestScores } from './top-ranked.ts';

describe('highestScores', () => {
  it('gives what sorting everything would', () => {
    const scores = fc.array(fc.integer({ min: -1, max: 9 }), { maxLength: 200 });
    fc.assert(
      fc.property(scores, fc.nat(30), (values, limit) => {
        const sorted = values
          .map((score, position) => ({ score, position }))
          .filter(({ score }) => score >= 0)
          .sort((a, b) => b.score - a.score || b.position - a.position)
          .slice(0, limit)
          .map(({ position }) => position);
        expect(highestScores(Float64Array.from(values), limit, (a, b) => a > b)).toEqual(sorted);
      }),
    );
  });
});
