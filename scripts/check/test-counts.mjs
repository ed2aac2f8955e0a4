import { existsSync, readFileSync } from 'node:fs';

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

function tapCounts(output) {
  const count = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail'), skipped: count('skipped') };
}
