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
  /** Calls since a file of a read was touched, as a share of those for which it is at work; 0 for one that is named. */
  restOf(pair: Pair): number;
  /** Whether a read, or the result of an edit, shows a file that the work is about. */
  isAtWork(pair: Pair): boolean;
}

/** Whether a pair shows a file. */
export function isRead({ use, isError }: Pick<Pair, 'use' | 'isError'>): boolean {
  return use?.access === 'read' && !isError;
}

/** Whether a pair shows a file, or what an edit made of it. */
export function showsFile({ use, isError }: Pick<Pair, 'use' | 'isError'>): boolean {
  return use !== undefined && !isError;
}

/** The files that a call shows or changes. */
export function filesOf({ path, shown, edited }: CallUse): readonly string[] {
  const others = [...(shown ?? []).map((file) => file.path), ...(edited ?? [])];
  return path === '' ? others : [path, ...others];
}

/** The files that a call changes. */
function changedBy({ access, path, edited }: CallUse): readonly string[] {
  return edited ?? (access === 'edit' ? [path] : []);
}

/** What diffs and searches come across is not yet worked on. */
function touchedBy(use: CallUse): readonly string[] {
  return use.shows === 'diff' || use.shows === 'search' ? (use.edited ?? []) : filesOf(use);
}

/** For how many calls a file is at work after its last read or edit, and one that was changed before. */
export interface WorkCalls {
  readonly workCalls: number;
  readonly editedWorkCalls: number;
}

/** Starts without any. Costs a few look-ups a call. */
export function createTouchedFiles(policy: () => WorkCalls): TouchedFiles {
  const touchedAt = new Map<string, number>();
  const changed = new Set<string>();
  const named = createNamedFiles();
  let calls = 0;
  const restOfFile = (path: string): number => {
    if (named.has(path)) return 0;
    const { workCalls, editedWorkCalls } = policy();
    const most = changed.has(path) ? editedWorkCalls : workCalls;
    return (calls - (touchedAt.get(path) ?? -Infinity)) / (most + 1);
  };
  const restOf = ({ use }: Pair): number =>
    use === undefined ? Infinity : Math.min(...filesOf(use).map(restOfFile));
  return {
    take: ({ use, isError }) => {
      calls += 1;
      if (use === undefined) return;
      for (const path of touchedBy(use)) touchedAt.set(path, calls);
      if (!isError) for (const path of changedBy(use)) changed.add(path);
    },
    takeWords: (text) => {
      named.takeWords(text);
    },
    restOf,
    isAtWork: (pair) => showsFile(pair) && restOf(pair) < 1,
  };
}
