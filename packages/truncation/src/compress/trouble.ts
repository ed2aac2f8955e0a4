import { startOf } from './compressor.ts';
import { idsOf } from './line-forms.ts';

/** Words of a line that speaks of a failure. */
const troubleWords =
  /error|fail(?:ed|ure|ures|s|ing)?\b|exception|panic|traceback|fatal|critical|severe|not found|denied|abort|refused|timed? ?out|unhandled|warn/i;

/** What says that there was none. */
const noTrouble =
  /\b(?:0|no) (?:errors?|failures?|failed|failing|warnings?)\b|\b(?:errors?|failed|failures?|warnings?)[=:] ?0\b/gi;

const warnings = /warn\w*/gi;

/** The status of an answer in a log: of an access log, or under its name. */
const statusOf = /(?:\bHTTP\/\d(?:\.\d)?"? |\bstatus(?:_?code)?["']?[=:] ?["']?)([1-5]\d\d)\b/i;

/** The HTTP status that a line tells; `undefined` where it tells none. */
export function httpStatus(line: string): string | undefined {
  return statusOf.exec(startOf(line))?.[1];
}

/** Tells whether a line speaks of a failure or warns, by its words or by the status of a server that failed. */
export function speaksOfTrouble(line: string): boolean {
  const start = startOf(line);
  if (httpStatus(start)?.startsWith('5') === true) return true;
  return troubleWords.test(start) && troubleWords.test(start.replaceAll(noTrouble, ''));
}

/** Tells whether a line that speaks of trouble says no more than a warning: that word, and none of a failure. */
export function onlyWarns(line: string): boolean {
  const start = startOf(line);
  const words = start.replaceAll(noTrouble, '').replaceAll(warnings, '');
  return httpStatus(start)?.startsWith('5') !== true && !troubleWords.test(words);
}

/** A line of a stack trace, in the forms of JavaScript, Java, Python, Go, Rust and C#. */
const frames =
  /^\s*(?:at \S|File "|from \S+:\d|Caused by|\.\.\. \d+ more|goroutine \d|\d+: +\S+::|\S+\.go:\d+|-->|❯ )/;

/** Tells whether a line belongs to a stack trace. */
export function isFrame(line: string): boolean {
  return frames.test(startOf(line));
}

/** The places, each once, in ascending order. */
export const inOrder = (places: Iterable<number>): number[] =>
  [...new Set(places)].sort((a, b) => a - b);

/** The lines that hold an id that lines of trouble name and few lines do, in order. `isName`: whether an id counts. */
export function linesNaming(
  lines: readonly string[],
  trouble: readonly number[],
  isName: (id: string) => boolean = () => true,
): number[] {
  const having = new Map<string, number[]>();
  for (const index of trouble) {
    for (const id of idsOf(startOf(lines[index] ?? ''))) if (isName(id)) having.set(id, []);
  }
  if (having.size === 0) return [];
  for (const [index, line] of lines.entries()) {
    for (const id of idsOf(startOf(line))) having.get(id)?.push(index);
  }
  const many = Math.max(20, lines.length / 50);
  const named = [...having.values()].flatMap((indexes) => (indexes.length <= many ? indexes : []));
  return inOrder(named);
}
