import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import path from 'node:path';
import { root } from './workspace.mjs';

/** The person pressed Ctrl-C, or the process was told to end. */
export class Interrupted extends Error {
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

let told;
let current;

/** From here on Ctrl-C reaches the running child, and ends us only where {@link throwIfTold} or {@link run} notices: no lock stays. */
export function watchSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      told ??= signal;
      // A terminal sends Ctrl-C to the child by itself.
      if (signal !== 'SIGINT' || process.stdin.isTTY !== true) current?.kill(signal);
    });
  }
}

/** Throws {@link Interrupted} once a watched signal came. */
export function throwIfTold() {
  if (told !== undefined) throw new Interrupted(told);
}

/** Our programs send no telemetry; npm neither remarks on the user's npmrc nor takes `npm --prefix` for the folder of what we start. */
export function quietEnvironment() {
  const folders = [path.join(root, 'node_modules/.bin'), process.env.PATH ?? ''];
  return {
    ...process.env,
    ...{ npm_config_prefix: undefined, npm_config_globalconfig: undefined },
    PATH: folders.join(path.delimiter),
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    NO_UPDATE_NOTIFIER: '1',
    npm_config_loglevel: 'error',
    npm_config_update_notifier: 'false',
  };
}

/** Runs a program to its end, which we outlive, and returns its exit code; throws {@link Interrupted}, after the child's end. */
export async function run(file, args, options = {}) {
  throwIfTold();
  const usual = { cwd: root, stdio: 'inherit', env: quietEnvironment() };
  const child = spawn(file, args, { ...usual, ...options });
  current = child;
  const [code, signal] = await once(child, 'close').finally(() => (current = undefined));
  throwIfTold();
  if (signal === 'SIGINT') throw new Interrupted(signal);
  return code ?? 128 + (constants.signals[signal] ?? 0);
}

/** {@link run} with this Node. */
export const runNode = (args, options = {}) => run(process.execPath, args, options);

/** For setting up: stdout belongs to the job, so what a tool prints there goes to stderr. */
export const toStderr = { stdio: ['ignore', 2, 2] };
/** One line of progress for a person, on stderr. */
export const say = (line) => void process.stderr.write(`ctx: ${line}\n`);

/** `1.2 s` since `startedAt` (from performance.now). */
export const since = (startedAt) => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
