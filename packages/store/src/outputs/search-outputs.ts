import type { ContextPointer } from '@ctx/core';
import { isCtxError } from '@ctx/core';
import { argsText, type MatchingLine, matchingLine, searchWords } from '@ctx/relevance';
import type { RecordKey } from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import { checkLimit } from '../records/pages.ts';
import { pointerOf } from './output-record.ts';
import { resultText } from './result-text.ts';

/** What to look for. */
export interface OutputSearch {
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
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  /** Only where lines were asked for; left out where no line can be shown, such as a match of the tool's name. */
  readonly line?: OutputLine;
}

/** The line of an output that answers the search best. */
export interface OutputLine extends MatchingLine {
  /** Where the line stands. The arguments are looked at where the result holds none of the words. */
  readonly of: 'result' | 'arguments';
}

/** Most different words of a query that are looked for. */
const maxQueryWords = 256;

/** Looks through arguments and results by words. Throws: `CTX_STORE_UNSUPPORTED` where the backend has no search. */
export async function searchOutputs(
  collection: CollectionAccess,
  { text, sessionId, limit = 20, lines = false }: OutputSearch,
): Promise<readonly OutputHit[]> {
  const words = [...new Set(searchWords(text))].slice(0, maxQueryWords);
  if (words.length === 0) return [];
  const found = await collection.search({
    ...(sessionId === undefined ? {} : { equal: [sessionId] }),
    words,
    limit: checkLimit(limit),
  });
  const records = await collection.getMany(
    found.map((hit) => hit.key),
    'columns',
  );
  const hits = found.flatMap(({ key, score }, index) => {
    const record = records[index];
    return record === undefined ? [] : [{ key, hit: { pointer: pointerOf(record), score } }];
  });
  if (!lines) return hits.map(({ hit }) => hit);
  const withLines: OutputHit[] = [];
  // One after the other: results may be large.
  for (const { key, hit } of hits) {
    const line = await lineOf({ collection, key, text }, hit.pointer);
    withLines.push(line === undefined ? hit : { ...hit, line });
  }
  return withLines;
}

async function lineOf(
  from: HitToRead & { readonly text: string },
  pointer: ContextPointer,
): Promise<OutputLine | undefined> {
  const ofResult = matchingLine(await readableText(from), from.text);
  if (ofResult !== undefined) return { of: 'result', ...ofResult };
  const ofArguments = matchingLine(argsText(pointer.args), from.text);
  return ofArguments && { of: 'arguments', ...ofArguments };
}

interface HitToRead {
  readonly collection: CollectionAccess;
  readonly key: RecordKey;
}

/** '' for what is gone or damaged: reading it tells, a search goes on. */
async function readableText({ collection, key }: HitToRead): Promise<string> {
  try {
    const record = await collection.get(key);
    return record === undefined ? '' : await resultText(collection, record);
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CORRUPT')) return '';
    throw error;
  }
}
