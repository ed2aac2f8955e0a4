import { inverseFrequency, lengthNorm, saturate } from './bm25.ts';
import type { DocumentTable } from './document-table.ts';
import { type FieldIndex, type FieldName, postingShift } from './field-index.ts';
import type { RelevancePolicy } from './relevance-policy.ts';

/** BM25 of each document by ordinal, 0 where no word matches and for removed documents. */
export interface TextScores {
  /** BM25F over arguments and body. */
  readonly text: Float64Array;
  /** BM25 over the arguments alone. */
  readonly args: Float64Array;
  readonly title: Float64Array;
}

interface Scoring {
  readonly index: FieldIndex;
  readonly documents: DocumentTable;
  readonly policy: RelevancePolicy;
  /** Average words by field. */
  readonly average: Readonly<Record<FieldName, number>>;
  readonly bodyShare: number;
}

/** One word's matches: what it counts in each document, before saturation. */
interface Matches {
  readonly counts: Float64Array;
  /** Ordinals of the documents with a count. */
  readonly matching: number[];
}

/**
 * Scores all documents by the words of a prompt.
 * Cost: proportional to the postings of those words, plus one number per document.
 */
export function textScores(
  from: { readonly index: FieldIndex; readonly documents: DocumentTable },
  words: ReadonlyMap<string, number>,
  policy: RelevancePolicy,
): TextScores {
  const scoring = { ...from, policy, ...averages(from.documents, policy) };
  const length = from.documents.length();
  const scores = {
    text: new Float64Array(length),
    args: new Float64Array(length),
    title: new Float64Array(length),
  };
  const counts = new Float64Array(length);
  for (const [word, repeats] of words) {
    const term = from.index.termOf(word);
    if (term === undefined) continue;
    const weight = saturate(repeats, policy.k3);
    for (const name of ['args', 'title'] as const) {
      const matches = { counts, matching: [] };
      gather({ scoring, term, field: name, boost: 1 }, matches);
      addScores({ scoring, weight, target: scores[name] }, matches);
    }
    const both = { counts, matching: [] };
    gather({ scoring, term, field: 'body', boost: 1 }, both);
    gather({ scoring, term, field: 'args', boost: policy.argsBoost }, both);
    addScores({ scoring, weight, target: scores.text }, both);
  }
  return scores;
}

function averages(
  documents: DocumentTable,
  policy: RelevancePolicy,
): Pick<Scoring, 'average' | 'bodyShare'> {
  const totals = documents.totals();
  const size = Math.max(1, documents.size());
  const average = {
    body: totals.body / size,
    args: totals.args / size,
    title: totals.title / size,
  };
  const isShort = average.body < policy.shortDocumentWords;
  return { average, bodyShare: isShort ? policy.shortBodyLengthShare : policy.bodyLengthShare };
}

interface Gathering {
  readonly scoring: Scoring;
  readonly term: number;
  readonly field: FieldName;
  readonly boost: number;
}

function gather(from: Gathering, into: Matches): void {
  const { index, documents, average, bodyShare, policy } = from.scoring;
  const postings = index.fields[from.field];
  const list = new Uint32Array(postings.count(from.term));
  postings.read(from.term, list);
  const { isAlive, [from.field]: lengths } = documents.columns;
  const share = from.field === 'body' ? bodyShare : policy.bodyLengthShare;
  for (const posting of list) {
    const ordinal = Math.floor(posting / postingShift);
    if (isAlive[ordinal] !== 1) continue;
    const norm = lengthNorm(lengths[ordinal] ?? 0, average[from.field], share);
    const before = into.counts[ordinal] ?? 0;
    if (before === 0) into.matching.push(ordinal);
    into.counts[ordinal] = before + (from.boost * (posting % postingShift)) / norm;
  }
}

interface Adding {
  readonly scoring: Scoring;
  readonly weight: number;
  readonly target: Float64Array;
}

/** Saturates the counts, adds them to the scores and clears them. */
function addScores(to: Adding, matches: Matches): void {
  const { documents, policy } = to.scoring;
  const weight = to.weight * inverseFrequency(matches.matching.length, documents.size());
  for (const ordinal of matches.matching) {
    const count = matches.counts[ordinal] ?? 0;
    to.target[ordinal] = (to.target[ordinal] ?? 0) + weight * saturate(count, policy.k1);
    matches.counts[ordinal] = 0;
  }
}
