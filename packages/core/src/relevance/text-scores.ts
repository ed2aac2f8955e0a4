import { inverseFrequency, lengthNorm, saturate } from './bm25.ts';
import type { DocumentTable } from './document-table.ts';
import { countOf, type FieldIndex, type FieldName, ordinalOf } from './field-index.ts';
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
  for (const [text, repeats] of words) {
    const term = from.index.termOf(text);
    if (term === undefined) continue;
    const weight = saturate(repeats, policy.k3);
    const body = fieldCounts(scoring, term, 'body');
    const args = fieldCounts(scoring, term, 'args');
    const title = fieldCounts(scoring, term, 'title');
    const boosted = { ...args, counts: args.counts.map((count) => policy.argsBoost * count) };
    addScores(scoring, args, { weight, target: scores.args });
    addScores(scoring, title, { weight, target: scores.title });
    addScores(scoring, merged(body, boosted), { weight, target: scores.text });
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

/** The postings of a word in one field, without those of removed documents. */
function postingsOf({ index, documents }: Scoring, term: number, field: FieldName): Uint32Array {
  const postings = index.fields[field];
  const list = new Uint32Array(postings.count(term));
  postings.read(term, list);
  if (documents.size() === documents.length()) return list;
  const { isAlive } = documents.columns;
  return list.filter((posting) => isAlive[ordinalOf(posting)] === 1);
}

/** What a word counts in some documents, in rising order of their ordinals. */
interface Counts {
  readonly ordinals: Uint32Array;
  readonly counts: Float64Array;
}

/** The counts of a word in one field, made up for the length of the field. */
function fieldCounts(scoring: Scoring, term: number, field: FieldName): Counts {
  const list = postingsOf(scoring, term, field);
  const lengths = scoring.documents.columns[field];
  const average = scoring.average[field];
  const share = field === 'body' ? scoring.bodyShare : scoring.policy.bodyLengthShare;
  const ordinals = new Uint32Array(list.length);
  const counts = new Float64Array(list.length);
  for (let index = 0; index < list.length; index++) {
    const posting = list[index] ?? 0;
    const ordinal = ordinalOf(posting);
    ordinals[index] = ordinal;
    counts[index] = countOf(posting) / lengthNorm(lengths[ordinal] ?? 0, average, share);
  }
  return { ordinals, counts };
}

/** Behind every ordinal. */
const none = 2 ** 32;

function ordinalAt({ ordinals }: Counts, index: number): number {
  return ordinals[index] ?? none;
}

/** Both lists in one; where both count a document, the sum. */
function merged(a: Counts, b: Counts): Counts {
  if (a.ordinals.length === 0) return b;
  if (b.ordinals.length === 0) return a;
  const ordinals = new Uint32Array(a.ordinals.length + b.ordinals.length);
  const counts = new Float64Array(ordinals.length);
  let length = 0;
  for (let ofA = 0, ofB = 0; ofA < a.ordinals.length || ofB < b.ordinals.length; length++) {
    const ordinal = Math.min(ordinalAt(a, ofA), ordinalAt(b, ofB));
    const isInA = ordinalAt(a, ofA) === ordinal;
    const isInB = ordinalAt(b, ofB) === ordinal;
    ordinals[length] = ordinal;
    counts[length] = (isInA ? (a.counts[ofA++] ?? 0) : 0) + (isInB ? (b.counts[ofB++] ?? 0) : 0);
  }
  return { ordinals: ordinals.subarray(0, length), counts: counts.subarray(0, length) };
}

/** Adds the BM25 of one word. */
function addScores(
  scoring: Scoring,
  { ordinals, counts }: Counts,
  to: { weight: number; target: Float64Array },
): void {
  const { documents, policy } = scoring;
  const { target } = to;
  const weight = to.weight * inverseFrequency(ordinals.length, documents.size());
  for (let index = 0; index < ordinals.length; index++) {
    const ordinal = ordinals[index] ?? 0;
    target[ordinal] = (target[ordinal] ?? 0) + weight * saturate(counts[index] ?? 0, policy.k1);
  }
}
