import { existsSync } from 'node:fs';
import { skippedByFile, vitestCounts } from './check/test-counts.mjs';
import { readJson } from './setup/workspace.mjs';

/**
 * `node scripts/closing-line.mjs TEST.json CHECK.json TEST_EXIT`: the last line of a CI run, `N passed, N failed`, from vitest's
 * report of `npm test` and the report of the check. A test counts as one; so does a check step without tests.
 * Before it, a line for each file with tests that did not run.
 * A missing report is one failure, and so is a test run that ended badly with all its tests green. Exits 1 when anything failed.
 */
const [testFile, checkFile, testExit] = process.argv.slice(2);
const steps = existsSync(checkFile) ? readJson(checkFile) : [{ outcome: 'failed' }];
const test = { outcome: testExit === '0' ? 'passed' : 'failed', tests: vitestCounts(testFile) };
const counts = [test, ...steps].map(countsOfStep);
const sum = (name) => counts.reduce((total, one) => total + one[name], 0);
const failed = sum('failed');

for (const [file, count, first] of skippedByFile(testFile)) {
  console.log(`skipped ${count} of ${file}, such as: ${first}`);
}
console.log(`${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped`);
process.exitCode = failed === 0 ? 0 : 1;

function countsOfStep({ outcome, tests }) {
  const isRed = outcome !== 'passed';
  if (tests === undefined) return { passed: isRed ? 0 : 1, failed: isRed ? 1 : 0, skipped: 0 };
  // A red step whose tests are all green (a crash, no test found) is a failure all the same.
  return isRed && tests.failed === 0 ? { ...tests, failed: 1 } : tests;
}
