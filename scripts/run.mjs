import path from 'node:path';
import { benchProgram } from './bench-program.mjs';
import { ensureBuilt, isBuilt } from './setup/build.mjs';
import { ensureInstalled, isInstalled } from './setup/install.mjs';
import { withLock } from './setup/lock.mjs';
import { Interrupted, runNode, throwIfTold, watchSignals } from './setup/processes.mjs';
import { say } from './setup/say.mjs';
import { root, setupFolder } from './setup/workspace.mjs';

/** What a command needs (`built`) and the program that does it, in Node, from the root. */
const jobs = {
  start: (args) => ['apps/cli/dist/bin.js', 'up', '--demo', ...args],
  ctx: (args) => ['apps/cli/dist/bin.js', ...args],
  test: (args) => ['node_modules/vitest/vitest.mjs', 'run', ...args],
  bench: ([name, ...args]) => [benchProgram(name), ...args],
  check: (args) => ['scripts/check.mjs', ...args],
  setup: () => undefined,
};

/** Jobs whose arguments name files as the caller sees them. */
const takesPaths = new Set(['ctx', 'bench']);

/** Jobs that build what they need themselves, step by step. */
const buildsItself = new Set(['check']);

/**
 * Installs and builds what is missing, then does the job and ends with its exit code.
 * Contract: two at once never install or build at the same time; the second waits. When warm nothing is written.
 * Units: says what it does on stderr, so that stdout belongs to the job.
 */
export async function main([name = 'start', ...args]) {
  const job = jobs[name];
  if (job === undefined) {
    say(`unknown job ${name}; there are ${Object.keys(jobs).join(', ')}`);
    process.exitCode = 2;
    return;
  }
  watchSignals();
  try {
    const command = job(args);
    await setUp(!buildsItself.has(name));
    if (command === undefined) return;
    const [file, ...rest] = command;
    const cwd = takesPaths.has(name) ? (process.env.INIT_CWD ?? process.cwd()) : root;
    process.exitCode = await runNode([path.join(root, file), ...rest], { cwd });
  } catch (error) {
    if (!(error instanceof Interrupted)) say(error.message);
    process.exitCode = error.exitCode ?? 1;
  }
}

async function setUp(build) {
  const ready = () => isInstalled() && (!build || isBuilt());
  if (ready()) return;
  const onWait = (owner) => say(`process ${owner} is setting up already, waiting for it`);
  const lock = { file: path.join(setupFolder, 'setup.lock'), onWait, onPoll: throwIfTold };
  await withLock(lock, async () => {
    await ensureInstalled();
    if (build) await ensureBuilt();
  });
}
