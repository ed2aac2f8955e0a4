import type { IndexContents } from './index-contents.ts';
import { queryWords } from './query-words.ts';
import type { RankedDocument, RelevanceParts, RelevanceQuery } from './relevance-document.ts';
import type { RelevancePolicy } from './relevance-policy.ts';
import { structureScores } from './structure-scores.ts';
import { textScores } from './text-scores.ts';
import { firstInOrder } from './top-ranked.ts';

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
  const partsOf = partsByOrdinal(from, query, options);
  const scores = new Float64Array(documents.length());
  const { accept } = options;
  for (let ordinal = 0; ordinal < scores.length; ordinal++) {
    const isOut = columns.isAlive[ordinal] !== 1 || accept?.(columns.ids[ordinal] ?? '') === false;
    scores[ordinal] = isOut ? -1 : totalOf(partsOf(ordinal));
  }
  const comesBefore = (a: number, b: number): boolean => {
    if (scores[a] !== scores[b]) return (scores[a] ?? 0) > (scores[b] ?? 0);
    const newer = order(columns.sequence[a]) - order(columns.sequence[b]);
    return Number.isNaN(newer) || newer === 0 ? a > b : newer > 0;
  };
  return firstInOrder(scores.length, options.limit ?? 50, comesBefore)
    .filter((ordinal) => (scores[ordinal] ?? -1) >= 0)
    .map((ordinal) => ({
      id: columns.ids[ordinal] ?? '',
      score: scores[ordinal] ?? 0,
      parts: partsOf(ordinal),
    }));
}

function partsByOrdinal(
  { contents, policy }: { readonly contents: IndexContents; readonly policy: RelevancePolicy },
  query: RelevanceQuery,
  { searchScores }: ScoreOptions,
): (ordinal: number) => RelevanceParts {
  const { ids } = contents.documents.columns;
  const { title, args, ...own } = textScores(contents, queryWords(query, policy), policy);
  const text =
    searchScores === undefined
      ? own.text
      : Float64Array.from(ids, (id) => searchScores.get(id) ?? 0);
  const titleWeight = searchScores === undefined ? policy.titleWeight : 0;
  const both = text.map((score, ordinal) => score + titleWeight * (title[ordinal] ?? 0));
  const textShare = policy.textWeight / highest(both);
  const argsShare = policy.argsWeight / highest(args);
  const structure = structureScores({ ...contents, policy }, query);
  return (ordinal) => ({
    text: textShare * (text[ordinal] ?? 0),
    args: argsShare * (args[ordinal] ?? 0),
    title: textShare * titleWeight * (title[ordinal] ?? 0),
    ...structure(ordinal),
  });
}

function totalOf(parts: RelevanceParts): number {
  return (
    parts.text +
    parts.args +
    parts.title +
    parts.named +
    parts.activity +
    parts.recency +
    parts.fileRead
  );
}

/** The highest score, 1 where nothing matches. */
function highest(scores: Float64Array): number {
  let most = 0;
  for (const score of scores) if (score > most) most = score;
  return most > 0 ? most : 1;
}

/** Documents without a sequence come last among equals. */
function order(sequence: number | undefined): number {
  return sequence === undefined || Number.isNaN(sequence) ? -1 : sequence;
}
