import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { CtxError } from '@ctx/core';
import { watchdogProgram } from './watchdog.ts';

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

function passSignals(child: ChildProcess): () => void {
  const listeners = passedOn.map((signal) => {
    const isOfKey = signal === 'SIGINT' || signal === 'SIGQUIT';
    const listener = (): void => {
      if (!isOfKey || !isInFront()) child.kill(signal);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const stop of listeners) stop();
  };
}

/** Starts what ends the program if this process is killed. Returns how to say that it ended by itself. */
function startWatchdog(pid: number, folder: string | undefined): () => void {
  const args = ['-e', watchdogProgram, String(pid), ...(folder === undefined ? [] : [folder])];
  const watchdog = spawn(process.execPath, args, {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  watchdog.on('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  watchdog.unref();
  return () => {
    watchdog.stdin.end('done');
  };
}

function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/**
 * Runs a program in this process's terminal and returns its exit code, 128 and the number of the signal that ended it. Signals
 * go on to it. If this process is killed, the program ends with everything that it started, within 5 seconds.
 * @throws CtxError `CTX_NOT_FOUND` if there is no such program.
 */
export async function runProgram({ command, args, env, folder }: ProgramRun): Promise<number> {
  // npm installs programs as .cmd files on Windows, which only its shell can start.
  const { default: spawnAnywhere } = await import('cross-spawn');
  const child = spawnAnywhere(command, [...args], { stdio: 'inherit', env: { ...env } });
  const stopPassing = passSignals(child);
  const done = child.pid === undefined ? () => undefined : startWatchdog(child.pid, folder);
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
    stopPassing();
    done();
  });
}
