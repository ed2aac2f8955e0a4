export { describeGraphStore } from './describe-graph-store.ts';
export type { GraphStore } from './graph-store-case.ts';
