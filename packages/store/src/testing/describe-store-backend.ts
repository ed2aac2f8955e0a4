import { type ConformanceCase, casesFor } from './conformance-case.ts';
import { conformanceCases } from './conformance-cases.ts';
import { type BackendMaker, runCase, abilitiesOf } from './run-case.ts';

/** What the kit needs of a test runner: `describe` and `it` of vitest, or of `node:test`. */
export interface ConformanceRunner {
  readonly describe: (name: string, body: () => void | Promise<void>) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
}

export interface DescribeStoreBackendOptions extends BackendMaker {
  readonly runner: ConformanceRunner;
  /** Title of the suite. Default `store backend`. */
  readonly title?: string;
  /** Which cases to run. Default: all. */
  readonly filter?: (conformanceCase: ConformanceCase) => boolean;
}

/**
 * Proves a backend against the contract: one test per case that is for backends with its promises, none skipped. What it does not
 * promise it has to refuse plainly, which is a case, too.
 */
export function describeStoreBackend(options: DescribeStoreBackendOptions): void {
  const { runner, title = 'store backend', filter = () => true } = options;
  runner.describe(title, async () => {
    const abilities = await abilitiesOf(options);
    const chosen = conformanceCases.filter(filter);
    const cases = abilities === undefined ? chosen : casesFor(chosen, abilities);
    for (const group of new Set(cases.map((one) => one.group))) {
      runner.describe(group, () => {
        for (const member of cases.filter((candidate) => candidate.group === group)) {
          runner.it(member.name, async () => {
            const outcome = await runCase(member, options);
            if (outcome.status === 'failed') throw outcome.error;
          });
        }
      });
    }
  });
}
