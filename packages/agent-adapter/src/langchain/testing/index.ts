export { describeGraphStore } from './describe-graph-store.ts';
