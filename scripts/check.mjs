import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { summaryTable } from './check/summary-table.mjs';
import { runSteps } from './check/run-steps.mjs';
import { steps, withNeeds } from './check/steps.mjs';

/**
 * `npm run check -- [step …] [--skip step] [--report FILE]`: all steps, or the named ones with what they need.
 * Ends with a table; exits 1 when a step failed. The report is the table as JSON.
 */
const { names, skip, report } = readArguments(process.argv.slice(2));
const chosen = withNeeds(names.length > 0 ? names : steps.map((step) => step.name)).filter(
  (step) => !skip.includes(step.name),
);
const startedAt = performance.now();
const results = await runSteps(chosen);
console.log(summaryTable(results, performance.now() - startedAt));
if (report !== undefined) {
  mkdirSync(path.dirname(report), { recursive: true });
  writeFileSync(report, JSON.stringify(results));
}
process.exitCode = results.every((result) => result.outcome === 'passed') ? 0 : 1;

function readArguments(args) {
  const read = { names: [], skip: [], report: undefined };
  const rest = [...args];
  while (rest.length > 0) {
    const next = rest.shift();
    if (next === '--skip') read.skip.push(rest.shift());
    else if (next === '--report') read.report = rest.shift();
    else read.names.push(next);
  }
  const unknown = [...read.names, ...read.skip].filter(
    (name) => !steps.some((step) => step.name === name),
  );
  if (unknown.length > 0) {
    console.error(
      `no step ${unknown.join(', ')}; there are ${steps.map((step) => step.name).join(', ')}`,
    );
    process.exit(2);
  }
  return read;
}
