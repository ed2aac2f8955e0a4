import { CtxError } from '@ctx/core';
import type { RankedDocument, RelevanceQuery } from '../index/relevance-document.ts';

/** What a reranker is asked. */
export interface RerankRequest {
  readonly query: RelevanceQuery;
  /** Best first. */
  readonly ids: readonly string[];
  /** The text of each id, if the caller has them. */
  readonly texts?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Judges a few documents by something that words cannot say, such as an embedding or a model.
 * Scores by id, higher is better; ids left out and scores that are not finite or below 0 count as 0.
 */
export type Reranker = (
  request: RerankRequest,
) => ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>;

export interface RerankOptions {
  readonly reranker: Reranker;
  /** So many of the best are judged anew; the rest stay after them. Default 50. */
  readonly depth?: number;
  /** Added for the best of the reranker's scores, less for the others by share. Default .5. */
  readonly weight?: number;
  /** The texts of the documents, in their order. */
  readonly texts?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Adds a reranker's judgement to the formula's scores: a weighted sum, not a new order. Keeps the order of equals.
 * @throws what the reranker throws; `CTX_INVALID_INPUT` if it returns no Map; `CTX_ABORTED` once the signal is aborted, whatever the
 * reranker does.
 */
export async function rerank(
  ranked: readonly RankedDocument[],
  query: RelevanceQuery,
  { reranker, depth = 50, weight = 0.5, texts, signal }: RerankOptions,
): Promise<RankedDocument[]> {
  const judged = ranked.slice(0, depth);
  if (judged.length === 0) return [...ranked];
  const ids = judged.map(({ id }) => id);
  const judge = async (): Promise<unknown> =>
    reranker({
      query,
      ids,
      ...(texts === undefined ? {} : { texts: texts.slice(0, depth) }),
      ...(signal === undefined ? {} : { signal }),
    });
  const scores = signal === undefined ? await judge() : await unlessAborted(signal, judge);
  if (!(scores instanceof Map)) {
    const given = Array.isArray(scores) ? 'a list' : String(scores);
    throw new CtxError(
      'CTX_INVALID_INPUT',
      `a reranker must return a Map of scores by id, got ${given}`,
    );
  }
  const scoreOf = (id: string): number => usable(scores.get(id));
  const most = Math.max(...ids.map(scoreOf));
  const added = judged.map((document) => {
    const reranked = most === 0 ? 0 : (weight * scoreOf(document.id)) / most;
    const parts = { ...document.parts, reranked };
    return { ...document, score: document.score + reranked, parts };
  });
  return [...added.sort((a, b) => b.score - a.score), ...ranked.slice(depth)];
}

function usable(score: unknown): number {
  return typeof score === 'number' && Number.isFinite(score) && score > 0 ? score : 0;
}

/** Does not wait any longer once the signal is aborted: the work may ignore it. */
async function unlessAborted<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      reject(new CtxError('CTX_ABORTED', 'the ranking was aborted', { cause: signal.reason }));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([aborted, signal.aborted ? aborted : work()]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
