import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { CtxError, type CtxErrorCode } from '@ctx/core';

/** Largest file that is imported, bytes. */
export const maxFileBytes: number = 4 * 1024 ** 3;

const chunkBytes = 256 * 1024;
const lineFeed = 0x0a;

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

/** How far a source was read. */
export interface SourcePosition {
  /** Bytes from the start. */
  readonly bytes: number;
  /** SHA-256 (hex) of them. */
  readonly sha256: () => string;
  /** Whether there are no more. */
  readonly hasEnded: boolean;
  /** Whether the last of them ends a line. */
  readonly endsWithLine: boolean;
}

/** A file that is read as a stream, up to the size it had when it was opened. */
export interface OpenedFile {
  readonly sizeBytes: number;
  /** ms since the epoch. */
  readonly modifiedAt: number;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly position: () => SourcePosition;
}

/** Takes note of the bytes of a source as they are read. */
export interface PositionTracker {
  readonly add: (chunk: Uint8Array) => void;
  readonly end: () => void;
  readonly position: () => SourcePosition;
}

/** Starts at the first byte. */
export function trackPosition(onBytes: (bytes: number) => void): PositionTracker {
  const hash = createHash('sha256');
  let bytes = 0;
  let hasEnded = false;
  let endsWithLine = true;
  return {
    add: (chunk) => {
      hash.update(chunk);
      bytes += chunk.length;
      endsWithLine = chunk.at(-1) === lineFeed;
      onBytes(bytes);
    },
    end: () => {
      hasEnded = true;
    },
    position: () => ({
      bytes,
      hasEnded,
      endsWithLine,
      sha256: () => hash.copy().digest('hex'),
    }),
  };
}

/** The bytes of an open file from one place up to another. */
export async function* readRange(
  handle: FileHandle,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let position = from;
  while (position < to) {
    const length = Math.min(chunkBytes, to - position);
    const { bytesRead, buffer } = await handle.read(new Uint8Array(length), 0, length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * A plain file as it is now.
 * @throws `CTX_NOT_ALLOWED`, `CTX_TOO_LARGE`.
 */
async function checkedStat(handle: FileHandle, path: string): Promise<Stats> {
  const stat = await handle.stat();
  if (!stat.isFile()) throw new CtxError('CTX_NOT_ALLOWED', `${path} is no plain file`);
  if (stat.size <= maxFileBytes) return stat;
  throw new CtxError('CTX_TOO_LARGE', `${path} has over ${String(maxFileBytes)} bytes`);
}

/**
 * Opens a plain file for reading, lends it to `work` and closes it. Links are not followed.
 * @throws `CTX_NOT_FOUND`, `CTX_NOT_ALLOWED`, `CTX_TOO_LARGE`, `CTX_STORE_IO`, and what `work` throws.
 */
export async function withHandle<T>(
  path: string,
  work: (handle: FileHandle, stat: Stats) => Promise<T>,
): Promise<T> {
  const handle = await open(path, flags).catch((error: unknown) => {
    throw fileFailure(error, path);
  });
  try {
    return await work(handle, await checkedStat(handle, path));
  } finally {
    await handle.close();
  }
}

/**
 * The bytes of a plain file as it is when the first of them is asked for. Links are not followed.
 * @throws as {@link withHandle}.
 */
export async function* readPlain(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await open(path, flags).catch((error: unknown) => {
    throw fileFailure(error, path);
  });
  try {
    const { size } = await checkedStat(handle, path);
    yield* readRange(handle, 0, size);
  } finally {
    await handle.close();
  }
}

/** As {@link withHandle}, for reading the whole file once. */
export async function withFile<T>(
  path: string,
  work: (file: OpenedFile) => Promise<T>,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<T> {
  return withHandle(path, async (handle, { size: sizeBytes, mtimeMs: modifiedAt }) => {
    const tracker = trackPosition(onBytes);
    async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
      for await (const chunk of readRange(handle, 0, sizeBytes)) {
        tracker.add(chunk);
        yield chunk;
      }
      tracker.end();
    }
    return work({ sizeBytes, modifiedAt, chunks: chunks(), position: tracker.position });
  });
}

/** What became of a file since its first bytes were read. */
export type FileChange = 'same' | 'grown' | 'other';

/** Compares a file with what was read of it. Reads and hashes its first bytes, and does not parse them. */
export async function compareFile(
  path: string,
  { bytes, sha256 }: { readonly bytes: number; readonly sha256: string },
): Promise<FileChange> {
  return withHandle(path, async (handle, { size }) => {
    if (size < bytes) return 'other';
    const hash = createHash('sha256');
    for await (const chunk of readRange(handle, 0, bytes)) hash.update(chunk);
    if (hash.digest('hex') !== sha256) return 'other';
    return size === bytes ? 'same' : 'grown';
  });
}
