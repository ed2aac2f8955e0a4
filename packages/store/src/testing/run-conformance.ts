import type { StoreSupport } from '../backend/store-backend.ts';
import { type ConformanceCase, casesFor } from './conformance-case.ts';
import { conformanceCases } from './conformance-cases.ts';
import { type BackendMaker, type CaseOutcome, runCase, supportsOf } from './run-case.ts';

/** One line of the report. */
export interface CaseResult extends CaseOutcome {
  readonly case: ConformanceCase;
  /** How long the case took, ms. */
  readonly durationMs: number;
}

export interface ConformanceReport {
  readonly passed: number;
  readonly failed: number;
  /** Abilities that the backend does not promise: cases about them are not for it, but for one that it says so. */
  readonly notOffered: readonly (keyof StoreSupport)[];
  readonly results: readonly CaseResult[];
}

export interface RunConformanceOptions extends BackendMaker {
  /** Told of every case as it ends. */
  readonly onResult?: (result: CaseResult) => void;
  /** Which cases to run. Default: all. */
  readonly filter?: (conformanceCase: ConformanceCase) => boolean;
}

/** Abilities that some case needs, and that are not promised. */
function absentOf(supports: StoreSupport): (keyof StoreSupport)[] {
  const known = new Set(conformanceCases.flatMap(({ needs = [] }) => needs));
  return [...known].filter((ability) => supports[ability] !== true).sort();
}

/** Runs the cases one after the other without a test runner. Never rejects because of the backend. */
export async function runConformance(options: RunConformanceOptions): Promise<ConformanceReport> {
  const { onResult = () => undefined, filter = () => true } = options;
  const results: CaseResult[] = [];
  const supports = await supportsOf(options);
  const chosen = conformanceCases.filter(filter);
  const cases = supports === undefined ? chosen : casesFor(chosen, supports);
  for (const conformanceCase of cases) {
    const startedAt = performance.now();
    const outcome = await runCase(conformanceCase, options);
    const result = { ...outcome, case: conformanceCase, durationMs: performance.now() - startedAt };
    results.push(result);
    onResult(result);
  }
  const count = (status: CaseOutcome['status']): number =>
    results.filter((result) => result.status === status).length;
  const notOffered = supports === undefined ? [] : absentOf(supports);
  return { passed: count('passed'), failed: count('failed'), notOffered, results };
}
