import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CtxError } from '@ctx/core';
import { agentLog } from '../sources/claude-folder.ts';
import { taskFile, taskSideFiles } from '../sources/task-source.ts';
import { fileFailure } from './open-file.ts';

/** A file to import. */
export interface FoundFile {
  readonly path: string;
  /** Whether the user named the file itself, not a folder above it. */
  readonly isNamed: boolean;
  /** Whether it is the storage folder of an older opencode, which is read as a whole. */
  readonly isStorage?: boolean;
}

/** Folders that hold programs, not transcripts. */
const skippedFolders = new Set(['node_modules', '.git']);

/** Most files that one run takes. */
const maxFiles = 100_000;

/** What stands below a folder that is not imported by itself. */
function isBeside(names: ReadonlySet<string>, name: string): boolean {
  if (names.has(taskFile) && taskSideFiles.has(name)) return true;
  return name.endsWith('.blobs') && names.has(name.slice(0, -'.blobs'.length));
}

const isStorageFolder = (names: ReadonlySet<string>): boolean =>
  names.has('session') && names.has('message');

async function* filesBelow(
  folder: string,
  isNamed: boolean,
): AsyncGenerator<FoundFile, void, undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isNamed) throw fileFailure(error, folder);
    return undefined;
  });
  if (entries === undefined) {
    // Whoever opens it hears why: one folder that cannot be read keeps back no other.
    yield { path: folder, isNamed: false };
    return;
  }
  const names = new Set(entries.map(({ name }) => name));
  if (isStorageFolder(names)) {
    yield { path: folder, isNamed: false, isStorage: true };
    return;
  }
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const entry of entries) {
    if (isBeside(names, entry.name)) continue;
    // Neither links nor devices: their entries are no files and no folders.
    if (entry.isFile()) yield { path: join(folder, entry.name), isNamed: false };
    else if (entry.isDirectory() && !skippedFolders.has(entry.name)) {
      yield* filesBelow(join(folder, entry.name), false);
    }
  }
}

async function addFolder(folder: string, found: Map<string, FoundFile>): Promise<void> {
  for await (const file of filesBelow(folder, true)) {
    if (!found.has(file.path)) found.set(file.path, file);
    if (found.size > maxFiles) {
      throw new CtxError('CTX_TOO_LARGE', `${folder} holds over ${String(maxFiles)} files`);
    }
  }
}

/** Leaves out what is read with the log of a session: what lies in its own folder and was not named itself. */
function withoutJoined(found: readonly FoundFile[]): FoundFile[] {
  const paths = new Set(found.map(({ path }) => path));
  return found.filter(({ path, isNamed }) => {
    const folder = dirname(path);
    const isPart = basename(folder) === 'tool-results' || isAgentLog(path);
    return isNamed || !isPart || !paths.has(`${dirname(folder)}.jsonl`);
  });
}

function isAgentLog(path: string): boolean {
  return basename(dirname(path)) === 'subagents' && agentLog.test(basename(path));
}

/** How files are found. */
export interface FindOptions {
  /** Leaves out files that are read with the log of a session: whole results, and logs of its sub-agents. Default false. */
  readonly joins?: boolean;
}

/**
 * The files that are meant, in order, each once.
 * @throws `CTX_NOT_FOUND` and `CTX_NOT_ALLOWED` for what was named.
 */
export async function findFiles(
  names: readonly string[],
  cwd: string,
  { joins = false }: FindOptions = {},
): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>();
  for (const name of names) {
    const path = resolve(cwd, name);
    const stat = await lstat(path).catch((error: unknown) => {
      throw fileFailure(error, name);
    });
    if (stat.isDirectory()) await addFolder(path, found);
    else found.set(path, { path, isNamed: true });
  }
  return joins ? withoutJoined([...found.values()]) : [...found.values()];
}
