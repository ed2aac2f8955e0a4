import { counted, cutLine } from './choose-lines.ts';
import {
  type CompressDraft,
  type CompressInput,
  type Compressor,
  findWorkLines,
  startOf,
} from './compressor.ts';

/** Diffs up to this are shown whole, lines of hunks. */
const wholeUpTo = 300;

/** Files that a program writes. */
const generated =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|Cargo\.lock|poetry\.lock|Gemfile\.lock|composer\.lock|go\.sum|uv\.lock|bun\.lockb?)$|\.(?:min\.(?:js|css)|map|snap|pb\.go)$|(?:^|\/)(?:dist|vendor|node_modules)\//;

/** A file of a diff. */
interface FileDiff {
  readonly path: string;
  /** Its lines before the first hunk. */
  readonly head: string[];
  readonly hunks: string[][];
  added: number;
  removed: number;
}

const fileStart = /^(?:diff --git |Index: |diff -)/;

/** The new path of `diff --git a/x b/y`, in quotes or not. */
function gitPathOf(line: string): string {
  const [quoted, plain] = [line.lastIndexOf(' "b/'), line.lastIndexOf(' b/')];
  if (quoted > plain)
    return line.slice(quoted + ' "b/'.length, line.endsWith('"') ? -1 : undefined);
  return plain === -1 ? '' : line.slice(plain + ' b/'.length);
}

function pathOf(line: string): string {
  if (line.startsWith('diff --git ')) return gitPathOf(line);
  const [path = ''] = line.replace(/^(?:Index: |diff -\S* |\+\+\+ |--- )/, '').split('\t', 1);
  return path.replace(/^[ab]\//, '');
}

/** Where the reading of a diff stands. */
interface DiffReading {
  readonly before: string[];
  readonly files: FileDiff[];
  /** Lines of the hunk that are still to come. */
  rest: { old: number; new: number };
}

/** Takes a line that is in no hunk. */
function takeLine({ before, files }: DiffReading, line: string): void {
  const file = files.at(-1);
  const into = file === undefined ? before : (file.hunks.at(-1) ?? file.head);
  into.push(line);
}

/** Splits a diff into what stands before it and its files. */
function readDiff(lines: readonly string[]): DiffReading {
  const reading: DiffReading = { before: [], files: [], rest: { old: 0, new: 0 } };
  const { files } = reading;
  for (const [index, line] of lines.entries()) {
    const file = files.at(-1);
    if (file !== undefined && (reading.rest.old > 0 || reading.rest.new > 0)) {
      takeHunkLine(file, line, reading.rest);
      continue;
    }
    const size = hunkSize(line);
    if (size !== undefined && file !== undefined) {
      reading.rest = size;
      file.hunks.push([line]);
      continue;
    }
    if (beginsFile(lines, index, file)) {
      files.push({ path: pathOf(line), head: [], hunks: [], added: 0, removed: 0 });
    }
    takeLine(reading, line);
  }
  return reading;
}

/** Whether a line begins the next file: by its own words, or as the first of `---` and `+++` without them. */
function beginsFile(lines: readonly string[], index: number, file: FileDiff | undefined): boolean {
  const line = lines[index] ?? '';
  if (fileStart.test(line)) return true;
  const isPair = line.startsWith('--- ') && (lines[index + 1] ?? '').startsWith('+++ ');
  return isPair && (file === undefined || file.hunks.length > 0);
}

/** Lines that a hunk has of the old and of the new file. */
function hunkSize(line: string): { old: number; new: number } | undefined {
  const found = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
  if (found === null) return undefined;
  return { old: Number(found[1] ?? '1'), new: Number(found[2] ?? '1') };
}

function takeHunkLine(file: FileDiff, line: string, rest: { old: number; new: number }): void {
  file.hunks.at(-1)?.push(line);
  if (line.startsWith('\\')) return;
  if (line.startsWith('+')) file.added += 1;
  if (line.startsWith('-')) file.removed += 1;
  if (!line.startsWith('+')) rest.old -= 1;
  if (!line.startsWith('-')) rest.new -= 1;
}

function statOf({ path, added, removed, hunks }: FileDiff, shown: number): string {
  const hidden = hunks.length - shown;
  const note = hidden === 0 ? '' : ` (${counted(hidden, 'hunk')} left out)`;
  return `${path} +${String(added)} -${String(removed)}${note}`;
}

/** Which hunks are shown: whole ones only, of files that the work is about first, as far as there is room. */
function chooseHunks(files: readonly FileDiff[], { isWorkWord, limits }: CompressInput) {
  const own = files.filter(({ path }) => !generated.test(path));
  const lines = own.reduce((sum, { hunks }) => sum + hunks.flat().length, 0);
  const limit = lines <= wholeUpTo ? limits.most : limits.wanted * 2;
  const names = own.map(({ path, hunks }) => `${path} ${hunks.map(([first]) => first).join(' ')}`);
  const named = new Set(findWorkLines(names, isWorkWord).map((index) => own[index]));
  const order = [...own].sort((a, b) => Number(named.has(b)) - Number(named.has(a)));
  const shown = new Set<string[]>();
  let spent = files.reduce((sum, { path }) => sum + path.length + 30, 0);
  for (const hunk of order.flatMap(({ hunks }) => hunks)) {
    const size = hunk.reduce((sum, line) => sum + line.length + 1, 0);
    if (spent + size > limit) continue;
    spent += size;
    shown.add(hunk);
  }
  return shown;
}

function compressDiff(input: CompressInput): CompressDraft | undefined {
  const { before, files } = readDiff(input.lines);
  const shown = chooseHunks(files, input);
  const hunks = files.flatMap((file) => file.hunks);
  if (shown.size === hunks.length) return undefined;
  const shownOf = (file: FileDiff): string[][] => file.hunks.filter((hunk) => shown.has(hunk));
  const stats = files.map((file) => statOf(file, shownOf(file).length));
  const parts = files.flatMap((file) => {
    const own = shownOf(file);
    return own.length === 0 ? [] : [...file.head, ...own.flat()];
  });
  const { lines, lost } = withinRoom(stats, input.limits.most / 2);
  const left = [
    `${counted(hunks.length - shown.size, 'hunk')} of ${String(hunks.length)}, each whole`,
  ];
  if (lost > 0) left.push(`${counted(lost, 'file')} without a line here`);
  const opening = withinRoom(
    before.map((line) => cutLine(line)),
    input.limits.wanted,
  );
  if (opening.lost > 0) left.push(`${counted(opening.lost, 'line')} before the diff`);
  return { body: [...opening.lines, ...lines, ...parts].join('\n'), left };
}

function withinRoom(all: readonly string[], most: number) {
  const lines: string[] = [];
  let spent = 0;
  for (const line of all) {
    spent += line.length + 1;
    if (spent > most) break;
    lines.push(line);
  }
  return { lines, lost: all.length - lines.length };
}

function looksLikeDiff({ lines }: CompressInput): boolean {
  let hunks = 0;
  for (const line of lines) {
    if (hunkSize(startOf(line)) !== undefined) hunks += 1;
  }
  if (hunks === 0) return false;
  const { before, files } = readDiff(lines);
  return files.some(({ hunks: own }) => own.length > 0) && before.length * 2 <= lines.length;
}

/** Diffs too large to show: added and removed lines of every file, and whole hunks; of lock files and generated ones the counts only. */
export const diffText: Compressor = {
  kind: 'diff',
  matches: looksLikeDiff,
  compress: compressDiff,
};
