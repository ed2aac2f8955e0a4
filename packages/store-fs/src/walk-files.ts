import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from './system-errors.ts';

/** Something in the store that is no folder. */
export interface FoundFile {
  /** Below the store's folder. */
  readonly path: string;
  readonly name: string;
  /** Whether it is an ordinary file, and not a link or device. */
  readonly isFile: boolean;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/**
 * Gives what lies in the folders of the tenants. Links are given and never followed; the store's own folders are left out.
 * Cost: one read of each folder, no file is opened.
 */
export function* walkFiles(root: string, below = ''): Generator<FoundFile> {
  for (const entry of entriesOf(join(root, below))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    const isOwn = below === '' && entry.name.startsWith('.');
    if (entry.isDirectory()) {
      if (!isOwn) yield* walkFiles(root, path);
    } else yield { path, name: entry.name, isFile: entry.isFile() };
  }
}
