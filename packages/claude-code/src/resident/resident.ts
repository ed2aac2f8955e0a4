import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type PipeInput, pipes } from './pipes.ts';
import { maxPathBytes, type ResidentCall, readAll } from './resident-call.ts';
import type { AnswerCall, Patience } from './serve-resident.ts';

/** Longest input that is handed on; a longer one is for the process itself, which says so. */
const maxInputBytes = 256 * 1024 * 1024;

/** Longest time until an answer, ms: half of what Claude Code waits for a hook, so that there is time to answer without it. */
const answerMs = 30_000;

/** A person reads an answer in less than five minutes, mostly. */
const usualPatience: Patience = { idleMs: 5 * 60_000, checkMs: 2000 };

/** What became of a command line. */
export interface TakenCall {
  /** The answer stands on standard output. */
  readonly isAnswered?: true;
  /** What stood on standard input, where it was read and not answered. */
  readonly input?: PipeInput;
  /** Starts a process that stays, for the next ones. */
  readonly start?: () => void;
}

/** A process that stays, by the socket on which it is asked. */
export interface Resident {
  /** Asks it. Gives `undefined` where there is none, or it does not answer to the end: the caller does the work itself. */
  readonly ask: (call: ResidentCall) => Promise<string | undefined>;
  /** Asks it for this process: reads standard input, and writes the answer. */
  readonly take: (argv: readonly string[]) => Promise<TakenCall>;
  /** Runs that process until no request came for a while, a last answer was given, or its socket is gone or another's. */
  readonly serve: (answer: AnswerCall, patience?: Patience) => Promise<void>;
}

async function ask(path: string, call: ResidentCall): Promise<string | undefined> {
  // The parts of Node for sockets and processes take long to load: only when they are used, and without the loader of newer modules.
  if (Buffer.byteLength(path) > maxPathBytes || !existsSync(path)) return undefined;
  const { connect } = process.getBuiltinModule('node:net');
  const socket = connect(path);
  socket.setTimeout(answerMs, () => socket.destroy());
  const answered = readAll(socket);
  socket.end(JSON.stringify(call));
  try {
    // Written by a server of the same version: the path is that of one. Half an answer is no JSON.
    const { output } = JSON.parse(await answered) as { readonly output: string };
    return output;
  } catch {
    return undefined;
  }
}

/**
 * Whether a process may stay: not where `CTX_HOOK_RESIDENT` is `off`, nor where errors are looked for; and on Windows others could
 * answer in its place.
 */
function mayStay(): boolean {
  const { CTX_HOOK_RESIDENT: wish, CTX_DEBUG: debug } = process.env;
  return process.platform !== 'win32' && wish !== 'off' && debug === undefined;
}

async function take(path: string, argv: readonly string[]): Promise<TakenCall> {
  if (argv.includes('--resident') || !mayStay() || pipes.hasPerson()) return {};
  const input = await pipes.read(maxInputBytes);
  if (input === 'too large') return { input };
  const { env } = process;
  const output = await ask(path, { argv, cwd: process.cwd(), env, input: input.text });
  if (output !== undefined) {
    await pipes.write(1, output);
    return { isAnswered: true };
  }
  const [, script = ''] = process.argv;
  const args = [script, 'hook', 'claude-code', '--resident', path];
  const start = (): void => {
    const { spawn } = process.getBuiltinModule('node:child_process');
    spawn(process.execPath, args, { cwd: dirname(path), detached: true, stdio: 'ignore' }).unref();
  };
  return { input, start };
}

/**
 * The process that stays to answer what an agent asks again and again: starting anew takes longer than the work.
 * @param path Of its socket, in a folder that only this user can write to, since who writes there answers in its place. One path for
 *   each version of the program.
 */
export function residentAt(path: string): Resident {
  return {
    ask: (call) => ask(path, call),
    take: (argv) => take(path, argv),
    serve: async (answer, patience = usualPatience) => {
      const { serveCalls } = await import('./serve-resident.ts');
      await serveCalls(path, answer, patience);
    },
  };
}
