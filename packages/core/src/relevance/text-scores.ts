import { inverseFrequency, lengthNorm, saturate } from './bm25.ts';
import type { DocumentTable } from './document-table.ts';
import { countOf, type FieldIndex, type FieldName, ordinalOf } from './field-index.ts';
import type { RelevancePolicy } from './relevance-policy.ts';

/** BM25 of each document by ordinal, 0 where no word matches and for removed documents. */
export interface TextScores {
  /** BM25F over arguments and body. */
  readonly text: Float64Array;
  /** BM25 over the arguments alone; left out where no word matches any. */
  readonly args?: Float64Array;
  readonly title?: Float64Array;
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
  const text = new Float64Array(length);
  let args: Float64Array | undefined;
  let title: Float64Array | undefined;
  for (const [word, repeats] of words) {
    const term = from.index.termOf(word);
    if (term === undefined) continue;
    const weight = saturate(repeats, policy.k3);
    const ofTitle = postingsOf(scoring, term, 'title');
    if (ofTitle.length > 0) {
      title ??= new Float64Array(length);
      addField(scoring, { list: ofTitle, field: 'title' }, { weight, target: title });
    }
    const ofBody = postingsOf(scoring, term, 'body');
    const ofArgs = postingsOf(scoring, term, 'args');
    if (ofArgs.length === 0) {
      addField(scoring, { list: ofBody, field: 'body' }, { weight, target: text });
      continue;
    }
    args ??= new Float64Array(length);
    addField(scoring, { list: ofArgs, field: 'args' }, { weight, target: args });
    addCounts(scoring, bothCounts(scoring, ofBody, ofArgs), { weight, target: text });
  }
  return {
    text,
    ...(args === undefined ? {} : { args }),
    ...(title === undefined ? {} : { title }),
  };
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

interface FieldPostings {
  readonly list: Uint32Array;
  readonly field: FieldName;
}

interface Target {
  readonly weight: number;
  readonly target: Float64Array;
}

/** How a count is made up for the length of its field. */
function normOf(scoring: Scoring, field: FieldName): (ordinal: number) => number {
  const lengths = scoring.documents.columns[field];
  const average = scoring.average[field];
  const share = field === 'body' ? scoring.bodyShare : scoring.policy.bodyLengthShare;
  return (ordinal) => lengthNorm(lengths[ordinal] ?? 0, average, share);
}

/** Adds the BM25 of one word in one field. */
function addField(scoring: Scoring, { list, field }: FieldPostings, to: Target): void {
  const { target } = to;
  const { k1 } = scoring.policy;
  const norm = normOf(scoring, field);
  const weight = to.weight * inverseFrequency(list.length, scoring.documents.size());
  for (const posting of list) {
    const ordinal = ordinalOf(posting);
    const score = weight * saturate(countOf(posting) / norm(ordinal), k1);
    target[ordinal] = (target[ordinal] ?? 0) + score;
  }
}

/** What a word counts in some documents, in rising order of their ordinals. */
interface Counts {
  readonly ordinals: Uint32Array;
  readonly counts: Float64Array;
}

/** Counts in body and arguments together, those of the arguments boosted. */
function bothCounts(scoring: Scoring, body: Uint32Array, args: Uint32Array): Counts {
  const bodyNorm = normOf(scoring, 'body');
  const argsNorm = normOf(scoring, 'args');
  const { argsBoost } = scoring.policy;
  const ordinals = new Uint32Array(body.length + args.length);
  const counts = new Float64Array(ordinals.length);
  let length = 0;
  for (let ofBody = 0, ofArgs = 0; ofBody < body.length || ofArgs < args.length; length++) {
    const inBody = ofBody < body.length ? (body[ofBody] ?? 0) : none;
    const inArgs = ofArgs < args.length ? (args[ofArgs] ?? 0) : none;
    const ordinal = Math.min(ordinalOf(inBody), ordinalOf(inArgs));
    let count = 0;
    if (ordinalOf(inBody) === ordinal) {
      count += countOf(inBody) / bodyNorm(ordinal);
      ofBody++;
    }
    if (ordinalOf(inArgs) === ordinal) {
      count += (argsBoost * countOf(inArgs)) / argsNorm(ordinal);
      ofArgs++;
    }
    ordinals[length] = ordinal;
    counts[length] = count;
  }
  return { ordinals: ordinals.subarray(0, length), counts: counts.subarray(0, length) };
}

/** A posting behind every other. */
const none = 2 ** 32 - 1;

/** Adds the BM25 of one word, its counts being made up for length already. */
function addCounts(scoring: Scoring, { ordinals, counts }: Counts, to: Target): void {
  const { target } = to;
  const { k1 } = scoring.policy;
  const weight = to.weight * inverseFrequency(ordinals.length, scoring.documents.size());
  for (let index = 0; index < ordinals.length; index++) {
    const ordinal = ordinals[index] ?? 0;
    target[ordinal] = (target[ordinal] ?? 0) + weight * saturate(counts[index] ?? 0, k1);
  }
}
