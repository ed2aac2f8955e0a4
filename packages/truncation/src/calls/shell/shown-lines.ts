import { wholeFile } from '../files/line-range.ts';
import { awkLines, isInPlace, type ShownLines, sedLines } from './script-lines.ts';
import { each } from './shell-arguments.ts';

/** The number of lines that `head` and `tail` show unless they are told. */
const usualLines = 10;

/** Options of `head` and `tail` that say nothing but a number of lines. */
const counted = /^(?:-[qvn]|--lines|(?:-n|--lines=|-)[+-]?\d+|\+\d+)$/;

/** The number of lines that is told, with its sign; '' where bytes or something else are counted. */
function countIn(words: readonly string[]): string {
  const options = words.filter((word) => /^[-+]./.test(word));
  const alone = words.findIndex((word) => word === '-n' || word === '--lines');
  if (alone >= 0) return words[alone + 1] ?? '';
  if (!options.every((word) => counted.test(word))) return '';
  const told = options.find((word) => /\d/.test(word)) ?? String(usualLines);
  return told.replace(/^(?:-n|--lines=|-)/, '');
}

function headLines(words: readonly string[]): ShownLines {
  const count = Number(countIn(words));
  return count > 0 ? { first: 1, last: count } : 'unknown';
}

function tailLines(words: readonly string[]): ShownLines {
  const from = /^\+(\d+)$/.exec(countIn(words))?.[1];
  return from === undefined ? 'unknown' : { first: Number(from), last: wholeFile.last };
}

/** `bat -r 10:40`. */
function batLines(words: readonly string[]): ShownLines {
  const told = /(?:^| )(?:-r|--line-range)[ =]?(\d{0,9}):(\d{0,9})(?: |$)/.exec(words.join(' '));
  if (told === null)
    return words.some((word) => /^(?:-r|--line-range)/.test(word)) ? 'unknown' : wholeFile;
  const [, first = '', last = ''] = told;
  return {
    first: Number(first === '' ? 1 : first),
    last: last === '' ? wholeFile.last : Number(last),
  };
}

/** The word after an option of PowerShell. */
export function optionOf(words: readonly string[], name: RegExp): string | undefined {
  const at = words.findIndex((word) => name.test(word));
  return at < 0 ? undefined : words[at + 1];
}

/** `Select-Object -First 20 -Skip 10` of PowerShell. */
function selectedLines(words: readonly string[]): ShownLines {
  const skip = Number(optionOf(words, /^-skip$/i) ?? 0);
  const isRest = skip > 0 && optionOf(words, /^-last$/i) === undefined;
  const count = Number(optionOf(words, /^-first$/i) ?? (isRest ? wholeFile.last : 0));
  return count > 0 && skip >= 0 ? { first: skip + 1, last: skip + count } : 'unknown';
}

const all = (): ShownLines => wholeFile;

const passing = new Map<string, (words: readonly string[]) => ShownLines | undefined>([
  ...each('cat nl less more expand out-string', all),
  ...each('select select-object', selectedLines),
  ['bat', batLines],
  ['head', headLines],
  ['tail', tailLines],
  ['sed', sedLines],
  ['awk', awkLines],
  // What its scripts print they do not tell.
  ['perl', (words) => (isInPlace(words) ? undefined : 'unknown')],
  // They show all that comes in, but not line by line.
  ...each('tac cut tr', () => 'unknown' as const),
]);

/** The lines of its input that a program passes on; `undefined` for one that shows something else. */
export function linesPassed([program = '', ...words]: readonly string[]): ShownLines | undefined {
  return passing.get(programName(program))?.(words);
}

/** A program as it is known: without its folder, in small letters, GNU's own without their `g`. */
export function programName(program: string): string {
  const name = program.slice(program.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'batcat') return 'bat';
  return /^(?:g(?:sed|awk|head|tail|cat|grep|tac)|mawk|nawk)$/.test(name) ? name.slice(1) : name;
}

/** The lines that a filter leaves of what comes in. */
export function linesAfter(before: ShownLines, filter: ShownLines): ShownLines {
  if (filter === 'unknown' || before === 'unknown') return 'unknown';
  const first = before.first + filter.first - 1;
  return { first, last: Math.min(before.last, before.first + filter.last - 1) };
}
