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
 * Contract: scores by id, higher is better; ids left out and scores that are not finite or below 0 count as 0.
 */
export type Reranker = (
  request: RerankRequest,
) => ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>;

export interface RerankOptions {
  readonly reranker: Reranker;
  /** So many of the best are judged anew; the rest stay behind them. Default 50. */
  readonly depth?: number;
  /** Added for the best of the reranker's scores, less for the others by share. Default .5. */
  readonly weight?: number;
  /** The texts of the documents, in their order. */
  readonly texts?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Adds a reranker's judgement to the formula's scores: a weighted sum, not a new order.
 * Contract: keeps the order of equals. What the reranker throws goes to the caller; so does `CTX_INVALID_INPUT` if it returns no Map.
 */
export async function rerank(
  ranked: readonly RankedDocument[],
  query: RelevanceQuery,
  { reranker, depth = 50, weight = 0.5, texts, signal }: RerankOptions,
): Promise<RankedDocument[]> {
  const judged = ranked.slice(0, depth);
  if (judged.length === 0) return [...ranked];
  const ids = judged.map(({ id }) => id);
  const scores: unknown = await reranker({
    query,
    ids,
    ...(texts === undefined ? {} : { texts: texts.slice(0, depth) }),
    ...(signal === undefined ? {} : { signal }),
  });
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
