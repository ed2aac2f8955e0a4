import { basename } from 'node:path';
import type { ContextStore } from '@ctx/store';
import type { FoundFile } from './files/find-files.ts';
import { readRange, withHandle } from './files/open-file.ts';
import type { ImportEntry } from './import-entry.ts';
import { type FileSourceOptions, type ImportSource, withFileSource } from './import-source.ts';
import { importSource } from './import-transcript.ts';
import type { ReadTask } from './reading/read-messages.ts';
import { withReaderThread } from './reading/reader-thread.ts';
import { type ImportOptions, sessionImportOf, startSessionImport } from './session-import.ts';
import { withArchive } from './sources/archive-source.ts';
import { withOwnFolder } from './sources/claude-folder.ts';
import {
  type OpenDatabase,
  withDatabaseSources,
  withStorageSources,
} from './sources/open-code-sources.ts';
import { taskFile, withSideFiles } from './sources/task-source.ts';

/** A program that calls `serveReading`, and from which size of a file on a thread for it pays, bytes. */
export interface ReadThread {
  readonly program: URL;
  readonly fromBytes: number;
}

/** How what was found is imported. */
export type FoundOptions = ImportOptions &
  FileSourceOptions & {
    /** Reads files from `fromBytes` on with a thread that runs `program`; `count` says how it counts. Default: none are. */
    readonly thread?: ReadThread;
    /** Opens databases of opencode. Default: they are of an unknown format. */
    readonly openDatabase?: OpenDatabase;
  };

const sqliteHead = 'SQLite format 3\0';

async function isDatabase(path: string): Promise<boolean> {
  return withHandle(path, async (handle) => {
    for await (const chunk of readRange(handle, 0, sqliteHead.length)) {
      return Buffer.from(chunk).toString('latin1') === sqliteHead;
    }
    return false;
  });
}

type LendSources = (path: string, work: (source: ImportSource) => Promise<void>) => Promise<void>;

/** Imports every session that a database or a folder holds. */
async function importEach(
  store: ContextStore,
  { path, lend }: { readonly path: string; readonly lend: LendSources },
  options: ImportOptions,
): Promise<ImportEntry[]> {
  const entries: ImportEntry[] = [];
  await lend(path, async (source) => {
    const entry = await importSource(store, await startSessionImport(source, options), options);
    if (entry !== undefined) entries.push(entry);
  });
  return entries;
}

/** Imports a file with what stands beside it. */
async function importWith(
  store: ContextStore,
  {
    path,
    change,
  }: { readonly path: string; readonly change: (source: ImportSource) => Promise<ImportSource> },
  options: FoundOptions,
): Promise<ImportEntry> {
  for (;;) {
    const done = await withFileSource(path, options, async (source) =>
      importSource(store, await startSessionImport(await change(source), options), options),
    );
    if (done !== undefined) return done;
  }
}

/** Imports a file with what stands beside it, read by a thread of its own. */
async function importByThread(
  store: ContextStore,
  { task, program }: { readonly task: ReadTask; readonly program: URL },
  options: FoundOptions,
): Promise<ImportEntry> {
  const { onBytes } = options;
  for (;;) {
    const done = await withReaderThread({ task, program, onBytes }, (reader) =>
      importSource(store, sessionImportOf(reader, options), options),
    );
    if (done !== undefined) return done;
  }
}

/** What a thread is to read; `undefined` where reading is better done here. */
async function taskOf(
  path: string,
  { format, redact, count, thread }: FoundOptions,
): Promise<{ readonly task: ReadTask; readonly program: URL } | undefined> {
  if (thread === undefined || count === undefined) return undefined;
  if (format !== undefined && typeof format !== 'string') return undefined;
  const size = await withHandle(path, async (_, stat) => stat.size);
  if (size < thread.fromBytes) return undefined;
  const { program } = thread;
  return { program, task: { path, redact, count, ...(format === undefined ? {} : { format }) } };
}

/**
 * Imports what was found in one place: a file is one session, the database or the storage folder of opencode holds many, and a
 * task of Cline or Roo is read with its side files, a session of Claude Code with what lies in its own folder.
 * @throws `CTX_TRANSCRIPT_UNKNOWN_FORMAT`, `CTX_ABORTED`, `CTX_STORE_CONFLICT`, and the codes of the file and the store.
 */
export async function importFound(
  store: ContextStore,
  { path, isStorage = false }: Partial<FoundFile> & Pick<FoundFile, 'path'>,
  options: FoundOptions,
): Promise<ImportEntry[]> {
  if (isStorage) return importEach(store, { path, lend: withStorageSources }, options);
  const { openDatabase } = options;
  if (openDatabase !== undefined && (await isDatabase(path))) {
    const lend: LendSources = (file, work) => withDatabaseSources(file, openDatabase, work);
    return importEach(store, { path, lend }, options);
  }
  const archive = await withArchive(store, path, options);
  if (archive !== undefined) return [archive];
  if (basename(path) === taskFile) {
    return [await importWith(store, { path, change: withSideFiles }, options)];
  }
  const task = await taskOf(path, options);
  if (task !== undefined) return [await importByThread(store, task, options)];
  return [await importWith(store, { path, change: withOwnFolder }, options)];
}
