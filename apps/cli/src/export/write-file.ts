import { lstat, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CtxError, isCtxError } from '@ctx/core';
import type { writeArchive } from '@ctx/transcripts';
import type { CommandContext } from '../command-context.ts';

const outMeanings: Readonly<Record<string, string>> = {
  EEXIST: 'exists already; name a new file',
  ENOENT: 'is in a folder that does not exist',
  ENOTDIR: 'is in something that is no folder',
};

function outFailure(path: string, cause: unknown): CtxError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const what = Object.hasOwn(outMeanings, code) ? outMeanings[code] : undefined;
  if (what !== undefined) return new CtxError('CTX_USAGE', `--out ${path} ${what}`);
  return new CtxError('CTX_STORE_IO', `${path} cannot be made`, { cause });
}

/** Writes a new file that only its owner may read; where that fails it is gone again. */
async function writePrivate(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<number> {
  const file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw outFailure(path, cause);
  });
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      await file.writeFile(chunk);
      bytes += chunk.length;
    }
  } catch (cause) {
    await rm(path, { force: true });
    if (isCtxError(cause)) throw cause;
    throw new CtxError('CTX_STORE_IO', `${path} cannot be written`, { cause });
  } finally {
    await file.close();
  }
  return bytes;
}

type BlobStore = NonNullable<NonNullable<Parameters<typeof writeArchive>[1]>['blobs']>;

/** Keeps long texts beside the archive, each once. */
export function blobsBeside(path: string): BlobStore {
  const folder = `${path}.blobs`;
  return {
    write: async (sha256, bytes) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const target = join(folder, sha256);
      const isThere = await lstat(target).catch(() => undefined);
      if (isThere === undefined) await writePrivate(target, [bytes]);
    },
  };
}

/** Writes chunks to the new file, readable by its owner only, or to standard output. Gives their bytes. */
export async function writeChunks(
  context: CommandContext,
  path: string | undefined,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<number> {
  if (path !== undefined) return writePrivate(path, chunks);
  let bytes = 0;
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    bytes += chunk.length;
    await context.print(decoder.decode(chunk, { stream: true }));
  }
  return bytes;
}
