import { rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runTasks } from './check/run-tasks.mjs';
import { summaryTable } from './check/summary-table.mjs';
import { countsOf, reportFiles } from './check/test-counts.mjs';

/**
 * `npm run check -- [step …] [--skip step] [--report FILE] [--minutes N] [--force]`: runs the named steps, or all but `house`,
 * `test:dist` and the campaigns. Each is a task of turbo.json; a red one does not stop the others. Ends with a table and exits 1 if a step failed. The report
 * is the table as JSON; what `--minutes` cuts off counts neither way.
 */
const root = ['format', 'lint', 'floors', 'house', 'scripts', 'knip', 'sherif', 'size'];
const inPackages = [
  'types',
  'build',
  'test',
  'test:dist',
  'test:campaign',
  'pack',
  'api',
  'examples',
];
/** These want the machine for themselves, after the others. */
const alone = ['soak', 'packages'];
const steps = [...root, ...inPackages, ...alone];
const named = { pack: 'pack:check', api: 'api:check', examples: 'example' };
const taskOf = (step) => (inPackages.includes(step) ? (named[step] ?? step) : `//#check:${step}`);

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    skip: { type: 'string', multiple: true, default: [] },
    report: { type: 'string' },
    minutes: { type: 'string', default: '1440' },
    force: { type: 'boolean', default: false },
  },
});
const unknown = [...positionals, ...given.skip].filter((name) => !steps.includes(name));
if (unknown.length > 0) {
  console.error(`no step ${unknown.join(', ')}; there are ${steps.join(', ')}`);
  process.exit(2);
}
if (positionals.includes('packages')) positionals.push('pack');
// `test:dist` joins the usual steps once it has passed as a whole.
const extra = ['house', 'test:campaign', 'test:dist'];
const usual = steps.filter((step) => !extra.includes(step));
const wanted = positionals.length > 0 ? steps.filter((step) => positionals.includes(step)) : usual;
const chosen = wanted.filter((step) => !given.skip.includes(step));

const startedAt = performance.now();
const endsAt = startedAt + Number(given.minutes) * 60_000;
for (const file of chosen.flatMap((step) => reportFiles(step))) rmSync(file, { force: true });
const tasks = [];
for (const group of [
  chosen.filter((step) => !alone.includes(step)),
  ...alone.map((step) => [step]),
]) {
  const present = group.filter((step) => chosen.includes(step));
  if (present.length === 0) continue;
  const options = { force: given.force, limitMs: endsAt - performance.now() };
  tasks.push(
    ...(await runTasks(
      present.map((step) => taskOf(step)),
      options,
    )),
  );
}
const results = chosen.map((step) => resultOf(step));
console.log(summaryTable(results, performance.now() - startedAt));
if (given.report !== undefined) writeFileSync(given.report, JSON.stringify(results));
process.exitCode = results.every((result) => result.outcome === 'passed') ? 0 : 1;

function resultOf(name) {
  const own = tasks.filter((one) => [one.taskId, one.task].includes(taskOf(name)));
  const ran = own.filter((one) => one.exitCode !== undefined);
  const failed = ran.filter((one) => one.exitCode !== 0).map((one) => one.package);
  const isWhole = ran.length === own.length && own.length > 0;
  const passed = isWhole || name === 'test:campaign' ? 'passed' : 'not run';
  return {
    name,
    outcome: failed.length > 0 ? 'failed' : passed,
    seconds: ran.reduce((sum, one) => sum + one.seconds, 0),
    cached: ran.filter((one) => one.isCached).length,
    tasks: own.length,
    failed,
    ...countsOf(name),
  };
}
