import type { Reranker } from '@ctx/relevance';
import type { MemoryEvent } from './memory.ts';
import type { MemoryScope } from './memory-fact.ts';
import type { Observer } from './observe/observer.ts';
import type { Embedder } from './recall/embedder.ts';

/** How a memory is made. */
export interface MemoryOptions {
  /**
   * Whose facts are read and kept; the name of one owner, such as `coder`, `@user/ada` or `@tenant`, stands for its scope alone.
   * Default: the agent `default`, as `ctx facts` shows them.
   */
  readonly scope?: MemoryScope | string;
  /** Who reads facts out of messages. Default: `rules()`. */
  readonly observe?: Observer | readonly Observer[];
  /** Default: recall goes by words alone. */
  readonly embedder?: Embedder;
  /** Judges up to 200 facts that were found; it gets their texts. */
  readonly reranker?: Reranker;
  /** What the best of the reranker's scores adds, beside at most 1 of words and vectors. Default 0.5. */
  readonly rerankWeight?: number;
  /** Time of one request to the embedder or the reranker, ms. Default 10,000. */
  readonly timeoutMs?: number;
  /** Is told what was kept, what was refused, and what failed. */
  readonly onEvent?: (event: MemoryEvent) => void;
}
