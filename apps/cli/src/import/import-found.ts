import type { ContextStore } from '@ctx/core';
import type { ImportEntry } from '../schemas/import.ts';
import type { FoundFile } from './find-files.ts';
import type { FileSourceOptions } from './import-source.ts';
import { importTranscript } from './import-transcript.ts';
import type { ImportOptions } from './session-import.ts';

/** Imports what was found in one place: a file is one session. Throws: as `importTranscript`. */
export async function importFound(
  store: ContextStore,
  { path }: FoundFile,
  options: ImportOptions & FileSourceOptions,
): Promise<ImportEntry[]> {
  return [await importTranscript(store, path, options)];
}
