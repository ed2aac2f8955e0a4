import type { ContextPointer } from '../records/tool-output.ts';
import { searchWords } from '../relevance/split-words.ts';
import type { CollectionAccess } from '../store/collection-access.ts';
import { checkLimit } from '../store/pages.ts';
import { pointerOf } from './output-record.ts';

/** What to look for. */
export interface OutputSearch {
  readonly text: string;
  /** Default: every session of the tenant. */
  readonly sessionId?: string;
  /** Default 20, at most 1,000. */
  readonly limit?: number;
}

export interface OutputHit {
  readonly pointer: ContextPointer;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

/** Most different words of a query that are looked for. */
const maxQueryWords = 256;

/** Looks through arguments and results by words. Throws: `CTX_STORE_UNSUPPORTED` where the backend has no search. */
export async function searchOutputs(
  collection: CollectionAccess,
  { text, sessionId, limit = 20 }: OutputSearch,
): Promise<readonly OutputHit[]> {
  const words = [...new Set(searchWords(text))].slice(0, maxQueryWords);
  if (words.length === 0) return [];
  const hits = await collection.search({
    ...(sessionId === undefined ? {} : { equal: [sessionId] }),
    words,
    limit: checkLimit(limit),
  });
  const records = await collection.getMany(
    hits.map((hit) => hit.key),
    'columns',
  );
  return hits.flatMap(({ score }, index) => {
    const record = records[index];
    return record === undefined ? [] : [{ pointer: pointerOf(record), score }];
  });
}
