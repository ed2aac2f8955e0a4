import { lstatSync, type Stats } from 'node:fs';
import { hasFolders } from './file-layout.ts';

/** Folders remembered at most; then all are forgotten, which costs a few looks each. */
const maxFolders = 1_000;

/** Folders of one store that were looked at from the root down. */
export interface KnownFolders {
  /**
   * Whether the folders down to `path` are there and none is a link. Looks once where the folder is the one that was
   * there the last time; else one for each folder above.
   * @throws `CTX_NOT_ALLOWED` where one of them is a link or a file.
   */
  leadTo(path: string): boolean;
}

type Numbers = Pick<Stats, 'dev' | 'ino'>;

function isSame(stats: Stats, before: Numbers | undefined): boolean {
  return stats.ino === before?.ino && stats.dev === before.dev && stats.isDirectory();
}

/** Makes an empty memory of the folders in `root`. */
export function createKnownFolders(root: string): KnownFolders {
  const known = new Map<string, Numbers>();
  // A link anywhere above would lead to another folder, which has another number.
  return {
    leadTo(path) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      const stats = lstatSync(`${root}/${folder}`, { throwIfNoEntry: false });
      if (stats !== undefined && isSame(stats, known.get(folder))) return true;
      known.delete(folder);
      if (stats === undefined || !hasFolders(root, path)) return false;
      if (known.size >= maxFolders) known.clear();
      known.set(folder, { dev: stats.dev, ino: stats.ino });
      return true;
    },
  };
}
