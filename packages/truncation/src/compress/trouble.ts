import { startOf } from './compressor.ts';

/** Words of a line that speaks of a failure. */
const troubleWords =
  /error|fail(?:ed|ure|ures|s|ing)?\b|exception|panic|traceback|fatal|critical|severe|not found|denied|abort|refused|timed? ?out|unhandled|warn/i;

/** What says that there was none. */
const noTrouble =
  /\b(?:0|no) (?:errors?|failures?|failed|failing|warnings?)\b|\b(?:errors?|failed|failures?|warnings?)[=:] ?0\b/gi;

/** Tells whether a line speaks of a failure or warns. */
export function speaksOfTrouble(line: string): boolean {
  const start = startOf(line);
  return troubleWords.test(start) && troubleWords.test(start.replaceAll(noTrouble, ''));
}

/** A line of a stack trace, in the forms of JavaScript, Java, Python, Go, Rust and C#. */
const frames =
  /^\s*(?:at \S|File "|from \S+:\d|Caused by|\.\.\. \d+ more|goroutine \d|\d+: +\S+::|\S+\.go:\d+|-->|❯ )/;

/** Tells whether a line belongs to a stack trace. */
export function isFrame(line: string): boolean {
  return frames.test(startOf(line));
}

/** Words that may be ids, if a digit is in them. */
const idWords = /[A-Za-z0-9_-]{4,}/g;

/** The words of the lines that may be ids. */
function* idsIn(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield* startOf(line).match(idWords) ?? [];
}

/** Ids that the lines of trouble name and few other lines do. */
export function namedIds(lines: readonly string[], trouble: readonly number[]): Set<string> {
  const times = new Map<string, number>();
  for (const word of idsIn(trouble.map((index) => lines[index] ?? ''))) {
    if (/\d/.test(word)) times.set(word, 0);
  }
  if (times.size === 0) return new Set();
  for (const word of idsIn(lines)) {
    const known = times.get(word);
    if (known !== undefined) times.set(word, known + 1);
  }
  const many = Math.max(20, lines.length / 50);
  return new Set([...times].flatMap(([word, count]) => (count <= many ? [word] : [])));
}

/** The lines that hold one of the ids. */
export function linesWith(lines: readonly string[], ids: ReadonlySet<string>): number[] {
  if (ids.size === 0) return [];
  const names = (line: string): boolean =>
    (startOf(line).match(idWords) ?? []).some((word) => ids.has(word));
  return lines.flatMap((line, index) => (names(line) ? [index] : []));
}
