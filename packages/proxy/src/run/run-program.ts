import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { CtxError } from '@ctx/core';
import { runMark, watchdogProgram } from './watchdog.ts';

/** A program that runs in the terminal of this process. */
export interface ProgramRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Deleted if this process is killed; otherwise the caller deletes it. */
  readonly folder?: string | undefined;
}

/** Signals that go on to the program. What a terminal sends reaches it without us. */
const passedOn = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;

/** Whether the keys of a terminal reach this process and the program alike: its group is in front. Where /proc does not tell, a terminal on any stream does. */
function isInFront(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , group, , , inFront] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === inFront;
  } catch {
    return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  }
}

/** Passes signals on. Returns how to stop, which says whether there was one: a key is none, as the agent may go on after it. */
function passSignals(child: ChildProcess, watchdog: Watchdog | undefined): () => boolean {
  let isSignalled = false;
  const listeners = passedOn.map((signal) => {
    const isOfKey = signal === 'SIGINT' || signal === 'SIGQUIT';
    const listener = (): void => {
      if (isOfKey && isInFront()) return;
      isSignalled = true;
      watchdog?.pass(signal);
      child.kill(signal);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const stop of listeners) stop();
    return isSignalled;
  };
}

/** What knows the whole tree of a program's processes. */
interface Watchdog {
  pass(signal: NodeJS.Signals): void;
  /** Says that the program ended: by itself, or after a signal. */
  stop(how: 'done' | 'ended'): void;
}

/** Starts what ends the program if this process is killed. */
function startWatchdog(pid: number, folder: string | undefined, mark: string): Watchdog {
  const args = ['-e', watchdogProgram, String(pid), folder ?? '', mark];
  const watchdog = spawn(process.execPath, args, {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  watchdog.on('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  watchdog.unref();
  return {
    pass: (signal) => void watchdog.stdin.write(`${signal}\n`),
    stop: (how) => void watchdog.stdin.end(`${how}\n`),
  };
}

function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/**
 * Runs a program in this process's terminal and returns its exit code, 128 and the number of the signal that ended it. Signals
 * go on to it. If this process is killed or told to end, the program ends with everything that it started, within 5 seconds.
 * @throws CtxError `CTX_NOT_FOUND` if there is no such program.
 */
export async function runProgram({ command, args, env, folder }: ProgramRun): Promise<number> {
  // npm installs programs as .cmd files on Windows, which only its shell can start.
  const { default: spawnAnywhere } = await import('cross-spawn');
  const mark = randomUUID();
  // A run within a run ends with both.
  const given = { ...env, [runMark]: [env[runMark] ?? [], mark].flat().join(' ') };
  const child = spawnAnywhere(command, [...args], { stdio: 'inherit', env: given });
  const { pid } = child;
  const watchdog = pid === undefined ? undefined : startWatchdog(pid, folder, mark);
  const stopPassing = passSignals(child, watchdog);
  return new Promise<number>((resolve, reject) => {
    child.on('error', (cause) => {
      const isMissing = 'code' in cause && cause.code === 'ENOENT';
      const why = isMissing ? 'it is not installed, or not on the PATH' : cause.message;
      const message = `${command} cannot be started: ${why}`;
      reject(new CtxError('CTX_NOT_FOUND', message, { cause }));
    });
    child.on('exit', (code, signal) => {
      resolve(exitCodeOf(code, signal));
    });
  }).finally(() => {
    const how = stopPassing() ? 'ended' : 'done';
    watchdog?.stop(how);
  });
}
