import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { summaryTable } from './check/summary-table.mjs';
import { countsOf, reportFiles } from './check/test-counts.mjs';
import { runTasks } from './check/run-tasks.mjs';

/**
 * `npm run check -- [step …] [--skip step] [--report FILE] [--minutes N] [--force]`: runs the named steps, or all but the
 * campaigns. Each is a task of turbo.json; a red one does not stop the others. Ends with a table and exits 1 if a step failed. The report
 * is the table as JSON; steps that `--minutes` cuts off are left out of it.
 */
const steps = {
  format: { task: '//#check:format', fix: 'npm run format:write' },
  lint: { task: '//#check:lint' },
  types: { task: 'types' },
  floors: { task: '//#check:floors' },
  house: { task: '//#check:house', isExtra: true },
  build: { task: 'build' },
  scripts: { task: '//#check:scripts' },
  test: { task: 'test' },
  'test:dist': { task: 'test:dist' },
  'test:campaign': { task: 'test:campaign', isExtra: true },
  pack: { task: 'pack:check' },
  api: { task: '//#check:api', fix: 'npm run api:write, and read the diff' },
  knip: { task: '//#check:knip' },
  sherif: { task: '//#check:sherif' },
  size: { task: '//#check:size' },
  examples: { task: 'example' },
  // These want the machine for themselves.
  soak: { task: '//#check:soak', isAlone: true },
  packages: { task: '//#check:packages', isAlone: true, needs: 'pack' },
};

const { names, skip, report, minutes, force } = readArguments(process.argv.slice(2));
const wanted = names.length > 0 ? withNeeds(names) : Object.keys(steps).filter(isUsual);
const chosen = wanted.filter((name) => !skip.includes(name));
const endsAt = performance.now() + minutes * 60_000;
const startedAt = performance.now();
for (const name of chosen) for (const file of reportFiles(name)) rmSync(file, { force: true });

const together = chosen.filter((name) => !steps[name].isAlone);
const groups = [together, ...chosen.filter((name) => steps[name].isAlone).map((name) => [name])];
const tasks = [];
for (const group of groups.filter((one) => one.length > 0)) {
  const options = { force, limitMs: endsAt - performance.now() };
  tasks.push(
    ...(await runTasks(
      group.map((name) => steps[name].task),
      options,
    )),
  );
}
const results = chosen.map((name) => resultOf(name)).filter((result) => result !== undefined);
console.log(summaryTable(results, performance.now() - startedAt));
if (report !== undefined) {
  mkdirSync(path.dirname(report), { recursive: true });
  writeFileSync(report, JSON.stringify(results));
}
process.exitCode = results.every((result) => result.outcome === 'passed') ? 0 : 1;

function isUsual(name) {
  return steps[name].isExtra !== true;
}

function withNeeds(given) {
  const all = new Set(given.flatMap((name) => [name, steps[name].needs ?? name]));
  return Object.keys(steps).filter((name) => all.has(name));
}

function resultOf(name) {
  const { task, fix } = steps[name];
  const own = tasks.filter((one) => (task.startsWith('//') ? one.taskId : one.task) === task);
  const ran = own.filter((one) => one.exitCode !== undefined);
  if (ran.length === 0 && name === 'test:campaign') return undefined;
  const failed = ran.filter((one) => one.exitCode !== 0).map((one) => one.package);
  const isComplete = ran.length === own.length || name === 'test:campaign';
  return {
    name,
    outcome: failed.length > 0 ? 'failed' : isComplete && ran.length > 0 ? 'passed' : 'not run',
    seconds: ran.reduce((sum, one) => sum + one.seconds, 0),
    cached: ran.filter((one) => one.isCached).length,
    tasks: own.length,
    failed,
    fix,
    ...countsOf(name),
  };
}

function readArguments(args) {
  const read = { names: [], skip: [], report: undefined, minutes: 24 * 60, force: false };
  const rest = [...args];
  while (rest.length > 0) {
    const next = rest.shift();
    if (next === '--skip') read.skip.push(rest.shift());
    else if (next === '--report') read.report = rest.shift();
    else if (next === '--minutes') read.minutes = Number(rest.shift());
    else if (next === '--force') read.force = true;
    else read.names.push(next);
  }
  const unknown = [...read.names, ...read.skip].filter((name) => steps[name] === undefined);
  if (unknown.length > 0) {
    console.error(`no step ${unknown.join(', ')}; there are ${Object.keys(steps).join(', ')}`);
    process.exit(2);
  }
  return read;
}
