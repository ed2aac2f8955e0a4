/** The steps, one a line: name, outcome, seconds, tests. */
export function summaryTable(results, totalMs) {
  const width = Math.max(...results.map((result) => result.name.length));
  const lines = results.map((result) =>
    [
      result.name.padEnd(width),
      result.outcome.padEnd(7),
      `${result.seconds.toFixed(1).padStart(6)} s`,
      describeTests(result.tests),
    ].join('  '),
  );
  const failed = results.filter((result) => result.outcome !== 'passed').length;
  const verdict =
    failed === 0 ? `${results.length} steps passed` : `${failed} of ${results.length} steps failed`;
  return ['', ...lines, '', `${verdict} in ${(totalMs / 1000).toFixed(1)} s`].join('\n');
}

function describeTests(tests) {
  if (tests === undefined) return '';
  const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : '';
  return `${tests.passed} passed, ${tests.failed} failed${skipped}`;
}
