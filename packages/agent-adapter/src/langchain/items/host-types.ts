/** The smallest shapes of LangGraph's stores that are needed here. */

export interface ItemShape {
  value: Record<string, unknown>;
  key: string;
  namespace: string[];
  createdAt: Date;
  updatedAt: Date;
}

export interface SearchItemShape extends ItemShape {
  score?: number;
}

export interface GetShape {
  readonly namespace: readonly string[];
  readonly key: string;
}

/** A value of null deletes. */
export interface PutShape extends GetShape {
  readonly value: Readonly<Record<string, unknown>> | null;
  readonly index?: false | readonly string[] | null | undefined;
  /** Ours: how long the item lives, ms. */
  readonly ttlMs?: number;
}

export interface SearchShape {
  readonly namespacePrefix: readonly string[];
  readonly filter?: Readonly<Record<string, unknown>> | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly query?: string | undefined;
}

export interface MatchShape {
  readonly matchType: string;
  readonly path: readonly string[];
}

export interface ListNamespacesShape {
  readonly matchConditions?: readonly MatchShape[] | undefined;
  readonly maxDepth?: number | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export type OperationShape = GetShape | PutShape | SearchShape | ListNamespacesShape;

/** What turns texts into vectors. */
export interface EmbeddingsShape {
  embedQuery(text: string): Promise<number[]>;
  embedDocuments(texts: string[]): Promise<number[][]>;
}
