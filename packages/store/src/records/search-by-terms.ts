import { CtxError } from '@ctx/core';
import { searchTerms } from '@ctx/relevance';
import type { RecordKey, SearchHit } from '../backend/store-backend.ts';
import type { CollectionAccess } from './collection-access.ts';

/**
 * What a hit holds of a query: `all` of its words and phrases; all of its `words`, but not the phrases as they are quoted; or only
 * `some` of the words.
 */
export type SearchMatch = 'all' | 'words' | 'some';

/** A record that was found. */
export interface FoundRecord {
  readonly key: RecordKey;
  readonly score: number;
  readonly match: SearchMatch;
}

/** What is searched. */
export interface TermSearch {
  readonly collection: CollectionAccess;
  readonly equal?: readonly string[];
  readonly text: string;
  readonly limit: number;
  /** Those of the records found that are wanted, in their order. Default: all. The first few come with their records, if the backend can. */
  readonly keep?: (hits: readonly SearchHit[]) => Promise<readonly boolean[]>;
  /** The texts of a record, in which phrases are looked for. */
  readonly textsOf: (key: RecordKey) => Promise<readonly string[]>;
}

type SearchTerms = ReturnType<typeof searchTerms>;

/** Most matches of one kind that are looked at. */
const mostCandidates = 1000;

type Candidate = SearchHit;

interface Candidates {
  readonly hits: readonly Candidate[];
  readonly isComplete: boolean;
}

interface CandidateQuery {
  readonly words: readonly string[];
  readonly every: boolean;
  /** So many matches are looked at. */
  readonly limit: number;
  /** So many that are wanted suffice. */
  readonly enough: number;
}

/** The best matches that are wanted. Most matches are: few are looked at first, and all that may be only where those do not suffice. */
async function candidatesOf(
  { collection, equal = [], keep }: TermSearch,
  { limit, enough, ...query }: CandidateQuery,
): Promise<Candidates> {
  const look = async (most: number): Promise<Candidates> => {
    const whole = keep !== undefined && most <= enough + 1;
    const hits = await collection.search({ equal, ...query, limit: most, whole });
    const wanted = await keep?.(hits);
    return {
      hits: wanted === undefined ? hits : hits.filter((_, at) => wanted[at] === true),
      isComplete: hits.length < most,
    };
  };
  const first = await look(Math.min(enough + 1, limit));
  return first.isComplete || first.hits.length >= enough || enough >= limit ? first : look(limit);
}

interface Quoted {
  readonly found: readonly Candidate[];
  /** Whether all candidates were looked at. */
  readonly isComplete: boolean;
}

/** The candidates that hold every phrase; one more than wanted at most. One after the other: texts may be large. */
async function quotedAmong(
  { textsOf, limit }: TermSearch,
  { phrases }: SearchTerms,
  candidates: readonly Candidate[],
): Promise<Quoted> {
  const found: Candidate[] = [];
  for (const candidate of candidates) {
    const texts = await textsOf(candidate.key);
    const isHeld = phrases.every(({ find }) => texts.some((text) => find(text) !== undefined));
    if (isHeld) found.push(candidate);
    if (found.length > limit) return { found, isComplete: false };
  }
  return { found, isComplete: true };
}

const nameOf = ({ key }: Candidate): string => JSON.stringify(key);

/** Matches of the words alone: those that hold all, then those that hold some. */
async function wordMatches(
  search: TermSearch,
  terms: SearchTerms,
  all: Candidates,
): Promise<{ found: FoundRecord[]; isComplete: boolean }> {
  const match = terms.phrases.length > 0 ? ('words' as const) : ('all' as const);
  const first = all.hits.map(({ key, score }) => ({ key, score, match }));
  if (terms.words.length < 2 || first.length > search.limit) {
    return { found: first, isComplete: all.isComplete };
  }
  const known = new Set(all.hits.map(nameOf));
  const enough = search.limit + known.size + 1;
  const limit = search.keep === undefined ? enough : Math.max(enough, mostCandidates);
  const { words } = terms;
  const some = await candidatesOf(search, { words, every: false, limit, enough });
  const others = some.hits.filter((hit) => !known.has(nameOf(hit)));
  const rest = others.map((hit) => ({ ...hit, match: 'some' as const }));
  return { found: [...first, ...rest], isComplete: all.isComplete && some.isComplete };
}

/**
 * Finds records by the words and phrases of a query: those that hold all of them first, best first. Records that hold only the words of
 * a phrase, or only some of the words, follow; a query with phrases gives those only where no record holds the phrases.
 * @throws `CTX_INVALID_INPUT` where nothing is searched for.
 */
export async function searchByTerms(
  search: TermSearch,
): Promise<{ found: readonly FoundRecord[]; isComplete: boolean }> {
  if (typeof search.text !== 'string') {
    throw new CtxError('CTX_INVALID_INPUT', 'text must be a text');
  }
  const terms = searchTerms(search.text);
  const { limit } = search;
  if (terms.words.length === 0) return { found: [], isComplete: true };
  const isSifted = search.keep !== undefined || terms.phrases.length > 0;
  const most = isSifted ? Math.max(limit + 1, mostCandidates) : limit + 1;
  const enough = terms.phrases.length > 0 ? most : limit + 1;
  const { words } = terms;
  const all = await candidatesOf(search, { words, every: true, limit: most, enough });
  const cut = (found: readonly FoundRecord[], isComplete: boolean) => ({
    found: found.slice(0, limit),
    isComplete: isComplete && found.length <= limit,
  });
  if (terms.phrases.length > 0) {
    const { found, isComplete } = await quotedAmong(search, terms, all.hits);
    const matches = found.map((hit) => ({ ...hit, match: 'all' as const }));
    if (matches.length > 0) return cut(matches, isComplete && all.isComplete);
  }
  const { found, isComplete } = await wordMatches(search, terms, all);
  return cut(found, isComplete);
}
