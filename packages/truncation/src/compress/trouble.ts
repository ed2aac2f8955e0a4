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
