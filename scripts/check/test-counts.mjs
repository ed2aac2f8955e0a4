import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** What a test step counted, `{ tests }`, from vitest's JSON report or from the closing lines of `node --test`. */
export function countsOf(step, output) {
  if (step.report !== undefined) return { tests: vitestCounts(step.report) };
  if (step.tap === true) return { tests: tapCounts(output) };
  return {};
}

/** Vitest's own figures. A file that could not even be loaded has no tests and counts as one failure. */
export function vitestCounts(file) {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const unloaded = report.testResults.filter(
    (result) => result.status === 'failed' && result.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** The files with tests that did not run, `[file, count, the first of them]`, most first: their titles say why. */
export function skippedByFile(file) {
  if (!existsSync(file)) return [];
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return testResults
    .map(({ name, assertionResults }) => {
      const skipped = assertionResults.filter(
        ({ status }) => !['passed', 'failed'].includes(status),
      );
      return [relative(process.cwd(), name), skipped.length, skipped[0]?.fullName ?? ''];
    })
    .filter(([, count]) => count > 0)
    .sort(([, left], [, right]) => right - left);
}

function tapCounts(output) {
  const count = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail'), skipped: count('skipped') };
}
