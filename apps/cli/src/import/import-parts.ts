import type { FoundOptions } from '@ctx/transcripts/import';

/** Reads big files on a thread: from this size on, starting one pays. */
export const thread: NonNullable<FoundOptions['thread']> = {
  // As deep in the folder where both are bundled.
  program: new URL(
    `../import/read-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`,
    import.meta.url,
  ),
  fromBytes: 16_000_000,
};

/** Reads opencode's database. */
export const openDatabase: NonNullable<FoundOptions['openDatabase']> = async (path) =>
  (await import('@ctx/store-sqlite')).openForeignDatabase(path);
