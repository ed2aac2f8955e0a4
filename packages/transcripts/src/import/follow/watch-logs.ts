import { isCtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { findFiles } from '../files/find-files.ts';
import type { ImportEntry } from '../import-entry.ts';
import type { FoundOptions } from '../import-found.ts';
import { followLogs, type LogFollower } from './follow-logs.ts';

/** What a watch needs. */
export interface WatchOptions extends FoundOptions {
  /** Logs, or folders with them. New files in them are found. */
  readonly names: readonly string[];
  readonly cwd: string;
  /** Called with what was new in a file. */
  readonly onEntry: (entry: ImportEntry) => Promise<void>;
  /** Called where a file cannot be imported; it is tried again when it is looked at next. */
  readonly onFailure: (path: string, error: unknown) => Promise<void>;
  /** Called when all that was there at the beginning is imported. */
  readonly onCurrent: () => Promise<void>;
  /** Waits until the next look; ends at once when the signal is aborted. */
  readonly wait: () => Promise<void>;
}

/** Every so many looks the folders are walked for new files; between, only the files known are looked at. */
const walkEvery = 8;

/**
 * Keeps a store current with logs until the signal is aborted.
 * Files are imported one after the other; one that fails stops no other. Cost of a look: one `lstat` per file.
 */
export async function watchLogs(store: ContextStore, options: WatchOptions): Promise<void> {
  const { signal, names, cwd, wait, onCurrent } = options;
  const follower = followLogs(store, options);
  const goesOn = (): boolean => !signal.aborted;
  let paths: readonly string[] = [];
  for (let round = 0; goesOn(); round += 1) {
    if (round % walkEvery === 0) paths = await pathsIn(names, cwd, paths);
    for (const path of paths) if (goesOn()) await lookAt(follower, path, options);
    if (round === 0 && goesOn()) await onCurrent();
    if (goesOn()) await wait();
  }
  follower.stop();
}

/** The files that are there, but for those that are read with another; those known before where a folder cannot be read just now. */
async function pathsIn(
  names: readonly string[],
  cwd: string,
  before: readonly string[],
): Promise<readonly string[]> {
  try {
    return (await findFiles(names, cwd, { joins: true })).map(({ path }) => path);
  } catch (error) {
    if (before.length === 0) throw error;
    return before;
  }
}

async function lookAt(
  follower: LogFollower,
  path: string,
  { onEntry, onFailure, signal }: WatchOptions,
): Promise<void> {
  try {
    const entry = await follower.look(path);
    if (entry !== undefined) await onEntry(entry);
  } catch (error) {
    // What was written until then is kept, and goes on next time.
    if (signal.aborted && isCtxError(error, 'CTX_ABORTED')) return;
    await onFailure(path, error);
  }
}
