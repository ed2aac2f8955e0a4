import type { ContextPointer } from '@ctx/core';
import { isCtxError } from '@ctx/core';
import { decodeValue } from '@ctx/core/encoding';
import { argsText, searchTerms } from '@ctx/relevance';
import type { RecordKey } from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import { checkLimit } from '../records/pages.ts';
import { type SearchMatch, searchByTerms } from '../records/search-by-terms.ts';
import { pointerOf, readBody } from './output-record.ts';
import { resultText } from './result-text.ts';

/** What to look for. */
export interface OutputSearch {
  /** Words, and phrases in double quotes. */
  readonly text: string;
  /** Default: every session of the tenant. */
  readonly sessionId?: string;
  /** Default 20, at most 1,000. */
  readonly limit?: number;
  /** Find the line that matches best in each hit. Costs reading each result. Default false. */
  readonly lines?: boolean;
}

export interface OutputHit {
  readonly pointer: ContextPointer;
  /** Higher is better; comparable within one answer only, and there among hits of one `match`. */
  readonly score: number;
  readonly match: SearchMatch;
  /** Only where lines were asked for; left out where no line can be shown, such as a match of the tool's name. */
  readonly line?: OutputLine;
}

type MatchingLine = NonNullable<ReturnType<ReturnType<typeof searchTerms>['lineIn']>>;

/** The line of an output that answers the search best. */
export interface OutputLine extends MatchingLine {
  /** Where the line stands. The arguments are looked at where the result holds none of the words. */
  readonly of: 'result' | 'arguments';
}

/** What was found. */
export interface OutputSearchAnswer {
  /** Those that hold all words and phrases first, then those that hold some; best first. */
  readonly hits: readonly OutputHit[];
  /** False where more outputs may match than were looked at or asked for. */
  readonly isComplete: boolean;
  /** Outputs of what was searched so long that the words at their end are not found: see `OutputPolicy.searchedCharacters`. */
  readonly partlySearched: number;
}

/** How many outputs are too long to be searched whole. Looks at an index of those alone. */
async function partlySearchedIn(
  collection: CollectionAccess,
  sessionId: string | undefined,
): Promise<number> {
  const equal = sessionId === undefined ? [1] : [1, sessionId];
  const [found] = await collection.tally({ index: 'by_searched', equal });
  return found?.count ?? 0;
}

/**
 * Looks through arguments and results by words and phrases.
 * @throws `CTX_STORE_UNSUPPORTED` where the backend has no search.
 */
export async function searchOutputs(
  collection: CollectionAccess,
  { text, sessionId, limit = 20, lines = false }: OutputSearch,
): Promise<OutputSearchAnswer> {
  const { found, isComplete } = await searchByTerms({
    collection,
    ...(sessionId === undefined ? {} : { equal: [sessionId] }),
    text,
    limit: checkLimit(limit),
    textsOf: async (key) => {
      const { result, args } = await textsOf(collection, key);
      return [result, args];
    },
  });
  const records = await collection.getMany(
    found.map((hit) => hit.key),
    'columns',
  );
  const hits: OutputHit[] = [];
  // One after the other: results may be large.
  for (const [at, { key, score, match }] of found.entries()) {
    const record = records[at];
    if (record === undefined) continue;
    const line = lines ? await lineOf(collection, key, text) : undefined;
    hits.push({
      pointer: pointerOf(record),
      score,
      match,
      ...(line === undefined ? {} : { line }),
    });
  }
  return { hits, isComplete, partlySearched: await partlySearchedIn(collection, sessionId) };
}

/** What the words and phrases of a search stand in. */
interface OutputTexts {
  readonly result: string;
  readonly args: string;
}

/** Nothing of what is gone or damaged: reading it tells, a search goes on. */
async function textsOf(collection: CollectionAccess, key: RecordKey): Promise<OutputTexts> {
  try {
    const record = await collection.get(key);
    if (record === undefined) return { result: '', args: '' };
    const args = decodeValue(readBody(record).args);
    const result = await resultText(collection, record);
    return { result, args: argsText(args, Number.MAX_SAFE_INTEGER) };
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CORRUPT')) return { result: '', args: '' };
    throw error;
  }
}

/** The line of the result; that of the arguments where they alone hold a phrase, or the result holds no word. */
async function lineOf(
  collection: CollectionAccess,
  key: RecordKey,
  text: string,
): Promise<OutputLine | undefined> {
  const texts = await textsOf(collection, key);
  const { phrases, lineIn } = searchTerms(text);
  const isQuotedIn = (part: string): boolean =>
    phrases.some(({ find }) => find(part) !== undefined);
  const parts: readonly (keyof OutputTexts)[] = ['result', 'args'];
  const first = parts.find((part) => isQuotedIn(texts[part])) ?? 'result';
  for (const part of [first, ...parts]) {
    const line = lineIn(texts[part]);
    if (line !== undefined) return { of: part === 'args' ? 'arguments' : 'result', ...line };
  }
  return undefined;
}
