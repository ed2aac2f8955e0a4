import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContextStore } from '@ctx/store';
import { ctxFormat, readArchive } from '../../formats/ctx/ctx.ts';
import type { BlobSource } from '../../formats/ctx/ctx-blobs.ts';
import type { TranscriptFormat } from '../../transcript.ts';
import { readWhole } from '../files/read-whole.ts';
import type { ImportEntry } from '../import-entry.ts';
import type { FileSourceOptions } from '../import-source.ts';
import { importTranscript } from '../import-transcript.ts';
import type { ImportOptions } from '../session-import.ts';

/** The folder beside an archive that holds its long texts. */
export const blobsFolderOf = (path: string): string => `${path}.blobs`;

/** Blobs by the SHA-256 that names them. */
function blobsIn(folder: string): BlobSource {
  return {
    read: async (sha256) => {
      if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
      return readWhole(join(folder, sha256)).catch(() => undefined);
    },
  };
}

/** The archive format with the texts that stand beside it. */
export function archiveFormat(path: string): TranscriptFormat {
  const blobs = blobsIn(blobsFolderOf(path));
  return { ...ctxFormat, read: (input, options) => readArchive(input, { ...options, blobs }) };
}

/**
 * Imports an archive with blobs beside it; `undefined` where there are none.
 * @throws as `importTranscript`.
 */
export async function withArchive(
  store: ContextStore,
  path: string,
  options: ImportOptions & FileSourceOptions,
): Promise<ImportEntry | undefined> {
  const stat = await lstat(blobsFolderOf(path)).catch(() => undefined);
  if (stat?.isDirectory() !== true) return undefined;
  return importTranscript(store, path, { ...options, format: archiveFormat(path) });
}
