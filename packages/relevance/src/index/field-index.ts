import { createPostings, type Postings } from './postings.ts';

/** Where words stand: for each word and field, the documents and how often. */
export interface FieldIndex {
  /** Files the words of one field under the document. Ordinals must come in rising order. */
  add(field: FieldName, ordinal: number, words: readonly string[]): void;
  /** Files one posting, made by `posting()`. */
  append(field: FieldName, word: string, posting: number): void;
  /** The number of a word, `undefined` where no document holds it. */
  termOf(word: string): number | undefined;
  readonly fields: Readonly<Record<FieldName, Postings>>;
  termCount(): number;
  sizeBytes(): number;
  /** A copy with the ordinals of `renumber`, without those where it gives -1. */
  compacted(renumber: Int32Array): FieldIndex;
}

export type FieldName = 'body' | 'args' | 'title';

/** A posting is ordinal × 256 + count: ordinals below 16,777,216, counts up to 255. */
const postingShift = 256;

export function ordinalOf(posting: number): number {
  return posting >>> 8;
}

export function countOf(posting: number): number {
  return posting & 255;
}

const fieldNames: readonly FieldName[] = ['body', 'args', 'title'];

/** An empty index. */
export function createFieldIndex(): FieldIndex {
  const terms = new Map<string, number>();
  const fields = { body: createPostings(), args: createPostings(), title: createPostings() };
  /** How often each word stands in what is being added; all 0 in between. */
  let counts = new Uint32Array(1_024);

  function numberOf(word: string): number {
    const known = terms.get(word);
    if (known !== undefined) return known;
    terms.set(word, terms.size);
    if (terms.size > counts.length) counts = new Uint32Array(counts.length * 2);
    return terms.size - 1;
  }

  function add(field: FieldName, ordinal: number, words: readonly string[]): void {
    const numbers = words.map(numberOf);
    for (const term of numbers) counts[term] = (counts[term] ?? 0) + 1;
    for (const term of numbers) {
      const count = counts[term] ?? 0;
      if (count === 0) continue;
      counts[term] = 0;
      fields[field].append(term, ordinal * postingShift + Math.min(count, postingShift - 1));
    }
  }

  return {
    add,
    append: (field, word, posting) => {
      fields[field].append(numberOf(word), posting);
    },
    termOf: (word) => terms.get(word),
    fields,
    termCount: () => terms.size,
    sizeBytes: () => fieldNames.reduce((sum, field) => sum + fields[field].sizeBytes(), 0),
    compacted: (renumber) => compactedIndex(terms, fields, renumber),
  };
}

function compactedIndex(
  terms: ReadonlyMap<string, number>,
  fields: Readonly<Record<FieldName, Postings>>,
  renumber: Int32Array,
): FieldIndex {
  const copy = createFieldIndex();
  for (const [word, term] of terms) {
    for (const field of fieldNames) {
      for (const posting of renumbered(fields[field], term, renumber))
        copy.append(field, word, posting);
    }
  }
  return copy;
}

/** The postings of a term that stay, with their new ordinals. */
function renumbered(postings: Postings, term: number, renumber: Int32Array): number[] {
  const list = new Uint32Array(postings.count(term));
  postings.read(term, list);
  const staying: number[] = [];
  for (const posting of list) {
    const ordinal = renumber[ordinalOf(posting)] ?? -1;
    if (ordinal >= 0) staying.push(ordinal * postingShift + countOf(posting));
  }
  return staying;
}
