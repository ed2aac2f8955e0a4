import { spawn } from 'node:child_process';
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

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Our programs phone nobody, and npm's remarks on a person's own npmrc are not ours to repeat. */
export function quietEnvironment() {
  const bin = path.join(root, 'node_modules/.bin');
  return {
    ...process.env,
    PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    NO_UPDATE_NOTIFIER: '1',
    npm_config_loglevel: 'error',
    npm_config_update_notifier: 'false',
  };
}

/**
 * Runs a program to its end and answers its exit code.
 * Contract: a signal to us reaches the child too, and we outlive it, so that what it leaves is known (a lock is
 * released by its owner). Throws: {@link Interrupted}, after the child's end.
 */
export function run(file, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: root,
      stdio: 'inherit',
      env: quietEnvironment(),
      ...options,
    });
    let told;
    const onSignal = (signal) => {
      told ??= signal;
      // A terminal sends Ctrl-C to the child by itself.
      if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal);
    };
    for (const signal of signals) process.on(signal, onSignal);
    const settle = (action) => {
      for (const signal of signals) process.off(signal, onSignal);
      action();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('close', (code, signal) =>
      settle(() => {
        const by = told ?? (signal === 'SIGINT' ? signal : undefined);
        if (by !== undefined) reject(new Interrupted(by));
        else resolve(code ?? 128 + (constants.signals[signal] ?? 0));
      }),
    );
  });
}

/** {@link run} with this Node. */
export function runNode(args, options = {}) {
  return run(process.execPath, args, options);
}

/** For setting up: stdout belongs to the job, so what a tool prints there goes to stderr. */
export const toStderr = { stdio: ['ignore', 2, 2] };
