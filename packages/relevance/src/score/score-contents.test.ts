import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDocument, emptyContents, type IndexContents } from '../index/index-contents.ts';
import type { RelevanceDocument } from '../index/relevance-document.ts';
import { type RelevancePolicy, relevancePolicy } from '../select/relevance-policy.ts';
import { queryTerms } from '../words/query-terms.ts';
import { queryWords } from '../words/query-words.ts';
import { bestByBounds } from './rank-by-bounds.ts';
import { type ScoreOptions, scoreContents } from './score-contents.ts';
import { scoreFormula } from './score-formula.ts';
import { structureScores } from './structure-scores.ts';
import { fieldScores } from './text-scores.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

/** Numbers in [0, 1), the same for the same seed (a linear congruential generator). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Corpus {
  readonly seed: number;
  readonly size: number;
  readonly vocabulary: number;
  /** Chance of each thing a document may have or be. */
  readonly share: number;
  readonly isOrdered: boolean;
}

/** Words are the rarer the higher their number. */
function wordsOf({ vocabulary }: Corpus, count: number, random: () => number): string {
  const word = (): string => `w${Math.floor(vocabulary * random() ** 3)}x`;
  return Array.from({ length: count }, word).join(' ');
}

function documentsOf(corpus: Corpus): RelevanceDocument[] {
  const random = seeded(corpus.seed);
  const has = (): boolean => random() < corpus.share;
  return Array.from({ length: corpus.size }, (_, number) => {
    const sequence = corpus.isOrdered ? number : Math.floor(random() * corpus.size);
    const access = random() < 0.5 ? 'read' : 'edit';
    const path = `src/w${Math.floor(random() * 9)}x/w${Math.floor(random() * 30)}x.ts`;
    return {
      id: String(number),
      body: wordsOf(corpus, Math.floor(random() * 40), random),
      ...(has() ? { args: wordsOf(corpus, Math.floor(random() * 4), random) } : {}),
      ...(has() ? { title: wordsOf(corpus, 2, random) } : {}),
      ...(has() ? { path, access, isFileRead: access === 'read' } : {}),
      ...(corpus.isOrdered || has() ? { sequence } : {}),
      ...(has() ? { turn: Math.floor(sequence / 3) } : {}),
    };
  });
}

function contentsOf(corpus: Corpus, policy: RelevancePolicy): IndexContents {
  const contents = emptyContents();
  for (const document of documentsOf(corpus)) addDocument(contents, document, policy);
  return contents;
}

const corpora: fc.Arbitrary<Corpus> = fc.record({
  seed: fc.integer(),
  size: fc.integer({ min: 0, max: 700 }),
  vocabulary: fc.constantFrom(3, 40, 400),
  share: fc.constantFrom(0, 0.2, 1),
  isOrdered: fc.boolean(),
});

const policies: fc.Arbitrary<Partial<RelevancePolicy>> = fc.record(
  {
    textWeight: fc.constantFrom(0, 0.1, 5, 1e200),
    argsWeight: fc.constantFrom(0, 3),
    titleWeight: fc.constantFrom(0, 2),
    fileReadWeight: fc.constantFrom(0, 4),
    k1: fc.constantFrom(0, 0.4, 20),
    bodyLengthShare: fc.constantFrom(0, 1),
  },
  { requiredKeys: [] },
);

const removals: fc.Arbitrary<(id: string) => boolean> = fc
  .constantFrom(0, 0, 3, 10)
  .map((every) => (id) => every > 0 && Number(id) % every === 0);

describe('bounded ranking', () => {
  it('gives the same documents, scores and parts as scoring everything, to the last bit', () => {
    fc.assert(
      fc.property(
        fc.record({
          corpus: corpora,
          changes: policies,
          isRemoved: removals,
          isRefused: removals,
          limit: fc.integer({ min: 0, max: 12 }),
          words: fc.integer({ min: 0, max: 15 }),
          history: fc.boolean(),
        }),
        ({ corpus, changes, isRemoved, isRefused, limit, words, history }) => {
          const policy = relevancePolicy(changes);
          const contents = contentsOf(corpus, policy);
          for (let number = 0; number < corpus.size; number++) {
            if (isRemoved(String(number))) contents.documents.remove(String(number));
          }
          const random = seeded(corpus.seed + 1);
          const query = {
            text: wordsOf(corpus, words, random),
            ...(history ? { history: [wordsOf(corpus, 5, random)] } : {}),
          };
          const options: ScoreOptions = { limit, accept: (id) => !isRefused(id) };
          const all = { contents, policy, boundsFrom: Number.POSITIVE_INFINITY };
          const bounded = { contents, policy, boundsFrom: 0 };
          expect(scoreContents(bounded, query, options)).toEqual(
            scoreContents(all, query, options),
          );
        },
      ),
      { numRuns: 150 * share },
    );
  });

  it('scores few of many documents, and still answers where all are as good as each other', () => {
    const policy = relevancePolicy();
    const best = (contents: IndexContents, text: string): ReturnType<typeof bestByBounds> => {
      const words = queryTerms(contents, queryWords({ text }, policy), policy);
      const fields = fieldScores({ words, policy });
      const structure = structureScores({ ...contents, policy }, { text });
      return bestByBounds({
        words,
        policy,
        fields,
        formulaOf: (mostText) => scoreFormula({ policy, fields, structure }, mostText),
        leaveOut: () => undefined,
        limit: 5,
      });
    };
    const corpus = { seed: 7, size: 5_000, vocabulary: 2_000, share: 0.3, isOrdered: true };
    const various = best(contentsOf(corpus, policy), 'w0x w1x w2x w3x w90x w1500x');
    expect(various?.ordinals.length).toBeGreaterThanOrEqual(5);
    expect(various?.ordinals.length).toBeLessThan(100);

    const equals = emptyContents();
    for (let number = 0; number < 5_000; number++) {
      addDocument(equals, { id: String(number), body: 'equal words' }, policy);
    }
    expect(best(equals, 'equal')).toBeUndefined();
    const answer = scoreContents({ contents: equals, policy }, { text: 'equal' }, { limit: 2 });
    expect(answer.map(({ id, parts }) => [id, parts.text])).toEqual([
      ['4999', 0.5],
      ['4998', 0.5],
    ]);
  });
});
