import type { Reranker } from '@ctx/relevance';
import type { ContextStore } from '@ctx/store';
import type { MemoryEvent } from './memory.ts';
import type { MemoryScope, ScopeOwner } from './memory-fact.ts';
import type { Observer } from './observe/observer.ts';
import type { Embedder } from './recall/embedder.ts';
import type { VectorIndex } from './recall/vector-index.ts';

/** What a memory works with: its options, checked, with their defaults. */
export interface MemoryHost {
  readonly store: ContextStore;
  readonly scope: MemoryScope;
  readonly owners: readonly ScopeOwner[];
  readonly observers: readonly Observer[];
  readonly timeoutMs: number;
  readonly embedder?: Embedder;
  readonly vectors?: VectorIndex;
  readonly reranker?: Reranker;
  readonly rerankWeight?: number;
  readonly tell: (event: MemoryEvent) => void;
}
