import type { Pair } from '../log/segment.ts';

/** What is known about one file. */
interface TouchedFile {
  /** The episode in which it was read or edited last. */
  episode: number;
  /** Its newest successful read, as far as content goes: what only points to an earlier one does not count. */
  newest: Pair | undefined;
}

/**
 * Knows which files the work is about. An episode is a turn of the user in which something was edited, with the turns before
 * it that only looked: what was read while a plan was made is what the next turn works with.
 */
export interface TouchedFiles {
  /** Takes the next call with its result; gives the read that it puts in second place. */
  take(pair: Pair): Pair | undefined;
  /** A new turn of the user begins. */
  beginTurn(): void;
  /** Whether a read is the newest of a file that was touched in this episode. */
  isAtWork(pair: Pair): boolean;
}

/** Whether a pair shows a file. */
export function isRead({ use, isError }: Pair): boolean {
  return use?.access === 'read' && !isError;
}

/** Starts without any. Cost: one look-up a call. */
export function createTouchedFiles(): TouchedFiles {
  const files = new Map<string, TouchedFile>();
  let episode = 0;
  let hasEdited = false;
  return {
    take: (pair) => {
      const { use } = pair;
      if (use === undefined) return undefined;
      if (use.access === 'edit') hasEdited = true;
      const file = files.get(use.path) ?? { episode, newest: undefined };
      files.set(use.path, file);
      file.episode = episode;
      const before = file.newest;
      if (!isRead(pair)) return undefined;
      file.newest = pair.restsOn ?? pair;
      return before === file.newest ? undefined : before;
    },
    beginTurn: () => {
      if (hasEdited) episode += 1;
      hasEdited = false;
    },
    isAtWork: (pair) => {
      const file = pair.use === undefined ? undefined : files.get(pair.use.path);
      if (file?.episode !== episode || !isRead(pair)) return false;
      return file.newest === pair || (pair.restsOn !== undefined && file.newest === pair.restsOn);
    },
  };
}
