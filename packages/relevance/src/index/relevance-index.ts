import { CtxError } from '@ctx/core';
import { type ScoreOptions, scoreContents } from '../score/score-contents.ts';
import { type RelevancePolicy, relevancePolicy } from '../select/relevance-policy.ts';
import { addDocument, compacted, emptyContents } from './index-contents.ts';
import type { RankedDocument, RelevanceDocument, RelevanceQuery } from './relevance-document.ts';

export interface RelevanceIndexOptions {
  readonly policy?: Partial<RelevancePolicy>;
  /** Documents held; one more makes the oldest leave. Default 200,000. */
  readonly maxDocuments?: number;
}

/**
 * Documents ranked by how well they answer a prompt, kept in memory.
 * The same documents added in the same order give the same answer, whatever was removed in between.
 */
export interface RelevanceIndex {
  /** Adds a document, in place of one with the same id. Makes one pass over its first `maxCharacters`. */
  add(document: RelevanceDocument): void;
  /** Whether there was such a document. Takes constant time, but for a rebuild after as many removals as documents remain. */
  remove(id: string): boolean;
  has(id: string): boolean;
  readonly size: number;
  /** With all its defaults. */
  readonly policy: RelevancePolicy;
  /** Documents that left because there were more than `maxDocuments`. */
  readonly evicted: number;
  /** Bytes of the postings and columns; words, ids and paths come on top. */
  readonly sizeBytes: number;
  /** Best first, ties newest first. Goes through the postings of the prompt's words, and once over the documents. */
  score(query: RelevanceQuery, options?: ScoreOptions): RankedDocument[];
}

/** Fewer removed documents than this are never worth a rebuild. */
const minRemoved = 256;

/** Bound by what a posting can hold. */
const mostDocuments = 4_000_000;

/**
 * Makes an empty index.
 * @throws `CTX_INVALID_OPTION` for a policy or limit out of range.
 */
export function createRelevanceIndex(options: RelevanceIndexOptions = {}): RelevanceIndex {
  const policy = relevancePolicy(options.policy);
  const maxDocuments = checkedLimit(options.maxDocuments ?? 200_000);
  let contents = emptyContents();
  let evicted = 0;

  function add(document: RelevanceDocument): void {
    remove(document.id);
    const { documents } = contents;
    const oldest = documents.size() >= maxDocuments ? documents.first() : undefined;
    if (oldest !== undefined) {
      remove(oldest);
      evicted++;
    }
    addDocument(contents, document, policy);
  }

  function remove(id: string): boolean {
    const { documents } = contents;
    if (!documents.remove(id)) return false;
    const removed = documents.length() - documents.size();
    if (removed >= minRemoved && removed >= documents.size()) contents = compacted(contents);
    return true;
  }

  return {
    policy,
    add,
    remove,
    has: (id) => contents.documents.has(id),
    get size() {
      return contents.documents.size();
    },
    get evicted() {
      return evicted;
    },
    get sizeBytes() {
      return contents.documents.sizeBytes() + contents.index.sizeBytes();
    },
    score: (query, scoreOptions = {}) => scoreContents({ contents, policy }, query, scoreOptions),
  };
}

function checkedLimit(maxDocuments: number): number {
  if (Number.isInteger(maxDocuments) && maxDocuments > 0 && maxDocuments <= mostDocuments) {
    return maxDocuments;
  }
  throw new CtxError(
    'CTX_INVALID_OPTION',
    `maxDocuments must be a whole number from 1 to ${mostDocuments}, not ${String(maxDocuments)}`,
  );
}
