import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { members, readJson, root } from '../setup/workspace.mjs';

/** Says whether a step runs tests, each package's with a report of its own. */
const hasTests = (step) => /^test(:|$)/.test(step);

/** Returns where the reports of a step's tests are, one per package: none for a step without tests. */
export function reportFiles(step) {
  if (!hasTests(step)) return [];
  const groups = ['packages', 'apps', 'examples'].flatMap((group) => members(group));
  const folders = [...groups.map(({ folder }) => folder), path.join(root, 'contract-tests')];
  return folders.map((folder) => path.join(folder, '.turbo', `${step.replace(':', '-')}.json`));
}

/**
 * Returns what the tests of a step counted, `{ tests }`, and the files with tests that did not run, `{ skips }`: `[file, count, the first of
 * them]`. Reports from `before` on, ms since the epoch, are left out. A file that could not even be loaded counts as one failure.
 */
export function countsOf(step, before = Number.POSITIVE_INFINITY) {
  if (!hasTests(step)) return {};
  const read = reportFiles(step)
    .filter((file) => existsSync(file) && statSync(file).mtimeMs < before)
    .map((file) => readJson(file));
  const sum = (count) => read.reduce((total, one) => total + count(one), 0);
  const files = read.flatMap((one) => one.testResults);
  const unloaded = files.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return {
    tests: {
      passed: sum((one) => one.numPassedTests),
      failed: sum((one) => one.numFailedTests) + unloaded.length,
      skipped: sum((one) => one.numPendingTests + one.numTodoTests),
    },
    skips: files.map((file) => skipsOf(file)).filter(([, count]) => count > 0),
  };
}

/** Says for a line of progress how many tests passed. Those of a package count once its report has been there for a second. */
export function testsSoFar(steps) {
  const passed = steps.filter(hasTests).map((one) => countsOf(one, Date.now() - 1000).tests.passed);
  return passed.length === 0 ? '' : `${passed.reduce((sum, one) => sum + one)} tests passed, `;
}

function skipsOf({ name, assertionResults }) {
  const skipped = assertionResults.filter(({ status }) => !['passed', 'failed'].includes(status));
  return [path.relative(root, name), skipped.length, skipped[0]?.fullName ?? ''];
}
