import type {
  RankedDocument,
  RelevanceDocument,
  RelevanceQuery,
} from '../index/relevance-document.ts';
import { createRelevanceIndex } from '../index/relevance-index.ts';
import type { RelevancePolicy } from '../select/relevance-policy.ts';
import type { ScoreOptions } from './score-contents.ts';

export interface CandidateOptions extends ScoreOptions {
  readonly policy?: Partial<RelevancePolicy>;
}

/**
 * Scores a few documents by the same formula as an index, for a store whose backend has found them: the hits of its full-text
 * search and the newest outputs. With `searchScores` no candidate needs a body; without, word statistics come from the candidates.
 * Give `query.sequence` and `query.turn`, so that age counts from the session's end; activity counts what is given.
 * Makes one pass over the candidates' text.
 */
export function scoreCandidates(
  candidates: readonly RelevanceDocument[],
  query: RelevanceQuery,
  { policy = {}, ...options }: CandidateOptions = {},
): RankedDocument[] {
  const index = createRelevanceIndex({ policy, maxDocuments: Math.max(1, candidates.length) });
  for (const candidate of candidates) index.add(candidate);
  return index.score(query, { limit: candidates.length, ...options });
}
