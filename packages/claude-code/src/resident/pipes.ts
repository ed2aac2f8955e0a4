import { fstatSync, readSync, writeSync } from 'node:fs';

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

/** What stood on standard input; `too large`: more than was allowed, and the rest was not read. */
export type PipeInput = { readonly text: string } | 'too large';

/** Reads all of standard input, up to so many bytes. */
async function read(maxBytes: number): Promise<PipeInput> {
  const chunks: Uint8Array[] = [];
  for (let bytes = 0; bytes <= maxBytes; ) {
    const chunk = Buffer.allocUnsafe(256 * 1024);
    const count = await whenReady(() => readSync(0, chunk));
    if (count === 0) return { text: Buffer.concat(chunks).toString('utf8') };
    bytes += count;
    chunks.push(chunk.subarray(0, count));
  }
  return 'too large';
}

/** Writes to standard output or standard error. After the reader has gone it does nothing. */
async function write(file: 1 | 2, text: string): Promise<void> {
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) {
    const count = await whenReady(() => writeSync(file, rest));
    if (count === 0) return;
    rest = rest.subarray(count);
  }
}

/** Whether a person sits at one end, or nothing does. */
function hasPerson(): boolean {
  // After a plain `fstatSync` of a pipe, Node 20 resolves no links of the modules that it loads next.
  return [0, 1].some((file) => fstatSync(file, { bigint: true }).isCharacterDevice());
}

/**
 * The pipes of a process that an agent started, read and written at once: the streams of Node take longer to load than most hooks
 * run.
 */
export const pipes = { hasPerson, read, write };
