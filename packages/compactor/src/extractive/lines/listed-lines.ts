/** What a search prints for a line of a file: its path, its number, a sign and the line. */
const found = /^((?:\.{0,2}\/)?(?:[\w.@+~-]+\/)*[\w@+-][\w.@+-]*\.\w{1,8})([:-])\d{1,7}\2(.*)$/;
/** The same for one file that was named: number, sign and line. */
const numbered = /^\s{0,8}\d{1,7}[:-](.*)$/;
/** So many numbered lines make a listing; fewer may be times or sizes. */
const leastNumbered = 3;

/** Lines of one file. */
export interface ListedLines {
  /** The path as the listing names it; '' for lines of no named file. */
  readonly path: string;
  readonly text: string;
}

/**
 * Takes the listing of a search apart by file, in the order in which the files appear: a path that stands before each line need stand but
 * once. Text that is no listing comes back whole. Makes one pass.
 */
export function listedByFile(text: string): ListedLines[] {
  const files = new Map<string, string[]>();
  const add = (path: string, line: string): void => {
    const known = files.get(path);
    if (known === undefined) files.set(path, [line]);
    else known.push(line);
  };
  for (const line of text.split('\n')) {
    const [, path = '', , rest = line] = line.length > maxLine ? [] : (found.exec(line) ?? []);
    add(path, rest);
  }
  return Array.from(files, ([path, lines]) => ({
    path,
    text: (path === '' ? withoutNumbers(lines) : lines).join('\n'),
  }));
}

/** A longer line is no line of source, characters. */
const maxLine = 2000;

function withoutNumbers(lines: readonly string[]): readonly string[] {
  const told = lines.filter((line) => line !== '' && line !== '--');
  const isListing = told.length >= leastNumbered && told.every((line) => numbered.test(line));
  return isListing ? told.map((line) => numbered.exec(line)?.[1] ?? line) : lines;
}
