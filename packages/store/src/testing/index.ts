export { conformanceCases } from './conformance-cases.ts';
export { describeStoreBackend } from './describe-store-backend.ts';
export type { BackendMaker } from './run-case.ts';
export { runConformance } from './run-conformance.ts';
