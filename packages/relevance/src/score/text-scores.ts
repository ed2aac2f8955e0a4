import { countOf, ordinalOf } from '../index/field-index.ts';
import type { PostingRun } from '../index/postings.ts';
import { seekPostings } from '../index/seek-posting.ts';
import type { RelevancePolicy } from '../select/relevance-policy.ts';
import type { FieldCounts, QueryTerm, QueryTerms } from '../words/query-terms.ts';
import { saturate } from './bm25.ts';

/** BM25 of each document by ordinal, 0 where no word matches and for removed documents. */
export interface FieldScores {
  /** Over the arguments alone; left out where no word matches any. */
  readonly args?: Float64Array;
  readonly title?: Float64Array;
}

/**
 * BM25F over arguments and body of all documents by ordinal.
 * Takes time in proportion to the postings of the words, and one number for each document.
 */
export function textScores(counting: Counting): Float64Array {
  const { words } = counting;
  const scores = new Float64Array(words.bodyNorms.length);
  for (const term of words.terms) addTerm(scores, term, counting);
  return scores;
}

/** The scores of the short fields. Costs as much as {@link textScores}, for what these fields hold. */
export function fieldScores({ words, policy: { k1 } }: Counting): FieldScores {
  const { terms, argsNorm, titleNorm, bodyNorms } = words;
  const scoresOf = (
    fieldOf: (term: QueryTerm) => FieldCounts,
    norm: (ordinal: number) => number,
  ): Float64Array | undefined => {
    if (terms.every((term) => fieldOf(term).ordinals.length === 0)) return undefined;
    const scores = new Float64Array(bodyNorms.length);
    for (const term of terms) addField(scores, fieldOf(term), { norm, k1 });
    return scores;
  };
  const args = scoresOf((term) => term.args, argsNorm);
  const title = scoresOf((term) => term.title, titleNorm);
  return {
    ...(args === undefined ? {} : { args }),
    ...(title === undefined ? {} : { title }),
  };
}

function addField(
  scores: Float64Array,
  { ordinals, counts, weight }: FieldCounts,
  by: { readonly norm: (ordinal: number) => number; readonly k1: number },
): void {
  for (let index = 0; index < ordinals.length; index++) {
    const ordinal = ordinals[index] ?? 0;
    const count = (counts[index] ?? 0) / by.norm(ordinal);
    scores[ordinal] = (scores[ordinal] ?? 0) + weight * saturate(count, by.k1);
  }
}

/** What the words of a prompt count by. */
export interface Counting {
  readonly words: QueryTerms;
  readonly policy: RelevancePolicy;
}

/** Adds what one word is worth to each document. Makes one pass over its postings. */
export function addTerm(scores: Float64Array, term: QueryTerm, counting: Counting): void {
  const { bodyNorms } = counting.words;
  const { k1 } = counting.policy;
  const { weight, args } = term;
  // Where the arguments hold the word too, both counts are saturated together, below.
  const before = Float64Array.from(args.ordinals, (ordinal) => scores[ordinal] ?? 0);
  for (const run of term.body) addRun(scores, run, { weight, k1, bodyNorms });
  for (let index = 0; index < args.ordinals.length; index++) {
    const ordinal = args.ordinals[index] ?? 0;
    const counts = { body: term.argsInBody[index] ?? 0, args: args.counts[index] ?? 0 };
    scores[ordinal] = (before[index] ?? 0) + worthOf({ term, ordinal, ...counts }, counting);
  }
}

interface RunScoring {
  readonly weight: number;
  readonly k1: number;
  readonly bodyNorms: Float64Array;
}

function addRun(
  scores: Float64Array,
  { cells, from, to }: PostingRun,
  { weight, k1, bodyNorms }: RunScoring,
): void {
  for (let cell = from; cell < to; cell++) {
    const posting = cells[cell] ?? 0;
    const ordinal = ordinalOf(posting);
    const count = countOf(posting) / (bodyNorms[ordinal] ?? 1);
    scores[ordinal] = (scores[ordinal] ?? 0) + weight * saturate(count, k1);
  }
}

interface Occurrence {
  readonly term: QueryTerm;
  readonly ordinal: number;
  readonly body: number;
  readonly args: number;
}

/** What a word is worth in one document. */
function worthOf({ term, ordinal, body, args }: Occurrence, { words, policy }: Counting): number {
  const inBody = body === 0 ? 0 : body / (words.bodyNorms[ordinal] ?? 1);
  const inArgs = args === 0 ? 0 : (policy.argsBoost * args) / words.argsNorm(ordinal);
  return term.weight * saturate(inBody + inArgs, policy.k1);
}

/**
 * The same scores as `textScores` gives, to the last bit, of a few documents in rising order.
 * Costs one search in the postings of each word for each document.
 */
export function textScoresOf(ordinals: Uint32Array, counting: Counting): Float64Array {
  const scores = new Float64Array(ordinals.length);
  for (const term of counting.words.terms) {
    const seekBody = seekPostings(term.body);
    let next = 0;
    for (let index = 0; index < ordinals.length; index++) {
      const ordinal = ordinals[index] ?? 0;
      while ((term.args.ordinals[next] ?? Number.POSITIVE_INFINITY) < ordinal) next++;
      const args = term.args.ordinals[next] === ordinal ? (term.args.counts[next] ?? 0) : 0;
      const worth = worthOf({ term, ordinal, body: seekBody(ordinal), args }, counting);
      scores[index] = (scores[index] ?? 0) + worth;
    }
  }
  return scores;
}
