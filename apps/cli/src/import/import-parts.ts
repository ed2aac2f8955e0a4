import type { importFound } from '@ctx/transcripts/import';

/** How transcripts are imported. */
export type ImportOptions = Parameters<typeof importFound>[2];

/** Reads big files on a thread: from this size on, starting one pays. */
export const thread: NonNullable<ImportOptions['thread']> = {
  // As deep in the folder where both are bundled.
  program: new URL(`../import/read-thread.${import.meta.url.slice(-2)}`, import.meta.url),
  fromBytes: 16_000_000,
};

/** Reads opencode's database. */
export const openDatabase: NonNullable<ImportOptions['openDatabase']> = async (path) =>
  (await import('@ctx/store-sqlite')).openForeignDatabase(path);
