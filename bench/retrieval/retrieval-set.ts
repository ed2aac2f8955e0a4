import type { createRelevanceIndex } from '@ctx/relevance';

export type RelevanceIndex = ReturnType<typeof createRelevanceIndex>;
export type RelevanceDocument = Parameters<RelevanceIndex['add']>[0];
type RelevanceQuery = Parameters<RelevanceIndex['score']>[0];

/** A query with the documents that answer it. */
export interface RetrievalQuery {
  readonly id: string;
  readonly query: RelevanceQuery;
  /** Only the first so many documents exist when the query is asked. */
  readonly before: number;
  readonly relevant: ReadonlySet<string>;
}

/** Documents and queries over them, in the order in which they came. */
export interface RetrievalSet {
  readonly name: string;
  readonly documents: readonly RelevanceDocument[];
  /** Documents that were there but are no answers, such as short outputs: activity only. Empty outside of sessions. */
  readonly isCandidate: (id: string) => boolean;
  readonly queries: readonly RetrievalQuery[];
}
