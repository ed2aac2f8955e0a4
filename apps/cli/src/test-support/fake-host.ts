import { runCli } from '../cli.ts';
import type { CliHost, OutputChannel } from '../cli-host.ts';
import type { Terminal } from '../top/terminal.ts';

/** What a machine in a test is like. */
export interface FakeMachine {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether both outputs are a terminal. Default false. */
  readonly isTty?: boolean;
  /** Default 100. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** What stands on standard input. Default: a person sits there and sends nothing. */
  readonly input?: string;
  /** The answer to every question. Default: nobody is there to answer. */
  readonly answer?: boolean;
  /** What is drawn on as a whole. Default: there is none. */
  readonly terminal?: Terminal;
}

/** What was written. */
export interface FakeOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command line ended. */
export interface FakeRun extends FakeOutput {
  readonly exitCode: number;
}

function channel({
  isTty = false,
  columns = 100,
}: FakeMachine): OutputChannel & { text: () => string } {
  let written = '';
  return {
    isTty,
    columns,
    isClosed: () => false,
    write: async (text) => {
      written += text;
    },
    text: () => written,
  };
}

/** A host on a machine of the test's choosing, with what was written to it. */
export function fakeHost(machine: FakeMachine): CliHost & { readonly written: () => FakeOutput } {
  const out = channel(machine);
  const err = channel(machine);
  return {
    env: machine.env ?? {},
    cwd: machine.cwd,
    out,
    err,
    signal: machine.signal ?? new AbortController().signal,
    endAtOnce: () => undefined,
    folders: async () => ({
      home: `${machine.cwd}/home`,
      config: `${machine.cwd}/home/config`,
      data: `${machine.cwd}/home/data`,
    }),
    readInput: async (maxBytes) => {
      const { input: text } = machine;
      if (text === undefined) return undefined;
      return Buffer.byteLength(text) > maxBytes ? 'too large' : { text };
    },
    confirm: async () => machine.answer,
    terminal: async () => machine.terminal,
    written: () => ({ stdout: out.text(), stderr: err.text() }),
  };
}

/** Runs a command line in this process, on a machine of the test's choosing. */
export async function runOn(machine: FakeMachine, ...argv: string[]): Promise<FakeRun> {
  const host = fakeHost(machine);
  const exitCode = await runCli(argv, host, '1.2.3');
  return { exitCode, ...host.written() };
}
