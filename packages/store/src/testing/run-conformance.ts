import {
  type Abilities,
  type Ability,
  type ConformanceCase,
  casesFor,
} from './conformance-case.ts';
import { conformanceCases } from './conformance-cases.ts';
import { type BackendMaker, type CaseOutcome, runCase, abilitiesOf } from './run-case.ts';

/** One line of the report. */
export interface CaseResult extends CaseOutcome {
  readonly case: ConformanceCase;
  /** How long the case took, ms. */
  readonly durationMs: number;
}

export interface ConformanceReport {
  readonly passed: number;
  readonly failed: number;
  /** Abilities that the backend does not have: cases about them are not for it, but for one that it says so. */
  readonly notOffered: readonly Ability[];
  readonly results: readonly CaseResult[];
}

export interface RunConformanceOptions extends BackendMaker {
  /** Told of every case as it ends. */
  readonly onResult?: (result: CaseResult) => void;
  /** Which cases to run. Default: all. */
  readonly filter?: (conformanceCase: ConformanceCase) => boolean;
}

/** Abilities that some case needs, and that the backend does not have. */
function absentOf(abilities: Abilities): Ability[] {
  const known = new Set(conformanceCases.flatMap(({ needs = [] }) => needs));
  return [...known].filter((ability) => abilities[ability] !== true).sort();
}

/** Runs the cases one after the other without a test runner. Never rejects because of the backend. */
export async function runConformance(options: RunConformanceOptions): Promise<ConformanceReport> {
  const { onResult = () => undefined, filter = () => true } = options;
  const results: CaseResult[] = [];
  const abilities = await abilitiesOf(options);
  const chosen = conformanceCases.filter(filter);
  const cases = abilities === undefined ? chosen : casesFor(chosen, abilities);
  for (const conformanceCase of cases) {
    const startedAt = performance.now();
    const outcome = await runCase(conformanceCase, options);
    const result = { ...outcome, case: conformanceCase, durationMs: performance.now() - startedAt };
    results.push(result);
    onResult(result);
  }
  const count = (status: CaseOutcome['status']): number =>
    results.filter((result) => result.status === status).length;
  const notOffered = abilities === undefined ? [] : absentOf(abilities);
  return { passed: count('passed'), failed: count('failed'), notOffered, results };
}
