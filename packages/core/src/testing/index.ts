export { caseCollections } from './case-collections.ts';
export type { CasePlaces } from './case-places.ts';
export type { CaseHarness, ConformanceCase } from './conformance-case.ts';
export { conformanceCases } from './conformance-cases.ts';
export {
  type ConformanceRunner,
  type DescribeStoreBackendOptions,
  describeStoreBackend,
} from './describe-store-backend.ts';
export { type BackendMaker, type CaseOutcome, runCase } from './run-case.ts';
export {
  type CaseResult,
  type ConformanceReport,
  type RunConformanceOptions,
  runConformance,
} from './run-conformance.ts';
