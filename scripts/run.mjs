import path from 'node:path';
import { benchProgram } from './bench-program.mjs';
import { ensureBuilt, isBuilt } from './setup/build.mjs';
import { ensureInstalled, isInstalled } from './setup/install.mjs';
import { withLock } from './setup/lock.mjs';
import { Interrupted, runNode, throwIfTold, watchSignals } from './setup/processes.mjs';
import { say } from './setup/say.mjs';
import { transpile } from './setup/transpile.mjs';
import { root, setupFolder } from './setup/workspace.mjs';

/**
 * The jobs: what is installed before one (`scope`), and its program, which Node runs from the root.
 */
const jobs = {
  start: { scope: 'command', program: (args) => ['apps/cli/dist/bin.js', 'up', '--demo', ...args] },
  ctx: { scope: 'command', program: (args) => ['apps/cli/dist/bin.js', ...args] },
  test: { scope: 'all', program: (args) => testProgram(args) },
  bench: { scope: 'all', program: ([name, ...args]) => [benchProgram(name), ...args] },
  check: { scope: 'all', program: (args) => ['scripts/check.mjs', ...args] },
  setup: { scope: 'all', program: () => undefined },
};

/** Jobs whose arguments name files as the caller sees them. */
const takesPaths = new Set(['ctx', 'bench']);

/** All tests go through turbo, which knows what passed already; with arguments it is vitest that takes them. */
function testProgram(args) {
  if (args.length > 0) return ['node_modules/vitest/vitest.mjs', 'run', ...args];
  return ['scripts/check.mjs', 'test'];
}

/**
 * Installs and builds what is missing, then does the job and ends with its exit code.
 * Two at once never install or build at the same time: the second waits. When warm nothing is written.
 * Says what it does on stderr, so that stdout belongs to the job.
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
    const command = job.program(args);
    await setUp(job.scope);
    if (name === 'bench') await transpile(path.join(root, 'bench'));
    if (command === undefined) return;
    const [file, ...rest] = command;
    const cwd = takesPaths.has(name) ? (process.env.INIT_CWD ?? process.cwd()) : root;
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
