import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { CtxError, type CtxErrorCode } from '@ctx/core';

/** Largest file that is imported, bytes. */
export const maxFileBytes: number = 4 * 1024 ** 3;

const chunkBytes = 256 * 1024;

const meanings: Readonly<Record<string, readonly [CtxErrorCode, string]>> = {
  ENOENT: ['CTX_NOT_FOUND', 'there is no file'],
  ENOTDIR: ['CTX_NOT_FOUND', 'there is no file'],
  ELOOP: ['CTX_NOT_ALLOWED', 'links are not followed; name the file itself:'],
  EACCES: ['CTX_NOT_ALLOWED', 'this user may not read'],
  EPERM: ['CTX_NOT_ALLOWED', 'this user may not read'],
};

/** Wraps what the file system threw about a file that the user named. */
export function fileFailure(error: unknown, path: string): CtxError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  const [ctxCode, what] = known ?? ['CTX_STORE_IO', 'the file cannot be read:'];
  return new CtxError(ctxCode, `${what} ${path}`, { cause: error });
}

/** A file that is read as a stream, up to the size it had when it was opened. */
export interface OpenedFile {
  readonly sizeBytes: number;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** SHA-256 (hex) of what was read so far; of the whole file once `chunks` has ended. */
  readonly sha256: () => string;
}

async function* readChunks(
  handle: FileHandle,
  sizeBytes: number,
  seen: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let position = 0;
  while (position < sizeBytes) {
    const length = Math.min(chunkBytes, sizeBytes - position);
    const { bytesRead, buffer } = await handle.read(new Uint8Array(length), 0, length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    const chunk = buffer.subarray(0, bytesRead);
    seen(chunk);
    yield chunk;
  }
}

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The size of a plain file. Throws: `CTX_NOT_ALLOWED`, `CTX_TOO_LARGE`. */
async function checkedSize(handle: FileHandle, path: string): Promise<number> {
  const stat = await handle.stat();
  if (!stat.isFile()) throw new CtxError('CTX_NOT_ALLOWED', `${path} is no plain file`);
  if (stat.size <= maxFileBytes) return stat.size;
  throw new CtxError('CTX_TOO_LARGE', `${path} has over ${String(maxFileBytes)} bytes`);
}

/**
 * Opens a file for reading, lends it to `work` and closes it. Links are not followed, and only plain files are read.
 * Throws: `CTX_NOT_FOUND`, `CTX_NOT_ALLOWED`, `CTX_TOO_LARGE`, `CTX_STORE_IO`, and what `work` throws.
 */
export async function withFile<T>(
  path: string,
  work: (file: OpenedFile) => Promise<T>,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<T> {
  const handle = await open(path, flags).catch((error: unknown) => {
    throw fileFailure(error, path);
  });
  try {
    const sizeBytes = await checkedSize(handle, path);
    const hash = createHash('sha256');
    let bytes = 0;
    const chunks = readChunks(handle, sizeBytes, (chunk) => {
      hash.update(chunk);
      bytes += chunk.length;
      onBytes(bytes);
    });
    return await work({ sizeBytes, chunks, sha256: () => hash.copy().digest('hex') });
  } finally {
    await handle.close();
  }
}
