import { compareKeys } from '../compare-values.ts';
import { keyText } from '../index-order.ts';
import type { CollectionDefinition, RecordKey, SearchHit, SearchQuery } from '../store-backend.ts';

/** Full text over records, ranked by BM25F. */
export interface InvertedIndex {
  add(key: RecordKey, words: Readonly<Record<string, string>>): void;
  remove(key: RecordKey): void;
  /** Records whose key begins with `equal` and that hold any of the words, or every one, best first. No word twice. */
  search(query: Omit<SearchQuery, 'collection'>): SearchHit[];
}

interface Document {
  readonly key: RecordKey;
  /** The postings of its words. */
  readonly postings: readonly Posting[];
  readonly length: number;
  isLive: boolean;
  /** What the search of this number has added up. */
  score: number;
  matched: number;
  search: number;
}

/** Parallel lists, since a number costs a tenth of an object. Entries of removed documents stay until half are dead. */
interface Posting {
  readonly word: string;
  documents: Document[];
  counts: number[];
  live: number;
  /** Weighted occurrences in the document that is being added. */
  found: number;
}

/** Saturation and length normalisation. Source: the values that Lucene and FTS5 use. */
const saturation = 1.2;
const lengthShare = 0.75;

/** All that an index knows. */
interface TextState {
  readonly documents: Map<string, Document>;
  readonly postings: Map<string, Posting>;
  totalLength: number;
  searches: number;
}

/** Counts the words into their postings and gives those that hold any. Makes one look-up a word, which is most of an `add`. */
function countWords(
  { postings }: TextState,
  fields: readonly CollectionDefinition['search'][number][],
  words: Readonly<Record<string, string>>,
): Posting[] {
  const found: Posting[] = [];
  for (const { name, weight } of fields) {
    const text = Object.hasOwn(words, name) ? (words[name] ?? '') : '';
    for (const word of text.split(' ')) {
      if (word === '') continue;
      let posting = postings.get(word);
      if (posting === undefined) {
        posting = { word, documents: [], counts: [], live: 0, found: 0 };
        postings.set(word, posting);
      }
      if (posting.found === 0) found.push(posting);
      posting.found += weight;
    }
  }
  return found;
}

function addDocument(state: TextState, key: RecordKey, postings: readonly Posting[]): void {
  const length = postings.reduce((sum, { found }) => sum + found, 0);
  const document = { key, postings, length, isLive: true, score: 0, matched: 0, search: 0 };
  for (const posting of postings) {
    // Most words are of one document: a list that grows makes room for seventeen.
    if (posting.live === 0) {
      posting.documents = [document];
      posting.counts = [posting.found];
    } else {
      posting.documents.push(document);
      posting.counts.push(posting.found);
    }
    posting.live++;
    posting.found = 0;
  }
  state.documents.set(keyText(key), document);
  state.totalLength += length;
}

function dropDead(state: TextState, posting: Posting): void {
  posting.live--;
  if (posting.live === 0) state.postings.delete(posting.word);
  if (posting.documents.length <= 2 * posting.live) return;
  posting.counts = posting.counts.filter((_, at) => posting.documents[at]?.isLive);
  posting.documents = posting.documents.filter(({ isLive }) => isLive);
}

function removeDocument(state: TextState, key: RecordKey): void {
  const name = keyText(key);
  const document = state.documents.get(name);
  if (document === undefined) return;
  state.documents.delete(name);
  state.totalLength -= document.length;
  document.isLive = false;
  for (const posting of document.postings) dropDead(state, posting);
}

/** Adds the word's part to the scores of its documents; those met for the first time go to `met`. */
function scorePosting(state: TextState, posting: Posting, met: Document[]): void {
  const { documents, totalLength, searches } = state;
  const rarity = Math.log(1 + (documents.size - posting.live + 0.5) / (posting.live + 0.5));
  const averageLength = totalLength / documents.size;
  for (const [at, document] of posting.documents.entries()) {
    if (!document.isLive) continue;
    if (document.search !== searches) {
      document.search = searches;
      document.score = 0;
      document.matched = 0;
      met.push(document);
    }
    document.matched++;
    const count = posting.counts[at] ?? 0;
    const norm = 1 - lengthShare + (lengthShare * document.length) / averageLength;
    document.score += (rarity * count * (saturation + 1)) / (count + saturation * norm);
  }
}

/** So many are kept in order as they come; for more, sorting them all takes less. */
const fewBest = 1000;

function compareRanks(left: Document, right: Document): number {
  return right.score - left.score || compareKeys(left.key, right.key);
}

/** The first `limit` in the order of ranks. Makes a comparison each for those that are not among them. */
function bestOf(documents: readonly Document[], limit: number): Document[] {
  if (limit > fewBest) return documents.toSorted(compareRanks).slice(0, limit);
  const best: Document[] = [];
  for (const document of documents) {
    const last = best.length < limit ? undefined : best.at(-1);
    if (last !== undefined && compareRanks(document, last) >= 0) continue;
    let low = 0;
    for (let high = best.length; low < high; ) {
      const middle = (low + high) >>> 1;
      const other = best[middle];
      if (other !== undefined && compareRanks(other, document) < 0) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, document);
    if (best.length > limit) best.pop();
  }
  return best;
}

/**
 * Makes an empty index.
 * `add` takes one step per word, `remove` one per distinct word; `search` takes one per posting of its words, then one per match.
 */
export function createInvertedIndex(
  fields: readonly CollectionDefinition['search'][number][],
): InvertedIndex {
  const state: TextState = {
    documents: new Map(),
    postings: new Map(),
    totalLength: 0,
    searches: 0,
  };
  return {
    add(key, words) {
      const postings = countWords(state, fields, words);
      if (postings.length > 0) addDocument(state, key, postings);
    },
    remove(key) {
      removeDocument(state, key);
    },
    search({ equal, words, limit, every = false }) {
      state.searches++;
      const met: Document[] = [];
      for (const word of words) {
        const posting = state.postings.get(word);
        if (posting !== undefined) scorePosting(state, posting, met);
      }
      const least = every ? words.length : 1;
      const isWithin = ({ key, matched }: Document): boolean =>
        matched >= least && equal.every((part, at) => key[at] === part);
      const best = limit > 0 ? bestOf(met.filter(isWithin), limit) : [];
      return best.map(({ key, score }) => ({ key: [...key], score }));
    },
  };
}
