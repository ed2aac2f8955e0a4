import type {
  ItemShape,
  MatchShape,
  SearchItemShape,
} from '../../../packages/agent-adapter/src/langchain/items/host-types.ts';

/** The store that is tested: any that extends `BaseStore` of `@langchain/langgraph-checkpoint`. */
export interface GraphStore {
  get(namespace: string[], key: string): Promise<ItemShape | null>;
  put(
    namespace: string[],
    key: string,
    ...rest: [value: Record<string, unknown>, index?: false | string[]]
  ): Promise<void>;
  delete(namespace: string[], key: string): Promise<void>;
  search(
    namespacePrefix: string[],
    options?: { filter?: Record<string, unknown>; limit?: number; offset?: number; query?: string },
  ): Promise<SearchItemShape[]>;
  listNamespaces(options?: {
    prefix?: string[];
    suffix?: string[];
    maxDepth?: number;
    limit?: number;
    offset?: number;
  }): Promise<string[][]>;
  batch(operations: GraphOperation[]): Promise<unknown[]>;
}

/** What the cases put into a batch. */
export type GraphOperation =
  | { namespace: string[]; key: string }
  | { namespace: string[]; key: string; value: Record<string, unknown> | null }
  | { namespacePrefix: string[]; limit?: number; offset?: number; filter?: Record<string, unknown> }
  | { matchConditions: MatchShape[]; maxDepth?: number; limit: number; offset: number };

/** What a store promises beyond the least. Each promise has cases. */
export interface GraphStoreSupport {
  /** What is given out is the caller's own: changing it changes nothing in the store, and what was put may be changed, too. */
  readonly ownCopies?: boolean;
  /** The puts of a batch are done together or not at all. */
  readonly atomicBatches?: boolean;
  /** A query ranks items by the words of their values. */
  readonly queriesByWords?: boolean;
  /** A namespace is listed as long as it holds an item, and no longer. */
  readonly forgetsEmptyNamespaces?: boolean;
  /** `$lt` and its kin hold for no item that lacks the member, and compare texts by their signs. */
  readonly comparesTexts?: boolean;
  /** Objects and lists in filters match by what they hold. */
  readonly comparesDeeply?: boolean;
}

/** One sentence about stores, and how to prove it. */
export interface GraphStoreCase {
  readonly group: string;
  readonly name: string;
  readonly needs?: readonly (keyof GraphStoreSupport)[];
  /** Rejects where the sentence does not hold. The store is empty. */
  readonly run: (store: GraphStore) => Promise<void>;
}
