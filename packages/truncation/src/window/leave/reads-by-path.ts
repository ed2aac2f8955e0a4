import type { CallUse } from '../../calls/describe-call.ts';
import type { ShownFile } from '../../calls/shell-shows.ts';
import type { Pair } from '../log/segment.ts';
import { filesOf, isRead } from './touched-files.ts';

/** The successful reads in the log that no newer read of the same lines put out of date, by path. */
export interface ReadsByPath {
  add(pair: Pair): void;
  /** Marks the reads as out of date of which a newer one shows every line again, and gives them. */
  outdate(newer: CallUse): Pair[];
  forget(pair: Pair): void;
}

/** The lines that a read shows of its files; without a range all of the file. */
function shownBy({ path, range, shown }: CallUse): readonly ShownFile[] {
  if (shown !== undefined) return shown;
  return [{ path, lines: range === '' ? { first: 1, last: Infinity } : 'unknown' }];
}

function isWithin(older: ShownFile, newer: ShownFile): boolean {
  if (older.path !== newer.path || newer.lines === 'unknown') return false;
  const { first, last } = newer.lines;
  if (first === 1 && last === Infinity) return true;
  return older.lines !== 'unknown' && first <= older.lines.first && last >= older.lines.last;
}

/** Whether a newer read shows every line of an older one again, as far as the calls tell. */
function covers(newer: CallUse, older: CallUse): boolean {
  if (newer.path === older.path && newer.range === older.range) return true;
  const lines = shownBy(older);
  return (
    lines.length > 0 && lines.every((file) => shownBy(newer).some((each) => isWithin(file, each)))
  );
}

/** Starts empty. Cost: the reads of the files. */
export function createReadsByPath(): ReadsByPath {
  const reads = new Map<string, Pair[]>();
  const keep = (path: string, pairs: Pair[]): void => {
    if (pairs.length > 0) reads.set(path, pairs);
    else reads.delete(path);
  };
  const forget = (pair: Pair): void => {
    for (const path of pair.use === undefined ? [] : filesOf(pair.use)) {
      keep(
        path,
        (reads.get(path) ?? []).filter((other) => other !== pair),
      );
    }
  };
  return {
    add: (pair) => {
      if (pair.use === undefined || !isRead(pair)) return;
      for (const path of new Set(filesOf(pair.use)))
        reads.set(path, [...(reads.get(path) ?? []), pair]);
    },
    outdate: (newer) => {
      const known = new Set(filesOf(newer).flatMap((path) => reads.get(path) ?? []));
      const outdated = [...known].filter(({ use }) => use !== undefined && covers(newer, use));
      for (const pair of outdated) {
        pair.isOutdated = true;
        forget(pair);
      }
      return outdated;
    },
    forget,
  };
}
