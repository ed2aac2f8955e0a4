import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuseScores } from './fuse-scores.ts';

const bestOf = (scores: ReadonlyMap<string, number>): string | undefined =>
  [...scores].sort(([, one], [, other]) => other - one)[0]?.[0];

it('one word of many does not stand above what means the same', () => {
  const facts = [
    { name: 'word', score: 3, evidence: 0.25, cosine: 0.2 },
    { name: 'meaning', score: 0, evidence: 0, cosine: 0.7 },
  ];
  expect(bestOf(fuseScores(facts))).toBe('meaning');
});

it('a fact that holds all words stands above one that is a little closer', () => {
  const facts = [
    { name: 'words', score: 9, evidence: 1, cosine: 0.5 },
    { name: 'meaning', score: 0, evidence: 0, cosine: 0.8 },
  ];
  expect(bestOf(fuseScores(facts))).toBe('words');
});

it('scores lie between 0 and 1, and without vectors in the order of the words', () => {
  const fact = fc.record({
    name: fc.uuid(),
    score: fc.float({ min: 0, max: 50, noNaN: true }),
    evidence: fc.float({ min: 0, max: 1, noNaN: true }),
    cosine: fc.option(fc.float({ min: -1, max: 1, noNaN: true }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.uniqueArray(fact, { selector: ({ name }) => name }), (facts) => {
      for (const score of fuseScores(facts).values()) {
        expect(score >= 0 && score <= 1).toBe(true);
      }
      const worded = facts.map(({ cosine: _, ...words }) => words);
      const scores = fuseScores(worded);
      for (const one of worded) {
        for (const other of worded) {
          if (one.score < other.score) {
            expect(scores.get(one.name)).toBeLessThanOrEqual(scores.get(other.name) ?? -1);
          }
        }
      }
    }),
  );
});
