import type { ConformanceCase } from './conformance-case.ts';
import { conformanceCases } from './conformance-cases.ts';
import { type BackendMaker, type CaseOutcome, runCase } from './run-case.ts';

/** One line of the report. */
export interface CaseResult extends CaseOutcome {
  readonly case: ConformanceCase;
  /** How long the case took, ms. */
  readonly durationMs: number;
}

export interface ConformanceReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly results: readonly CaseResult[];
}

export interface RunConformanceOptions extends BackendMaker {
  /** Told of every case as it ends. */
  readonly onResult?: (result: CaseResult) => void;
  /** Which cases to run. Default: all. */
  readonly filter?: (conformanceCase: ConformanceCase) => boolean;
}

/** Runs the cases one after the other without a test runner. Never rejects because of the backend. */
export async function runConformance(options: RunConformanceOptions): Promise<ConformanceReport> {
  const { onResult = () => undefined, filter = () => true } = options;
  const results: CaseResult[] = [];
  for (const conformanceCase of conformanceCases.filter(filter)) {
    const startedAt = performance.now();
    const outcome = await runCase(conformanceCase, options);
    const result = { ...outcome, case: conformanceCase, durationMs: performance.now() - startedAt };
    results.push(result);
    onResult(result);
  }
  const count = (status: CaseOutcome['status']): number =>
    results.filter((result) => result.status === status).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), results };
}
