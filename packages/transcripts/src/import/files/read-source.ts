import { lstat } from 'node:fs/promises';
import { CtxError, isCtxError } from '@ctx/core';
import { withFile } from './open-file.ts';

/** The bytes of a file that the user named. Throws: the codes of the file. Cost: memory of the file. */
export async function readSource(path: string, name: string): Promise<Uint8Array> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat?.isDirectory() === true) {
    throw new CtxError('CTX_INVALID_FILE', `${name} is a folder; name a file in it`);
  }
  return namingFile(name, () =>
    withFile(path, async ({ chunks }) => {
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks) parts.push(chunk);
      return Buffer.concat(parts);
    }),
  );
}

/** Does `work`; an error about an unknown format names the file. */
export async function namingFile<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isCtxError(error, 'CTX_TRANSCRIPT_UNKNOWN_FORMAT') || error.message.startsWith(name)) {
      throw error;
    }
    throw new CtxError(error.code, `${name}: ${error.message}`, { cause: error.cause });
  }
}
