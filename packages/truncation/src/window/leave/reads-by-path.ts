import type { Pair } from '../log/segment.ts';
import { isRead } from './touched-files.ts';

/** The successful reads in the log that no newer read of the same lines put out of date, by path. */
export interface ReadsByPath {
  add(pair: Pair): void;
  /** Marks the reads of a file as out of date, and gives them; `range` limits it to equal lines. */
  outdate(path: string, range?: string): Pair[];
  forget(pair: Pair): void;
}

/** Starts empty. Cost: the reads of the file. */
export function createReadsByPath(): ReadsByPath {
  const reads = new Map<string, Pair[]>();
  const keep = (path: string, pairs: Pair[]): void => {
    if (pairs.length > 0) reads.set(path, pairs);
    else reads.delete(path);
  };
  return {
    add: (pair) => {
      const { use } = pair;
      if (use !== undefined && isRead(pair)) keep(use.path, [...(reads.get(use.path) ?? []), pair]);
    },
    outdate: (path, range = '') => {
      const known = reads.get(path) ?? [];
      const outdated = known.filter(({ use }) => range === '' || use?.range === range);
      for (const pair of outdated) pair.isOutdated = true;
      keep(
        path,
        known.filter(({ isOutdated }) => !isOutdated),
      );
      return outdated;
    },
    forget: (pair) => {
      const { use } = pair;
      const known = use === undefined ? undefined : reads.get(use.path);
      if (use === undefined || known === undefined) return;
      keep(
        use.path,
        known.filter((other) => other !== pair),
      );
    },
  };
}
