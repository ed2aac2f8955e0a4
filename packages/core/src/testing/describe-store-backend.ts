import { conformanceCases } from './conformance-cases.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { type BackendMaker, runCase } from './run-case.ts';

/** What the kit needs of a test runner: `describe` and `it` of vitest, or of `node:test`. */
export interface ConformanceRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (
    name: string,
    body: (context: { readonly skip: (reason?: string) => void }) => Promise<void>,
  ) => unknown;
}

export interface DescribeStoreBackendOptions extends BackendMaker {
  readonly runner: ConformanceRunner;
  /** Title of the suite. Default `store backend`. */
  readonly title?: string;
  /** Which cases to run. Default: all. */
  readonly filter?: (conformanceCase: ConformanceCase) => boolean;
}

/** Proves a backend against the contract: one test per case. Skipped is only what `supports` does not promise. */
export function describeStoreBackend(options: DescribeStoreBackendOptions): void {
  const { runner, title = 'store backend', filter = () => true } = options;
  const cases = conformanceCases.filter(filter);
  const groups = new Set(cases.map((conformanceCase) => conformanceCase.group));
  runner.describe(title, () => {
    for (const group of groups) {
      runner.describe(group, () => {
        for (const member of cases.filter((candidate) => candidate.group === group)) {
          runner.it(member.name, async (context) => {
            const outcome = await runCase(member, options);
            if (outcome.status === 'failed') throw outcome.error;
            if (outcome.status === 'skipped') context.skip(outcome.reason);
          });
        }
      });
    }
  });
}
