export { createMemory } from './create-memory.ts';
export type { Memory } from './memory.ts';
export { modelObserver } from './observe/model.ts';
export type { Observer } from './observe/observer.ts';
export { rules } from './observe/rules.ts';
export type { Embedder } from './recall/embedder.ts';
