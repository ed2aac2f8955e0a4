export { createMemory, type MemoryOptions } from './create-memory.ts';
export type { Memory, MemoryEvent } from './memory.ts';
export type { MemoryFact, MemoryScope } from './memory-fact.ts';
export { model } from './observe/model.ts';
export type { Observer, ProposedFact } from './observe/observer.ts';
export { rules } from './observe/rules.ts';
export type { Embedder } from './recall/embedder.ts';
export type { MemoryRecall } from './recall/recall-facts.ts';
