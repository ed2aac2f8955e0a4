import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { countsOf, reportFiles, testsSoFar } from './check/test-counts.mjs';
import { quietEnvironment, run, say, since } from './setup/processes.mjs';
import { readJson, root } from './setup/workspace.mjs';

/**
 * `npm run check -- [step …] [--skip step] [--report FILE] [--minutes N] [--force]`: runs the named steps, or all but the campaigns,
 * those with real clients among them. Each is a task of turbo.json; a red one does not stop the others. Ends with a table and exits 1 if
 * a step failed. The report is the table as JSON; what `--minutes` cuts off counts neither way.
 */
const ofRoot = ['format', 'lint', 'floors', 'house', 'scripts', 'knip', 'sherif', 'size'];
/** These want the machine for themselves, after the others. */
const alone = ['soak', 'packages'];
const campaigns = ['test:clients', 'test:campaign'];
const ofPackages = ['types', 'build', 'test', ...campaigns];
const renamed = { pack: 'pack:check', api: 'api:check', examples: 'example' };
const steps = [...ofRoot, ...ofPackages, ...Object.keys(renamed), ...alone];
const taskOf = (step) => renamed[step] ?? (ofPackages.includes(step) ? step : `//#check:${step}`);
const usual = steps.filter((step) => !campaigns.includes(step));

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
const wanted = positionals.length > 0 ? steps.filter((step) => positionals.includes(step)) : usual;
const chosen = wanted.filter((step) => !given.skip.includes(step));

const startedAt = performance.now();
for (const file of chosen.flatMap((step) => reportFiles(step))) rmSync(file, { force: true });
const tasks = [];
for (const group of [steps.filter((step) => !alone.includes(step)), ...alone.map((one) => [one])]) {
  const present = chosen.filter((step) => group.includes(step));
  if (present.length > 0) tasks.push(...(await runTasks(present.map(taskOf))));
}
const results = chosen.map((step) => resultOf(step));
for (const result of results) console.log(lineOf(result));
const failed = results.filter(({ outcome }) => outcome !== 'passed').length;
console.log(`\n${failed} of ${results.length} steps failed, in ${since(startedAt)}`);
if (given.report !== undefined) writeFileSync(given.report, JSON.stringify(results));
process.exitCode = failed === 0 ? 0 : 1;

/**
 * Runs tasks of turbo.json in every package that has them, two at a time, and goes on after a failure: one run tells all. What a task
 * prints is shown if it fails. Returns turbo's own summary of each task.
 */
async function runTasks(names) {
  const summaries = path.join(root, '.turbo/runs');
  rmSync(summaries, { recursive: true, force: true });
  const env = { ...quietEnvironment(), NO_COLOR: '1', FORCE_COLOR: undefined };
  if (chosen.every((step) => step.startsWith('test'))) env.BUILT_COMMAND = '1';
  const args = [path.join(root, 'node_modules/turbo/bin/turbo'), 'run', ...names, '--summarize'];
  args.push('--continue=always', '--concurrency=2', '--output-logs=errors-only', '--ui=stream');
  if (given.force) args.push('--force');
  const leftMs = startedAt + Number(given.minutes) * 60_000 - performance.now();
  const tell = () => say(`${testsSoFar(chosen)}${since(startedAt)} so far`);
  const telling = setInterval(tell, 15_000).unref();
  await run(process.execPath, args, { env, timeout: Math.max(1, Math.floor(leftMs)) });
  clearInterval(telling);
  if (!existsSync(summaries)) return [];
  return readdirSync(summaries).flatMap((name) => readJson(path.join(summaries, name)).tasks);
}

function resultOf(name) {
  const own = tasks.filter((one) => [one.taskId, one.task].includes(taskOf(name)));
  const ran = own.filter(({ execution }) => execution?.exitCode !== undefined);
  const failed = ran.filter(({ execution }) => execution.exitCode !== 0).map((one) => one.package);
  const isWhole = (ran.length === own.length && own.length > 0) || campaigns.includes(name);
  const msOf = ({ execution: { startTime, endTime } }) => endTime - startTime;
  const seconds = ran.reduce((sum, one) => sum + msOf(one), 0) / 1000;
  const cached = ran.filter(({ cache }) => cache?.status === 'HIT').length;
  const outcome = failed.length > 0 ? 'failed' : isWhole ? 'passed' : 'not run';
  return { name, outcome, seconds, cached, tasks: own.length, failed, ...countsOf(name) };
}

/** A step in one line: name, outcome, seconds, how many tasks were known already, tests. */
function lineOf({ name, outcome, seconds, tests, tasks: all, cached, failed: where }) {
  const parts = [
    ...(cached > 0 ? [`${cached} of ${all} known already`] : []),
    ...(tests === undefined ? [] : [`${tests.passed} passed, ${tests.failed} failed`]),
    ...(tests?.skipped > 0 ? [`${tests.skipped} skipped`] : []),
    ...(where.length > 0 ? [`in ${where.join(', ')}`] : []),
  ];
  const time = `${seconds.toFixed(1).padStart(6)} s`;
  return [name.padEnd(13), outcome.padEnd(7), time, parts.join(', ')].join('  ');
}
