import { userFolders } from '@ctx/agent-adapter/store';
import type { CliHost, OutputChannel } from './cli-host.ts';

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

function channelOf(stream: NodeJS.WriteStream, onFailure: (error: Error) => void): OutputChannel {
  let closed = false;
  stream.on('error', (error: Error) => {
    // A reader that has seen enough is no failure.
    closed = true;
    if (!isBrokenPipe(error)) onFailure(error);
  });
  return {
    isTty: stream.isTTY,
    columns: stream.columns > 0 ? stream.columns : 80,
    isClosed: () => closed,
    write: (text) =>
      new Promise((resolve) => {
        if (closed) resolve();
        else
          stream.write(text, () => {
            resolve();
          });
      }),
  };
}

async function ask(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const { createInterface } = await import('node:readline/promises');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`${question} [y/N] `);
    return ['y', 'yes'].includes(answer.trim().toLowerCase());
  } catch (cause) {
    // Ctrl-C, or the end of the input: what is said next begins on a line of its own.
    process.stderr.write('\n');
    const { CtxError } = await import('@ctx/core');
    throw new CtxError('CTX_ABORTED', 'the question was not answered', { cause });
  } finally {
    prompt.close();
  }
}

async function readInput(maxBytes: number): Promise<{ text: string } | 'too large' | undefined> {
  if (process.stdin.isTTY) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const read = Buffer.from(chunk as Uint8Array); // Without an encoding the stream gives bytes.
    bytes += read.length;
    if (bytes > maxBytes) return 'too large';
    chunks.push(read);
  }
  return { text: Buffer.concat(chunks).toString('utf8') };
}

/**
 * The host of this process. `signal` is aborted by the first Ctrl-C, so that work ends at a clean place; `onFailure` is told
 * when standard output cannot be written; `endAtOnce` has the next Ctrl-C end the process.
 */
export function processHost(
  signal: AbortSignal,
  onFailure: (error: Error) => void,
  endAtOnce: () => void = () => undefined,
): CliHost {
  return {
    env: process.env,
    cwd: process.cwd(),
    out: channelOf(process.stdout, onFailure),
    err: channelOf(process.stderr, () => undefined),
    signal,
    endAtOnce,
    folders: userFolders,
    readInput,
    confirm: ask,
    terminal: async () => (await import('./top/terminal.ts')).processTerminal(),
  };
}
