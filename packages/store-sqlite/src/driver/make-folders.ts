import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and those above it, private to the user. Node's own `recursive` never returns where a file system answers that
 * the folder above is missing although it is there, as /proc does.
 */
export function makeFolders(path: string): void {
  const parent = dirname(path);
  // A root that is missing, such as a drive of Windows, is its own parent.
  if (parent !== path && !existsSync(parent)) makeFolders(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
