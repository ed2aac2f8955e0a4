import type { CallUse } from '../../calls/describe-call.ts';
import { createFileCoverage, type FileLines } from '../../calls/files/file-coverage.ts';
import { wholeFile } from '../../calls/files/line-range.ts';
import type { Pair } from '../log/segment.ts';
import { filesOf, showsFile } from './touched-files.ts';

/** The successful reads in the log, and results of edits, that no newer read of the same lines put out of date, by path. */
export interface ReadsByPath {
  add(pair: Pair): void;
  /** Marks the reads as out of date of which a newer one shows every line again, and gives them. */
  outdate(newer: CallUse): Pair[];
  forget(pair: Pair): void;
}

/** The lines that a read shows of its files; without a range all of the file. */
function shownBy({ path, range, shown }: CallUse): readonly FileLines[] {
  if (shown !== undefined) return shown;
  return [{ path, lines: range === '' ? wholeFile : 'unknown' }];
}

/** Whether a newer read shows every line of an older one again, as far as the calls tell. */
function covers(newer: CallUse, older: CallUse): boolean {
  if (newer.path === older.path && newer.range === older.range) return true;
  const coverage = createFileCoverage();
  for (const each of shownBy(newer)) coverage.add(each);
  const lines = shownBy(older);
  return lines.length > 0 && lines.every((file) => coverage.covers(file));
}

/** Starts empty. Goes through the reads of the files. */
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
      if (pair.use === undefined || !showsFile(pair)) return;
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
