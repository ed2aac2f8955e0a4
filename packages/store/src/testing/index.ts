export { caseCollections } from './case-collections.ts';
export type { CasePlaces } from './case-places.ts';
export type { CaseHarness, ConformanceCase } from './conformance-case.ts';
export { conformanceCases } from './conformance-cases.ts';
export {
  type ConformanceRunner,
  describeStoreBackend,
  type DescribeStoreBackendOptions,
} from './describe-store-backend.ts';
export { type BackendMaker, type CaseOutcome, runCase } from './run-case.ts';
export {
  type CaseResult,
  type ConformanceReport,
  runConformance,
  type RunConformanceOptions,
} from './run-conformance.ts';
