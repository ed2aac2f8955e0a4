import { createLineCoverage, type LineCoverage, type LineRange, wholeFile } from './line-range.ts';

/** Lines of a file that stand in the conversation; `unknown` where a call does not tell. */
export interface FileLines {
  readonly path: string;
  readonly lines: LineRange | 'unknown';
}

/** What the newer of all copies of files show, to be asked whether an older copy has become a duplicate. */
export interface FileCoverage {
  /** Whether one of them shows all these lines; of unknown lines, whether one shows the whole file. */
  covers(copy: FileLines): boolean;
  /** Unknown lines cover nothing. */
  add(copy: FileLines): void;
}

/** Starts with nothing covered. Paths are compared as they are. */
export function createFileCoverage(): FileCoverage {
  const files = new Map<string, LineCoverage>();
  return {
    covers: ({ path, lines }) =>
      files.get(path)?.covers(lines === 'unknown' ? wholeFile : lines) ?? false,
    add: ({ path, lines }) => {
      if (lines === 'unknown') return;
      const known = files.get(path) ?? createLineCoverage();
      files.set(path, known);
      known.add(lines);
    },
  };
}
