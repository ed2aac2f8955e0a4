import { type LineRange, wholeFile } from './files/line-range.ts';

/** Lines of a file; `unknown` where a call does not tell. */
export type ShownLines = LineRange | 'unknown';

/** The number of lines that `head` and `tail` show unless they are told. */
const usualLines = 10;

function countIn(words: readonly string[]): number | undefined {
  for (const [index, word] of words.entries()) {
    const told = /^(?:-n|--lines=?|-)(\+?-?\d+)$/.exec(word)?.[1];
    if (told !== undefined) return Number(told);
    if (word === '-n' || word === '--lines') return Number(words[index + 1] ?? usualLines);
  }
  return undefined;
}

function headLines(words: readonly string[]): ShownLines {
  const count = countIn(words) ?? usualLines;
  return count > 0 ? { first: 1, last: count } : 'unknown';
}

function tailLines(words: readonly string[]): ShownLines {
  const from = words.map((word) => /^(?:-n)?\+(\d+)$/.exec(word)?.[1]).find((word) => word);
  return from === undefined ? 'unknown' : { first: Number(from), last: wholeFile.last };
}

/** What a script of `sed -n` prints, where it is one range, such as `10,40p`. */
function sedLines(words: readonly string[]): ShownLines {
  const printed = words.flatMap((word) =>
    [...word.matchAll(/(\d+)(?:,(\d+|\$))?(p?)/g)].flatMap(
      ([, first = '', last = first, isPrinted]) =>
        isPrinted === 'p'
          ? [{ first: Number(first), last: last === '$' ? wholeFile.last : Number(last) }]
          : [],
    ),
  );
  const [only] = printed;
  return only === undefined || printed.length > 1 ? 'unknown' : only;
}

/** `NR>=10 && NR<=40` and its like. */
function awkLines(words: readonly string[]): ShownLines {
  const script = words.join(' ');
  const bound = (signs: RegExp): number | undefined => {
    const [, sign = '', told] = signs.exec(script) ?? [];
    if (told === undefined) return undefined;
    return Number(told) + (sign === '>' ? 1 : sign === '<' ? -1 : 0);
  };
  const first = bound(/NR ?(>=?) ?(\d+)/);
  const last = bound(/NR ?(<=?) ?(\d+)/);
  const only = /NR ?== ?(\d+)(?: ?, ?NR ?== ?(\d+))?/.exec(script);
  if (only !== null) return { first: Number(only[1]), last: Number(only[2] ?? only[1]) };
  if (first === undefined && last === undefined) return 'unknown';
  return { first: first ?? 1, last: last ?? wholeFile.last };
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

/** `Select-Object -First 20 -Skip 10` of PowerShell. */
function selectedLines(words: readonly string[]): ShownLines {
  const after = (name: RegExp): number =>
    Number(words[words.findIndex((word) => name.test(word)) + 1] ?? Number.NaN);
  const hasSkip = words.some((word) => /^-skip$/i.test(word));
  const first = after(/^-first$/i);
  const skip = hasSkip ? after(/^-skip$/i) : 0;
  return first > 0 && skip >= 0 ? { first: skip + 1, last: skip + first } : 'unknown';
}

const isInPlace = (words: readonly string[]): boolean =>
  words.some((word) => /^-[a-zA-Z]*i/.test(word));

const all = (): ShownLines => wholeFile;

const passing: ReadonlyMap<string, (words: readonly string[]) => ShownLines | undefined> = new Map([
  ...['cat', 'nl', 'less', 'more', 'expand'].map((name) => [name, all] as const),
  ['bat', batLines],
  ['select', selectedLines],
  ['select-object', selectedLines],
  ['head', headLines],
  ['tail', tailLines],
  ['sed', (words) => (isInPlace(words) ? undefined : sedLines(words))],
  ['awk', awkLines],
]);

/** The lines of its input that a program passes on; `undefined` for one that shows something else. */
export function linesPassed([program = '', ...words]: readonly string[]): ShownLines | undefined {
  return passing.get(programName(program))?.(words);
}

/** A program as it is known: without its folder, in small letters, GNU's own without their `g`. */
export function programName(program: string): string {
  const name = program.slice(program.lastIndexOf('/') + 1).toLowerCase();
  return /^g(?:sed|awk|head|tail|cat|grep)$/.test(name) ? name.slice(1) : name;
}

/** The lines that a filter leaves of what comes in. */
export function linesAfter(before: ShownLines, filter: ShownLines): ShownLines {
  if (filter === 'unknown' || before === 'unknown') return 'unknown';
  const first = before.first + filter.first - 1;
  return { first, last: Math.min(before.last, before.first + filter.last - 1) };
}
