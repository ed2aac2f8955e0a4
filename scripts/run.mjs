import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt, isBuilt } from './setup/build.mjs';
import { ensureInstalled, isInstalled } from './setup/install.mjs';
import { withLock } from './setup/lock.mjs';
import { Interrupted, runNode, say, throwIfTold, watchSignals } from './setup/processes.mjs';
import { transpile } from './setup/transpile.mjs';
import { root, setupFolder } from './setup/workspace.mjs';

/** Whose arguments name files, as the caller sees them. */
const caller = process.env.INIT_CWD ?? process.cwd();
/** The jobs: what is installed before one (`scope`), and its program, which Node runs from the root. */
const jobs = {
  start: { scope: 'command', program: (args) => ['apps/cli/dist/bin.js', 'up', '--demo', ...args] },
  ctx: { scope: 'command', cwd: caller, program: (args) => ['apps/cli/dist/bin.js', ...args] },
  test: { scope: 'all', program: (args) => testProgram(args) },
  bench: { scope: 'all', cwd: caller, program: ([name, ...args]) => [benchProgram(name), ...args] },
  check: { scope: 'all', program: (args) => ['scripts/check.mjs', ...args] },
  site: { scope: 'all', program: () => ['site/build-site.mjs'] },
  setup: { scope: 'all', program: () => undefined },
};

/** All tests go through turbo, which knows what passed already; with arguments it is vitest that takes them. */
const testProgram = (args) =>
  args.length > 0
    ? ['node_modules/vitest/vitest.mjs', 'run', ...args]
    : ['scripts/check.mjs', 'test'];

/** The program of a measurement, as it is built; throws a plain Error with `exitCode` 2 that lists their names. */
function benchProgram(name) {
  const bench = path.join(root, 'bench');
  const names = (existsSync(bench) ? readdirSync(bench).sort() : []).flatMap(
    (file) => /^measure-([a-z-]+)\.ts$/.exec(file)?.[1] ?? [],
  );
  if (names.includes(name)) return `bench/dist/measure-${name}.js`;
  throw noName(name === undefined ? 'name a measurement' : 'no measurement', name, names);
}

function noName(complaint, name = '', names) {
  const message = `${`${complaint} ${name}`.trim()}; there are ${names.join(', ')}`;
  return Object.assign(new Error(message), { exitCode: 2 });
}

/**
 * Installs and builds what is missing, then does the job and ends with its exit code. Of two at once the second waits; when warm nothing
 * is written. Says what it does on stderr, so that stdout belongs to the job.
 */
export async function main([name = 'start', ...args]) {
  const job = jobs[name];
  watchSignals();
  try {
    if (job === undefined) throw noName('unknown job', name, Object.keys(jobs));
    const command = job.program(args);
    await setUp(job.scope);
    if (name === 'bench') await transpile(path.join(root, 'bench'));
    if (command === undefined) return;
    const [file, ...rest] = command;
    const { cwd = root } = job;
    process.exitCode = await runNode([path.join(root, file), ...rest], { cwd });
  } catch (error) {
    if (!(error instanceof Interrupted)) say(error.message);
    process.exitCode = error.exitCode ?? 1;
  }
}

async function setUp(scope) {
  if (isInstalled(scope) && isBuilt()) return;
  const onWait = (owner) => say(`process ${owner} is setting up already, waiting for it`);
  const lock = { file: path.join(setupFolder, 'setup.lock'), onWait, onPoll: throwIfTold };
  await withLock(lock, async () => {
    await ensureInstalled(scope);
    await ensureBuilt();
  });
}
