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
export const postingShift = 256;

const fieldNames: readonly FieldName[] = ['body', 'args', 'title'];

/** An empty index. */
export function createFieldIndex(): FieldIndex {
  const terms = new Map<string, number>();
  const fields = { body: createPostings(), args: createPostings(), title: createPostings() };

  function append(field: FieldName, word: string, posting: number): void {
    let term = terms.get(word);
    if (term === undefined) {
      term = terms.size;
      terms.set(word, term);
    }
    fields[field].append(term, posting);
  }

  function add(field: FieldName, ordinal: number, words: readonly string[]): void {
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) {
      append(field, word, ordinal * postingShift + Math.min(count, postingShift - 1));
    }
  }

  return {
    add,
    append,
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
    const ordinal = renumber[Math.floor(posting / postingShift)] ?? -1;
    if (ordinal >= 0) staying.push(ordinal * postingShift + (posting % postingShift));
  }
  return staying;
}
