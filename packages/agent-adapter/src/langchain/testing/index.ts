export {
  type DescribeGraphStoreOptions,
  describeGraphStore,
  type FreshGraphStore,
  graphStoreCases,
  type GraphStoreRunner,
} from './describe-graph-store.ts';
export type {
  GraphOperation,
  GraphStore,
  GraphStoreCase,
  GraphStoreSupport,
} from './graph-store-case.ts';
