import { CtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import type { EmbeddingsShape, OperationShape, PutShape } from './host-types.ts';
import { type ItemLifetime, type ItemsHost, itemsHost } from './item-records.ts';
import { clearItems, runOperations, sweepItems } from './run-operations.ts';

/** What a put of ours takes beside LangGraph's. */
export interface PutItemOptions {
  /** How long the item lives, ms. Default: as the store says. */
  readonly ttlMs?: number;
}

/** What a store of ctx can do beyond what LangGraph asks for. */
export interface ItemStoreExtras {
  /** As LangGraph's, with a time to live. */
  put(
    namespace: string[],
    key: string,
    ...rest: [value: PutShape['value'], index?: false | string[], options?: PutItemOptions]
  ): Promise<void>;
  /** Removes all items under a namespace, by default all there are, and says how many. */
  clear(namespacePrefix?: readonly string[]): Promise<number>;
  /** Removes the items whose time is over, and says how many. They are not given out any more before that either. */
  sweep(): Promise<number>;
}

/** What a store is made of. */
export interface CreateStoreOptions<Instance> {
  /** The class of `@langchain/langgraph-checkpoint`. */
  readonly BaseStore: abstract new () => Instance;
  readonly store: ContextStore;
  readonly ttl?: ItemLifetime;
  /** How items are found by a query. */
  readonly index?: {
    /** Ranks by meaning. Default: by words. */
    readonly embeddings?: EmbeddingsShape;
    /**
     * Paths of what is searched, such as `title` or `chapters[*].text`, as an item is put. Default `['$']`: all of the value.
     */
    readonly fields?: readonly string[];
    /**
     * Items that a query ranks at most where each has to be read, about 33 µs and 10 KB of memory: by embeddings, and on a store without
     * search. More of them are refused. Default 50,000.
     */
    readonly mostRanked?: number;
  };
}

/** LangGraph keeps this label for itself. */
function checkRoot([root]: readonly string[]): void {
  if (root !== 'langgraph') return;
  throw new CtxError('CTX_INVALID_INPUT', 'a namespace may not begin with langgraph');
}

type StoreClass = new () => object;

/**
 * Makes a store for LangGraph on any store of ctx: `createStore({ BaseStore, store })`.
 * What is given out is the caller's own copy; a batch is written together or not at all; items whose time is over are not
 * given out. A query ranks by words (BM25) or, with embeddings, by meaning; items that answer it not at all come last, without a score.
 */
export function createStore<Instance extends object>({
  BaseStore,
  store,
  ttl: lifetime = {},
  index: { embeddings, fields = ['$'], mostRanked = 50_000 } = {},
}: CreateStoreOptions<Instance>): Instance & ItemStoreExtras {
  const host: ItemsHost = itemsHost(store, {
    ...{ lifetime, fields, mostRanked },
    ...(embeddings === undefined ? {} : { embeddings }),
  });
  // The class is the host's: what it brings along calls `batch`.
  const Base = BaseStore as unknown as StoreClass;
  class CtxStore extends Base implements ItemStoreExtras {
    async batch(operations: readonly OperationShape[]): Promise<unknown[]> {
      return runOperations(host, operations);
    }

    async put(...[namespace, key, ...rest]: Parameters<ItemStoreExtras['put']>): Promise<void> {
      const [value, index, { ttlMs } = {}] = rest;
      checkRoot(namespace);
      const time = ttlMs === undefined ? {} : { ttlMs };
      await runOperations(host, [{ namespace, key, value, index, ...time }]);
    }

    async clear(namespacePrefix: readonly string[] = []): Promise<number> {
      return clearItems(host, namespacePrefix);
    }

    async sweep(): Promise<number> {
      return sweepItems(host);
    }
  }
  // It has the method that the abstract class leaves open; contract tests hold its type against the host's.
  return new CtxStore() as unknown as Instance & ItemStoreExtras;
}
