import type { DocumentColumns } from '../index/document-table.ts';
import type { IndexContents } from '../index/index-contents.ts';
import type { RankedDocument, RelevanceQuery } from '../index/relevance-document.ts';
import type { RelevancePolicy } from '../select/relevance-policy.ts';
import { type QueryTerms, queryTerms } from '../words/query-terms.ts';
import { queryWords } from '../words/query-words.ts';
import { bestByBounds } from './rank-by-bounds.ts';
import {
  addShare,
  type FormulaParts,
  type ScoreFormula,
  scoreFormula,
  wholeOf,
  withTitle,
} from './score-formula.ts';
import { structureScores } from './structure-scores.ts';
import { fieldScores, textScores } from './text-scores.ts';
import { highestScores } from './top-ranked.ts';

export interface ScoreOptions {
  /** Documents given. Default 50. */
  readonly limit?: number;
  /** Leaves out the documents for which it is false. They still count in the statistics and as activity. */
  readonly accept?: (id: string) => boolean;
  /** Scores of a backend's full-text search by id, in place of all BM25 but that of the arguments. */
  readonly searchScores?: ReadonlyMap<string, number>;
}

/** What is ranked. */
export interface ScoredContents {
  readonly contents: IndexContents;
  readonly policy: RelevancePolicy;
  /** From so many documents on, words that cannot change the best are not counted. Default 4,096. */
  readonly boundsFrom?: number;
}

const defaultBoundsFrom = 4_096;

/** Ranks what an index holds by the formula of {@link RelevancePolicy}. */
export function scoreContents(
  from: ScoredContents,
  query: RelevanceQuery,
  options: ScoreOptions,
): RankedDocument[] {
  const { contents, policy, boundsFrom = defaultBoundsFrom } = from;
  const words = queryTerms(contents, queryWords(query, policy), policy);
  const { args, title } = fieldScores({ words, policy });
  const hasTitle = title !== undefined && options.searchScores === undefined;
  const scoring: Scoring = {
    contents,
    words,
    policy,
    fields: { ...(args === undefined ? {} : { args }), ...(hasTitle ? { title } : {}) },
    structure: structureScores({ ...contents, policy }, query),
    options,
    limit: options.limit ?? 50,
  };
  const isBounded = options.searchScores === undefined && boundsPay(scoring, boundsFrom);
  return (isBounded ? rankBounded(scoring) : undefined) ?? rankAll(scoring);
}

/** Few documents are scored at once, and so are all where many are asked for. */
function boundsPay({ contents, limit }: Scoring, boundsFrom: number): boolean {
  const length = contents.documents.length();
  return length >= boundsFrom && limit * 16 <= Math.max(length, defaultBoundsFrom);
}

interface Scoring extends FormulaParts {
  readonly contents: IndexContents;
  readonly words: QueryTerms;
  readonly options: ScoreOptions;
  readonly limit: number;
}

/** Scores every document. */
function rankAll(scoring: Scoring): RankedDocument[] {
  const { contents, words, policy, fields, options } = scoring;
  const { searchScores } = options;
  const text =
    searchScores === undefined ? textScores({ words, policy }) : byOrdinal(contents, searchScores);
  const formula = scoreFormula(scoring, wholeOf(withTitle(text, fields, policy)));
  const scores = new Float64Array(text.length);
  addShare(scores, text, formula.textShare);
  formula.addTo(scores);
  leaveOut(scores, scoring);
  const { columns } = contents.documents;
  const best = highestScores(scores, scoring.limit, (a, b) => isNewer(columns, a, b));
  return best.map((ordinal) => ranked(columns, formula, { ordinal, text: text[ordinal] ?? 0 }));
}

/** Scores only those that can be among the best; `undefined` where that would save nothing. */
function rankBounded(scoring: Scoring): RankedDocument[] | undefined {
  const { columns } = scoring.contents.documents;
  const breaksTie = (a: number, b: number): boolean => isNewer(columns, a, b);
  const { words, policy, fields, limit } = scoring;
  const found = bestByBounds({
    words,
    policy,
    fields,
    formulaOf: (mostText) => scoreFormula(scoring, mostText),
    leaveOut: (scores) => {
      leaveOut(scores, scoring);
    },
    limit,
  });
  if (found === undefined) return undefined;
  const { formula, ordinals, text } = found;
  const at = (position: number): number => ordinals[position] ?? 0;
  const scores = text.map((ofText, position) => formula.score(at(position), ofText));
  const best = highestScores(scores, limit, (a, b) => breaksTie(at(a), at(b)));
  return best.map((position) =>
    ranked(columns, formula, { ordinal: at(position), text: text[position] ?? 0 }),
  );
}

function ranked(
  columns: DocumentColumns,
  formula: ScoreFormula,
  { ordinal, text }: { readonly ordinal: number; readonly text: number },
): RankedDocument {
  return {
    id: columns.ids[ordinal] ?? '',
    score: formula.score(ordinal, text),
    parts: formula.parts(ordinal, text),
  };
}

/** Sets the scores of removed and unaccepted documents below 0. */
function leaveOut(
  scores: Float64Array,
  { contents: { documents }, options: { accept } }: Scoring,
): void {
  const { columns } = documents;
  if (documents.size() === scores.length && accept === undefined) return;
  for (let ordinal = 0; ordinal < scores.length; ordinal++) {
    const isOut = columns.isAlive[ordinal] !== 1 || accept?.(columns.ids[ordinal] ?? '') === false;
    if (isOut) scores[ordinal] = -1;
  }
}

/** By sequence; those without one come last, and the one added later first. */
function isNewer({ sequence }: DocumentColumns, a: number, b: number): boolean {
  const ofA = sequence[a] ?? Number.NaN;
  const ofB = sequence[b] ?? Number.NaN;
  if (ofA > ofB) return true;
  if (ofA < ofB || Number.isNaN(ofA) !== Number.isNaN(ofB))
    return Number.isNaN(ofB) && !Number.isNaN(ofA);
  return a > b;
}

function byOrdinal(
  { documents }: IndexContents,
  scores: ReadonlyMap<string, number>,
): Float64Array {
  return Float64Array.from(documents.columns.ids, (id) => scores.get(id) ?? 0);
}
