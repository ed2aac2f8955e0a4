import { homedir } from 'node:os';
import type { CliHost, OutputChannel, UserFolders } from './cli-host.ts';

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

function channelOf(stream: NodeJS.WriteStream): OutputChannel {
  let closed = false;
  stream.on('error', (error) => {
    // A reader that has seen enough is no failure; any other error leaves nobody to tell.
    closed = true;
    if (!isBrokenPipe(error)) process.exitCode = 1;
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

async function userFolders(): Promise<UserFolders> {
  const { default: envPaths } = await import('env-paths');
  const { config, data } = envPaths('ctx', { suffix: '' });
  return { home: homedir(), config, data };
}

async function ask(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const { createInterface } = await import('node:readline/promises');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`${question} [y/N] `);
    return ['y', 'yes'].includes(answer.trim().toLowerCase());
  } finally {
    prompt.close();
  }
}

/** The host of this process. The first Ctrl-C aborts the signal, so that work ends at a clean place. */
export function processHost(signal: AbortSignal): CliHost {
  return {
    env: process.env,
    cwd: process.cwd(),
    out: channelOf(process.stdout),
    err: channelOf(process.stderr),
    signal,
    folders: userFolders,
    confirm: ask,
  };
}
