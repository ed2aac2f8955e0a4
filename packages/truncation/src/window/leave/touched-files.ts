import type { CallUse } from '../../calls/describe-call.ts';
import { createNamedFiles } from '../../calls/named-files.ts';
import type { Pair } from '../log/segment.ts';

/**
 * Knows which files the work is about: those that a call touched lately, across turns of the user, and those that the task or the
 * newest words of the user name.
 */
export interface TouchedFiles {
  /** Takes the next call with its result. */
  take(pair: Pair): void;
  /** Takes what the user says: the first words are the task, the newest take the place of those between. */
  takeWords(text: string): void;
  /** Whether a read shows a file that the work is about. */
  isAtWork(pair: Pair): boolean;
}

/** Whether a pair shows a file. */
export function isRead({ use, isError }: Pick<Pair, 'use' | 'isError'>): boolean {
  return use?.access === 'read' && !isError;
}

/** The files that a call shows or changes. */
export function filesOf({ path, shown, edited }: CallUse): readonly string[] {
  const others = [...(shown ?? []).map((file) => file.path), ...(edited ?? [])];
  return path === '' ? others : [path, ...others];
}

/** What diffs and searches come across is not yet worked on. */
function touchedBy(use: CallUse): readonly string[] {
  return use.shows === 'diff' || use.shows === 'search' ? (use.edited ?? []) : filesOf(use);
}

/** Starts without any. `recentCalls`: how many calls long a file is at work. Cost: a few look-ups a call. */
export function createTouchedFiles(recentCalls: () => number): TouchedFiles {
  const touchedAt = new Map<string, number>();
  const named = createNamedFiles();
  let calls = 0;
  return {
    take: ({ use }) => {
      calls += 1;
      if (use !== undefined) for (const path of touchedBy(use)) touchedAt.set(path, calls);
    },
    takeWords: (text) => {
      named.takeWords(text);
    },
    isAtWork: (pair) => {
      const { use } = pair;
      if (use === undefined || !isRead(pair)) return false;
      return filesOf(use).some(
        (path) => calls - (touchedAt.get(path) ?? -Infinity) <= recentCalls() || named.has(path),
      );
    },
  };
}
