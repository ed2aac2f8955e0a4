import type { QueryTerm } from '../words/query-terms.ts';
import { addTerm, type Counting } from './text-scores.ts';

/**
 * Counts the words of a prompt one after the other, those that can add most first, so that a caller can stop as soon as
 * the rest cannot change its answer.
 */
export interface TextWalk {
  /** BM25F of the words counted so far, by ordinal. Never more than the whole, but for rounding. */
  readonly partial: Float64Array;
  /** No document gets more than this from the words that are left. */
  rest(): number;
  /** Postings of the words that are left. */
  restPostings(): number;
  /** Postings of all words. */
  readonly postings: number;
  isDone(): boolean;
  /** Whether counting the next word costs less than looking for an answer, which is a pass over the documents. */
  isNextCheap(): boolean;
  /** Counts the next word. */
  step(): void;
}

/** A word is cheap that has fewer postings than this share of the documents. */
const cheapShare = 0.125;

/** Begins with no word counted. */
export function walkText(counting: Counting): TextWalk {
  const terms = [...counting.words.terms].sort((a, b) => b.bound - a.bound);
  const partial = new Float64Array(counting.words.bodyNorms.length);
  const all = left(terms);
  let next = 0;
  let rest = all;
  return {
    partial,
    rest: () => rest.bound,
    restPostings: () => rest.postings,
    postings: all.postings,
    isDone: () => next >= terms.length,
    isNextCheap: () => (terms[next]?.bodyLength ?? 0) < partial.length * cheapShare,
    step: () => {
      const term = terms[next];
      if (term !== undefined) addTerm(partial, term, counting);
      next++;
      rest = left(terms.slice(next));
    },
  };
}

interface Left {
  readonly bound: number;
  readonly postings: number;
}

function left(terms: readonly QueryTerm[]): Left {
  return {
    bound: terms.reduce((sum, term) => sum + term.bound, 0),
    postings: terms.reduce((sum, term) => sum + term.bodyLength, 0),
  };
}
