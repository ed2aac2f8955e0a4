import type { Pair } from './segment.ts';

/** The reads of files whose results are whole in view. */
export interface LiveReads {
  /** Takes the newest read of these lines. */
  add(path: string, range: string, pair: Pair): void;
  /** The newest read of the same lines. */
  get(path: string, range: string): Pair | undefined;
  /** The newest reads of a file, newest first. */
  newest(path: string, count: number): readonly Pair[];
  /** The newest reads of all files, newest first. */
  newestOfAll(count: number): readonly Pair[];
  /** Takes out a read that left. */
  forget(pair: Pair): void;
}

/** Starts empty. Takes a look-up; for the newest of a file, its pages in view; for those of all, all pages. */
export function createLiveReads(): LiveReads {
  const files = new Map<string, Map<string, Pair>>();
  return {
    add: (path, range, pair) => {
      const pages = files.get(path) ?? new Map<string, Pair>();
      files.set(path, pages);
      pages.delete(range);
      pages.set(range, pair);
    },
    get: (path, range) => files.get(path)?.get(range),
    newest: (path, count) => [...(files.get(path)?.values() ?? [])].slice(-count).reverse(),
    newestOfAll: (count) =>
      [...files.values()]
        .flatMap((pages) => [...pages.values()])
        .sort((a, b) => b.index - a.index)
        .slice(0, count),
    forget: (pair) => {
      const { path, range } = pair.use ?? { path: '', range: '' };
      const pages = files.get(path);
      if (pages?.get(range) !== pair) return;
      pages.delete(range);
      if (pages.size === 0) files.delete(path);
    },
  };
}
