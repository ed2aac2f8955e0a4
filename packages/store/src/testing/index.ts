export type { ConformanceCase } from './conformance-case.ts';
export { conformanceCases } from './conformance-cases.ts';
export { describeStoreBackend } from './describe-store-backend.ts';
export type { BackendMaker } from './run-case.ts';
export { type CaseResult, runConformance } from './run-conformance.ts';
