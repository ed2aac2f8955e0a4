import type { DocumentColumns } from './document-table.ts';
import type { IndexContents } from './index-contents.ts';
import { queryWords } from './query-words.ts';
import type { RankedDocument, RelevanceParts, RelevanceQuery } from './relevance-document.ts';
import type { RelevancePolicy } from './relevance-policy.ts';
import { structureScores } from './structure-scores.ts';
import { textScores } from './text-scores.ts';
import { highestScores } from './top-ranked.ts';

export interface ScoreOptions {
  /** Documents given. Default 50. */
  readonly limit?: number;
  /** Leaves out the documents for which it is false. They still count in the statistics and as activity. */
  readonly accept?: (id: string) => boolean;
  /** Scores of a backend's full-text search by id, in place of all BM25 but that of the arguments. */
  readonly searchScores?: ReadonlyMap<string, number>;
}

/** Ranks what an index holds by the formula of {@link RelevancePolicy}. */
export function scoreContents(
  from: { readonly contents: IndexContents; readonly policy: RelevancePolicy },
  query: RelevanceQuery,
  options: ScoreOptions,
): RankedDocument[] {
  const { documents } = from.contents;
  const { columns } = documents;
  const all = allScores(from, query, options);
  const { scores } = all;
  leaveOut(scores, {
    columns,
    hasRemoved: documents.size() < scores.length,
    accept: options.accept,
  });
  const isBefore = (a: number, b: number): boolean => isNewer(columns, a, b);
  return highestScores(scores, options.limit ?? 50, isBefore).map((ordinal) => ({
    id: columns.ids[ordinal] ?? '',
    score: scores[ordinal] ?? 0,
    parts: all.parts(ordinal),
  }));
}

interface LeavingOut {
  readonly columns: DocumentColumns;
  readonly hasRemoved: boolean;
  readonly accept: ScoreOptions['accept'];
}

/** Sets the scores of removed and unaccepted documents below 0. */
function leaveOut(scores: Float64Array, { columns, hasRemoved, accept }: LeavingOut): void {
  if (!hasRemoved && accept === undefined) return;
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

/** The scores of all documents by ordinal, and what each is made of. */
interface AllScores {
  readonly scores: Float64Array;
  parts(ordinal: number): RelevanceParts;
}

function allScores(
  { contents, policy }: { readonly contents: IndexContents; readonly policy: RelevancePolicy },
  query: RelevanceQuery,
  { searchScores }: ScoreOptions,
): AllScores {
  const own = textScores(contents, queryWords(query, policy), policy);
  const { text, title } =
    searchScores === undefined ? own : { text: byOrdinal(contents, searchScores) };
  const textShare = policy.textWeight / highest(withField(text, title, policy.titleWeight));
  const argsShare = policy.argsWeight / highest(own.args);
  const titleShare = textShare * policy.titleWeight;
  const structure = structureScores({ ...contents, policy }, query);
  const scores = new Float64Array(text.length);
  addShare(scores, text, textShare);
  addShare(scores, title, titleShare);
  addShare(scores, own.args, argsShare);
  structure.addTo(scores);
  return {
    scores,
    parts: (ordinal) => ({
      text: textShare * (text[ordinal] ?? 0),
      args: argsShare * (own.args?.[ordinal] ?? 0),
      title: titleShare * (title?.[ordinal] ?? 0),
      ...structure.parts(ordinal),
    }),
  };
}

function byOrdinal(
  { documents }: IndexContents,
  scores: ReadonlyMap<string, number>,
): Float64Array {
  return Float64Array.from(documents.columns.ids, (id) => scores.get(id) ?? 0);
}

function addShare(scores: Float64Array, part: Float64Array | undefined, share: number): void {
  if (part === undefined) return;
  for (let ordinal = 0; ordinal < scores.length; ordinal++) {
    scores[ordinal] = (scores[ordinal] ?? 0) + share * (part[ordinal] ?? 0);
  }
}

/** The highest number, 1 where none is above 0. */
function highest(scores: Float64Array | undefined): number {
  if (scores === undefined) return 1;
  let most = 0;
  for (let ordinal = 0; ordinal < scores.length; ordinal++) {
    most = Math.max(most, scores[ordinal] ?? 0);
  }
  return most > 0 ? most : 1;
}

/** Sums with the weighted scores of a second field, if there are any. */
function withField(
  scores: Float64Array,
  field: Float64Array | undefined,
  weight: number,
): Float64Array {
  if (field === undefined) return scores;
  return scores.map((score, ordinal) => score + weight * (field[ordinal] ?? 0));
}
