/** The steps, one a line: name, outcome, seconds, how many tasks were known already, tests. */
export function summaryTable(results, totalMs) {
  const width = Math.max(0, ...results.map((result) => result.name.length));
  const lines = results.map((result) =>
    [
      result.name.padEnd(width),
      result.outcome.padEnd(7),
      `${result.seconds.toFixed(1).padStart(6)} s`,
      describe(result),
    ].join('  '),
  );
  const failed = results.filter((result) => result.outcome !== 'passed').length;
  const verdict =
    failed === 0 ? `${results.length} steps passed` : `${failed} of ${results.length} steps failed`;
  return ['', ...lines, '', `${verdict} in ${(totalMs / 1000).toFixed(1)} s`].join('\n');
}

function describe({ tests, tasks, cached, failed }) {
  const parts = [];
  if (cached > 0) parts.push(`${cached} of ${tasks} known already`);
  if (tests !== undefined) parts.push(`${tests.passed} passed, ${tests.failed} failed`);
  if (tests?.skipped > 0) parts.push(`${tests.skipped} skipped`);
  if (failed.length > 0) parts.push(`in ${failed.join(', ')}`);
  return parts.join(', ');
}
