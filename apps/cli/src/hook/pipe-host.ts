import { fstatSync, readSync, writeSync } from 'node:fs';
import { userFolders } from '@ctx/agent-adapter/store';
import type { CliHost, OutputChannel } from '../cli-host.ts';
import { processHost } from '../process-host.ts';

/** Reads or writes, waiting while a pipe that does not block is not ready. Gives 0 at its end. */
async function whenReady(work: () => number): Promise<number> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EOF' || code === 'EPIPE') return 0;
      if (code !== 'EAGAIN') throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

async function readInput(maxBytes: number): ReturnType<CliHost['readInput']> {
  const chunks: Uint8Array[] = [];
  for (let bytes = 0; bytes <= maxBytes; ) {
    const chunk = Buffer.allocUnsafe(256 * 1024);
    const read = await whenReady(() => readSync(0, chunk));
    if (read === 0) return { text: Buffer.concat(chunks).toString('utf8') };
    bytes += read;
    chunks.push(chunk.subarray(0, read));
  }
  return 'too large';
}

function channelTo(file: 1 | 2): OutputChannel {
  const write = async (text: string): Promise<void> => {
    let rest: Uint8Array = Buffer.from(text);
    while (rest.length > 0) {
      const written = await whenReady(() => writeSync(file, rest));
      if (written === 0) return;
      rest = rest.subarray(written);
    }
  };
  return { isTty: false, columns: 80, isClosed: () => false, write };
}

/**
 * The host of a process that an agent started: pipes are read and written at once, since the streams of Node take longer to load than
 * most hooks run. Where a person sits at one end it is {@link processHost}.
 */
export function pipeHost(): CliHost {
  const { signal } = new AbortController();
  // After a plain `fstatSync` of a pipe, Node 20 resolves no links of the modules that it loads next.
  const hasPerson = [0, 1].some((file) => fstatSync(file, { bigint: true }).isCharacterDevice());
  if (hasPerson) return processHost(signal, () => undefined);
  return {
    ...{ env: process.env, cwd: process.cwd(), signal, endAtOnce: () => undefined },
    ...{ out: channelTo(1), err: channelTo(2), readInput, folders: userFolders },
    confirm: () => Promise.resolve(undefined),
  };
}
