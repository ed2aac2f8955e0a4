import { describe, expect, it } from 'vitest';
import { createRelevanceIndex } from '../index/relevance-index.ts';
import { scoreCandidates } from './score-candidates.ts';

const documents = [
  {
    id: 'a',
    args: 'src/red.ts',
    body: 'red paint',
    path: 'src/red.ts',
    access: 'read' as const,
    sequence: 0,
  },
  {
    id: 'b',
    args: 'src/blue.ts',
    body: 'blue paint',
    path: 'src/blue.ts',
    access: 'edit' as const,
    sequence: 1,
  },
];

describe('scoreCandidates', () => {
  it('scores as an index of the same documents does', () => {
    const index = createRelevanceIndex();
    for (const document of documents) index.add(document);
    const query = { text: 'red paint in blue.ts', sequence: 5 };
    expect(scoreCandidates(documents, query)).toEqual(index.score(query));
  });

  it('needs no bodies where the backend has scored them', () => {
    const light = documents.map(({ body: _body, ...document }) => document);
    const searchScores = new Map([
      ['a', 3],
      ['b', 1.5],
    ]);
    const ranked = scoreCandidates(light, { text: 'paint' }, { searchScores });
    expect(ranked.map(({ id, parts }) => [id, parts.text])).toEqual([
      ['a', 0.5],
      ['b', 0.25],
    ]);
  });

  it('gives nothing for no candidates', () => {
    expect(scoreCandidates([], { text: 'red' })).toEqual([]);
  });
});
