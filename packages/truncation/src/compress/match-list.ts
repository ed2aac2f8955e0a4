import { counted, cutLine } from './choose-lines.ts';
import {
  type CompressDraft,
  type CompressInput,
  type Compressor,
  findWorkLines,
  shareOf,
  startOf,
} from './compressor.ts';

/** `path:line:`, with a column or not; the path may hold blanks only before its last part. */
const match = /^((?:[A-Za-z]:)?[^:\t]{1,300}?):(\d+):(?:\d+:)?/;

/** `path(line,column): `, as compilers of Microsoft name a place. */
const diagnosed = /^([^:\t(]{1,300})\((\d{1,9},\d{1,9})\): /;

/** A line around a match, `path-line-text`. */
const around = /^([^:\t ]{1,300}?)-\d+-/;

/** A line below its file's name, `line:text` or `line-text`. */
const below = /^\d+[:-]/;

/** Something that stands like a path alone on its line. */
const alone = /^(?:\.{0,2}\/)?[\w@.+-][^:\t"'<>|{}()[\]]*$/;

/** A path that ends with an hour is what stands before a log's time of day. */
function isPathLike(path: string): boolean {
  return (/[./\\]/.test(path) || /^\w+$/.test(path)) && !/^\d|[\sT[(]\d\d?$/.test(path);
}

function placeOf(line: string): string | undefined {
  const [, file = '', position = ''] = diagnosed.exec(startOf(line)) ?? [];
  if (isPathLike(file)) return `${file}(${position})`;
  const [, path = '', number = ''] = match.exec(startOf(line)) ?? [];
  return isPathLike(path) ? `${path}:${number}` : undefined;
}

function isAroundMatch(line: string): boolean {
  const [, path = ''] = around.exec(startOf(line)) ?? [];
  return line === '--' || isPathLike(path);
}

/** Whether the lines are `path:line:text`, `path:line:column:text`, with lines around them or not. */
function isFlat(lines: readonly string[]): boolean {
  const places = shareOf(lines, (line) => placeOf(line) !== undefined);
  const all = shareOf(lines, (line) => placeOf(line) !== undefined || isAroundMatch(line));
  // With lines around each match few lines are matches, but all are lines of the list.
  return (places >= 0.3 && all >= 0.85) || (places >= 0.05 && all >= 0.98);
}

/** Whether numbers at the beginnings of lines rise, as those of lines of one file do; dates and times do not. */
function rises(lines: readonly string[]): boolean {
  let [last, steps, ups] = [Infinity, 0, 0];
  for (const line of lines) {
    const number = below.test(line) ? Number.parseInt(line, 10) : Infinity;
    if (number < Infinity && last < Infinity) steps += 1;
    if (number < Infinity && last < number) ups += 1;
    last = number;
  }
  return ups >= steps * 0.9;
}

/** Whether each file's name stands on a line of its own, and its matches below (`rg --heading`). */
function isByFile(lines: readonly string[]): boolean {
  return (
    shareOf(lines, (line) => below.test(line)) >= 0.4 &&
    shareOf(lines, (line) => below.test(line) || line === '--' || alone.test(line)) >= 0.95 &&
    alone.test(lines[0] ?? '') &&
    !below.test(lines[0] ?? '') &&
    rises(lines)
  );
}

/** One line of the list: with its place if it is a match, else as it stands. */
interface Entry {
  readonly line: string;
  readonly place: string | undefined;
  /** Whether it only surrounds a match. */
  readonly isAround: boolean;
}

function flatEntries(lines: readonly string[]): Entry[] {
  return lines.map((line) => {
    const place = placeOf(line);
    const isAround = place === undefined && isAroundMatch(line);
    return { line, place, isAround };
  });
}

function entriesByFile(lines: readonly string[]): Entry[] {
  let path = '';
  const entries: Entry[] = [];
  for (const line of lines) {
    if (line.trim() === '') continue;
    const number = /^(\d+)([:-])/.exec(line);
    if (number === null && line !== '--') path = line;
    if (number === null) continue;
    const place = `${path}:${number[1] ?? ''}`;
    const isMatch = number[2] === ':';
    const rest = line.slice(number[0].length);
    entries.push({
      line: isMatch ? `${place}:${rest}` : line,
      place: isMatch ? place : undefined,
      isAround: !isMatch,
    });
  }
  return entries;
}

/** Matches whose text is shown: the first so many, and those that hold words of the work. */
const firstTexts = 40;

/** Longest text of a match that is shown whole, characters. */
const longestText = 300;

function shownTexts(entries: readonly Entry[], { isWorkWord, limits }: CompressInput): Set<Entry> {
  const matches = entries.filter(({ place }) => place !== undefined);
  const shown = new Set<Entry>();
  let spent = 0;
  const show = (entry: Entry | undefined): void => {
    if (entry === undefined || shown.has(entry)) return;
    const cost = Math.min(entry.line.length, longestText) - (entry.place?.length ?? 0);
    if (spent + cost > limits.wanted * 2) return;
    spent += cost;
    shown.add(entry);
  };
  for (const entry of matches.slice(0, firstTexts)) show(entry);
  const texts = matches.map(({ line, place = '' }) => line.slice(place.length));
  for (const index of findWorkLines(texts, isWorkWord)) show(matches[index]);
  return shown;
}

/** The lines of the list that are shown, as far as there is room. */
function shownLines(entries: readonly Entry[], shown: ReadonlySet<Entry>, most: number) {
  const lines: string[] = [];
  let spent = 0;
  let lost = 0;
  for (const entry of entries) {
    if (entry.isAround) continue;
    const { place = entry.line } = entry;
    const isText = place === entry.line || shown.has(entry);
    const line = isText ? cutLine(entry.line, longestText) : place;
    if (!isText && lines.at(-1) === line) continue;
    if (spent + line.length + 1 > most) lost += 1;
    else {
      spent += line.length + 1;
      lines.push(line);
    }
  }
  return { lines, lost };
}

function compressMatches(input: CompressInput): CompressDraft | undefined {
  const entries = isFlat(input.lines) ? flatEntries(input.lines) : entriesByFile(input.lines);
  const shown = shownTexts(entries, input);
  const { lines, lost } = shownLines(entries, shown, input.limits.most);
  const matches = entries.filter(({ place }) => place !== undefined).length;
  if (matches === 0) return undefined;
  const surrounding = entries.filter(({ isAround, line }) => isAround && line !== '--').length;
  const left = [
    `the text of ${counted(matches - shown.size, 'match', 'matches')} of ${String(matches)}`,
  ];
  if (surrounding > 0) left.push(`${counted(surrounding, 'line')} around matches`);
  if (lost > 0) left.push(`${counted(lost, 'match', 'matches')}, for which there is no room`);
  return { body: lines.join('\n'), left };
}

/** Lists of grep and rg: `path:line` of every match, the text of the first 40 and of those with words of the work. */
export const matchList: Compressor = {
  kind: 'list of matches',
  matches: ({ lines }) => lines.length >= 10 && (isFlat(lines) || isByFile(lines)),
  compress: compressMatches,
};
