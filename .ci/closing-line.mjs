import { existsSync } from 'node:fs';
import { readJson } from '../scripts/setup/workspace.mjs';

/**
 * `node .ci/closing-line.mjs REPORT…`: prints the last line of a CI run, `N passed, N failed, N skipped`, from the reports of
 * `npm run check`. A test counts as one; so does a step without tests. Before it, a line for each file with tests that did not run.
 * A missing report is one failure, and so is a red step whose tests are green. Exits 1 if anything failed.
 */
const steps = process.argv
  .slice(2)
  .flatMap((file) => (existsSync(file) ? readJson(file) : [{ outcome: 'failed' }]));
const counts = steps.map((step) => countsOfStep(step));
const sum = (name) => counts.reduce((total, one) => total + one[name], 0);
const failed = sum('failed');

for (const [file, count, first] of steps.flatMap(({ skips }) => skips ?? [])) {
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
