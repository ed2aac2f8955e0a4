import {
  addAround,
  addEnds,
  addLines,
  chooseLines,
  counted,
  type LineChoice,
} from './choose-lines.ts';
import {
  type CompressDraft,
  type CompressInput,
  type Compressor,
  findWorkLines,
  shareOf,
} from './compressor.ts';
import { areAlike, placesBy, rareForms, rareOf, unlikeLines } from './like-lines.ts';
import { hasWords } from './line-forms.ts';
import { httpStatus, isFrame, linesNaming, onlyWarns, speaksOfTrouble } from './trouble.ts';

/** A time at the beginning of a line, in the usual forms. */
const times =
  /^[[(]?(?:\d{4}[-/]\d\d[-/]\d\d|\d{1,2}[:.]\d\d[:.]\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d|\d{10,13}[ .\]])/;

const levels = /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b|\blevel[=:]/;

/** The time in a line of an access log. */
const accessTime = /\[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d/;

/** What builds, installers and downloads say of one step, and linters of one line. */
const steps =
  /^(?:> Task :|#\d+ \d|\[ *\d+(?:\/\d+|%)\] | *(?:Compiling|Downloading|Downloaded|Fetching|Installing|Collecting|Unpacking|Get:\d+|CC|CXX|LD|AR) \S|npm (?:warn|WARN|notice|http|error|ERR!) |remote: | +\d+:\d+ +(?:error|warning)\b)/;

/** Tells whether a line is of a log: it begins with a time, a level or what a build says of a step. */
export function isLogLine(line: string): boolean {
  const start = line.slice(0, 80);
  return times.test(line) || levels.test(start) || accessTime.test(start) || steps.test(start);
}

/** What a compiler says of one place, as those of C, Java, C#, Python, Rust and TypeScript do; the code that it is about stands below. */
const diagnostic =
  /^(?:(?:error|warning)(?:\[\w+\])?: |[^\s:()]{1,200}(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\))(?::| -) (?:fatal )?(?:error|warning)\b)/;

/** What tables and code have between words, and messages hardly. */
const separators = /[,;|\t{}<>"]/;

/** Whether most lines are messages of a few forms, such as those of builds and installers: alike but for their numbers. */
function isMonotonous(lines: readonly string[]): boolean {
  return areAlike(lines, (line) => !separators.test(line) && hasWords(line, 3, 2));
}

/** The lines whose status few others have. */
function rareStatuses(lines: readonly string[]): number[] {
  const places = placesBy(lines, httpStatus);
  return places.length < 2
    ? []
    : places.filter(({ length }) => length <= rareOf(lines.length)).flat();
}

/** Adds what belongs to the lines of trouble: three lines around, and the whole stack trace below. */
function addContext(
  choice: LineChoice,
  { lines, limits }: CompressInput,
  trouble: readonly number[],
): void {
  for (const index of trouble) {
    let at = index + 1;
    while (at < lines.length && isContinuation(lines[at] ?? '')) {
      if (!choice.add(at, limits.most)) return;
      at += 1;
    }
  }
  addAround(choice, trouble, { lines: 3, limit: limits.most });
}

/** The lines that indented ones stand below: linters name a file so. */
function headsOf(lines: readonly string[], indexes: readonly number[]): number[] {
  const wanted = new Set(indexes);
  const found: number[] = [];
  let head = -1;
  for (const [index, line] of lines.entries()) {
    if (/^\S/.test(line)) head = index;
    else if (wanted.has(index)) found.push(head);
  }
  return found;
}

/** Adds lines of trouble, those that name the same ids, and what belongs to them. */
function addTrouble(choice: LineChoice, input: CompressInput, trouble: readonly number[]): void {
  const { lines, limits } = input;
  addLines(choice, trouble, limits.most);
  const shown = trouble.filter((index) => choice.has(index));
  addLines(choice, headsOf(lines, shown), limits.most);
  addLines(choice, rareStatuses(lines), limits.most);
  addLines(choice, linesNaming(lines, trouble), limits.most);
  addContext(choice, input, trouble);
}

function isContinuation(line: string): boolean {
  return isFrame(line) || (/^[\t ]+\S/.test(line) && !isLogLine(line.trimStart()));
}

function compressLog(input: CompressInput): CompressDraft {
  const { lines, limits } = input;
  const trouble = lines.flatMap((line, index) => (speaksOfTrouble(line) ? [index] : []));
  const choice = chooseLines(lines);
  addEnds(choice, lines.length, { first: 3, last: 5, limit: limits.most });
  // Warnings may be so many that they leave no room: what failed comes first, with all that belongs to it.
  const failures = trouble.filter((index) => !onlyWarns(lines[index] ?? ''));
  addTrouble(choice, input, failures);
  if (failures.length < trouble.length) addTrouble(choice, input, trouble);
  const lost = trouble.filter((index) => !choice.has(index)).length;
  // However much trouble there is, half of what is wanted is left for the work.
  const wanted = Math.min(limits.most, Math.max(limits.wanted, choice.spent() + limits.wanted / 2));
  addLines(choice, findWorkLines(lines, input.isWorkWord), wanted);
  addLines(choice, rareForms(lines), limits.wanted);
  // Each line of a log with times has numbers of its own.
  if (shareOf(lines, isLogLine) < 0.5) addLines(choice, unlikeLines(lines), limits.wanted);
  const leftOut = lines.length - choice.count() - lost;
  const left = [`${counted(leftOut, 'line')} without error or warning`];
  if (lost > 0)
    left.push(`${counted(lost, 'line')} that speak of trouble, for which there is no room`);
  return { body: choice.show(), left };
}

/** Logs, and what builds, compilers, linters and installers say: every line that speaks of trouble with three lines around and its stack trace, the lines that name the same ids, both ends. */
export const logLines: Compressor = {
  kind: 'log',
  matches: ({ lines }) =>
    lines.length >= 20 &&
    (shareOf(lines, isLogLine) >= 0.5 ||
      shareOf(lines, (line) => diagnostic.test(line)) >= 0.08 ||
      isMonotonous(lines)),
  compress: compressLog,
};
