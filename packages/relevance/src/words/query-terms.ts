import type { DocumentColumns, DocumentTable } from '../index/document-table.ts';
import { countOf, type FieldIndex, type FieldName, ordinalOf } from '../index/field-index.ts';
import type { PostingRun } from '../index/postings.ts';
import { seekPostings } from '../index/seek-posting.ts';
import { inverseFrequency, lengthNorm, saturate } from '../score/bm25.ts';
import type { RelevancePolicy } from '../select/relevance-policy.ts';

/** One field of a word: the documents alive that hold it, rising, and how often. */
export interface FieldCounts {
  readonly ordinals: Uint32Array;
  readonly counts: Uint8Array;
  /** What a saturated count is worth. */
  readonly weight: number;
}

/** A word of the prompt as the index holds it. */
export interface QueryTerm {
  /** Documents whose body holds it, removed ones among them. */
  readonly body: readonly PostingRun[];
  readonly bodyLength: number;
  readonly args: FieldCounts;
  /** Counts in the bodies of the documents of `args`. */
  readonly argsInBody: Uint8Array;
  readonly title: FieldCounts;
  /** What a saturated count of body and arguments together is worth. */
  readonly weight: number;
  /** No document's text score gets more than this from the word. */
  readonly bound: number;
}

/** What the words of a prompt are worth, and how counts are made up for length. */
export interface QueryTerms {
  /** In the order of the prompt. */
  readonly terms: readonly QueryTerm[];
  /** By ordinal; infinite for removed documents, so that no word counts there. */
  readonly bodyNorms: Float64Array;
  readonly argsNorm: (ordinal: number) => number;
  readonly titleNorm: (ordinal: number) => number;
}

interface Indexed {
  readonly index: FieldIndex;
  readonly documents: DocumentTable;
}

/**
 * Looks the words of a prompt up.
 * Makes one pass over the documents and over what arguments and titles hold of the words; over their bodies too after removals.
 */
export function queryTerms(
  from: Indexed,
  words: ReadonlyMap<string, number>,
  policy: RelevancePolicy,
): QueryTerms {
  const terms: QueryTerm[] = [];
  for (const [word, repeats] of words) {
    const term = from.index.termOf(word);
    if (term !== undefined) terms.push(queryTerm(from, { term, repeats }, policy));
  }
  const { columns } = from.documents;
  const size = Math.max(1, from.documents.size());
  const { body, args, title } = from.documents.totals();
  const bodyNorms = new Float64Array(from.documents.length());
  writeBodyNorms(bodyNorms, columns, { average: body / size, policy });
  const normBy =
    (lengths: Uint32Array, ofAll: number) =>
    (ordinal: number): number =>
      lengthNorm(lengths[ordinal] ?? 0, ofAll / size, policy.bodyLengthShare);
  return {
    terms,
    bodyNorms,
    argsNorm: normBy(columns.args, args),
    titleNorm: normBy(columns.title, title),
  };
}

function writeBodyNorms(
  norms: Float64Array,
  { isAlive, body }: DocumentColumns,
  { average, policy }: { readonly average: number; readonly policy: RelevancePolicy },
): void {
  const isShort = average < policy.shortDocumentWords;
  const share = isShort ? policy.shortBodyLengthShare : policy.bodyLengthShare;
  for (let ordinal = 0; ordinal < norms.length; ordinal++) {
    const norm = lengthNorm(body[ordinal] ?? 0, average, share);
    norms[ordinal] = isAlive[ordinal] === 1 ? norm : Number.POSITIVE_INFINITY;
  }
}

function queryTerm(
  { index, documents }: Indexed,
  { term, repeats }: { readonly term: number; readonly repeats: number },
  policy: RelevancePolicy,
): QueryTerm {
  const ofWord = saturate(repeats, policy.k3);
  const worth = (matching: number): number => ofWord * inverseFrequency(matching, documents.size());
  const inField = (field: FieldName): FieldCounts => {
    const found = alivePostings({ index, documents }, term, field);
    return {
      ordinals: found.map(ordinalOf),
      counts: Uint8Array.from(found, countOf),
      weight: worth(found.length),
    };
  };
  const args = inField('args');
  const body = index.fields.body.runs(term);
  const seek = seekPostings(body);
  const argsInBody = Uint8Array.from(args.ordinals, seek);
  const both = argsInBody.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
  const weight = worth(countAlive(body, documents) + args.ordinals.length - both);
  return {
    body,
    bodyLength: index.fields.body.count(term),
    args,
    argsInBody,
    title: inField('title'),
    weight,
    bound: weight * (policy.k1 + 1),
  };
}

/** The postings of a word in one field, without those of removed documents. */
function alivePostings({ index, documents }: Indexed, term: number, field: FieldName): Uint32Array {
  const postings = index.fields[field];
  const list = new Uint32Array(postings.count(term));
  postings.read(term, list);
  if (documents.size() === documents.length()) return list;
  const { isAlive } = documents.columns;
  return list.filter((posting) => isAlive[ordinalOf(posting)] === 1);
}

function countAlive(runs: readonly PostingRun[], documents: DocumentTable): number {
  const { isAlive } = documents.columns;
  if (documents.size() === documents.length()) {
    return runs.reduce((sum, { from, to }) => sum + to - from, 0);
  }
  let count = 0;
  for (const { cells, from, to } of runs) {
    for (let cell = from; cell < to; cell++) count += isAlive[ordinalOf(cells[cell] ?? 0)] ?? 0;
  }
  return count;
}
