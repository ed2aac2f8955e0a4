import { CtxError } from '@ctx/core';
import { readRange, withHandle } from './open-file.ts';

/** Longest side file that is read whole, bytes. */
const maxSideBytes = 64 * 1024 * 1024;

/**
 * All bytes of a file. `maxBytes` defaults to 64 MiB.
 * @throws the codes of the file; `CTX_TOO_LARGE`.
 */
export async function readWhole(
  path: string,
  maxBytes: number = maxSideBytes,
): Promise<Uint8Array> {
  return withHandle(path, async (handle, { size }) => {
    if (size > maxBytes) {
      throw new CtxError('CTX_TOO_LARGE', `${path} has over ${String(maxBytes)} bytes`);
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of readRange(handle, 0, size)) chunks.push(chunk);
    return Buffer.concat(chunks);
  });
}
