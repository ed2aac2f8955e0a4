import { type LineRange, wholeFile } from '../files/line-range.ts';

/** Lines of a file; `unknown` where a call does not tell. */
export type ShownLines = LineRange | 'unknown';

/** What is given to a program whose first argument is a script, such as `sed`, `awk` and `perl`. */
export interface ScriptArguments {
  readonly script: string;
  readonly files: readonly string[];
}

/** Takes the arguments of such a program apart. */
export function scriptArguments(words: readonly string[]): ScriptArguments {
  const scripts: string[] = [];
  const files: string[] = [];
  let option = '';
  for (const word of words) {
    // What a script in a file does is not known.
    if (/[ef]$/.test(option)) scripts.push(word);
    else if (option === '' && !/^(?:-|$)/.test(word)) files.push(word);
    option = option === '' && /^-(?:[a-zA-LN-Z0-9]*e|[fvF])$/.test(word) ? word : '';
  }
  if (scripts.length === 0) scripts.push(files.shift() ?? '');
  return { script: scripts.join('\n'), files };
}

/** Whether `sed`, `perl` and their like change the files that they name. */
export function isInPlace(words: readonly string[]): boolean {
  return words.some((word) => /^-(?:[a-zA-HJ-LN-Z0-9]*i|-in-place)/.test(word));
}

/** What `sed` leaves where that is one range: `10,40!d`, `1,9d;40q`. */
function linesLeft(script: string): ShownLines {
  const [all, from, to, before = '0', end = wholeFile.last] =
    /^(?:(\d+),(\d+) ?!d|(?:1,(\d+) ?d)?[;\s]*(?:(\d+) ?q)?)$/.exec(script) ?? [];
  const first = Number(from ?? Number(before) + 1);
  const last = Number(to ?? end);
  return all === undefined || last < first ? 'unknown' : { first, last };
}

/** What `sed` shows, where that is one range; with `-n`: `10,40p`, `10,+30p`, `10,$p;40q`. */
export function sedLines(words: readonly string[]): ShownLines | undefined {
  if (isInPlace(words)) return undefined;
  const isSilent = words.some((word) => /^-[a-zA-Z]*n|^--(?:quiet|silent)$/.test(word));
  const script = scriptArguments(words).script.trim();
  if (!isSilent) return linesLeft(script);
  const [, told, plus, to = told, end = wholeFile.last] =
    /^(\d+)(?:,(\+?)(\d+|\$))? ?p(?:[;\s]+(\d+) ?q)?$/.exec(script) ?? [];
  const first = Number(told);
  const upTo = to === '$' ? wholeFile.last : Number(to) + (plus === '+' ? first : 0);
  const last = Math.min(Math.max(first, upTo), Number(end));
  return last >= first ? { first, last } : 'unknown';
}

/** The lines that `NR>=10` and its like choose. */
function chosenBy(condition: string): LineRange | undefined {
  const [, sign, told] = /^F?NR ?(==|>=?|<=?) ?(\d+)$/.exec(condition.trim()) ?? [];
  const at = Number(told) + (sign === '>' ? 1 : 0) - (sign === '<' ? 1 : 0);
  if (sign === undefined) return undefined;
  const isOpen = sign.startsWith('>');
  return { first: sign.startsWith('<') ? 1 : at, last: isOpen ? wholeFile.last : at };
}

/**
 * The conditions of a script of `awk` that prints each line that they choose, as it is or behind its number; '' of any other script.
 */
function conditionsOf(script: string): string {
  const [conditions = '', action, ...more] = script.split('{');
  if (action === undefined) return conditions.includes('}') ? '' : conditions;
  const isWhole = more.length === 0 && action.indexOf('}') === action.length - 1;
  const prints = action.trimStart();
  const isLine = prints.startsWith('printf ') ? prints.includes('$0') : prints.startsWith('print');
  return isWhole && isLine ? conditions : '';
}

/** `NR>=10 && NR<=40` and its like. */
export function awkLines(words: readonly string[]): ShownLines {
  const conditions = conditionsOf(scriptArguments(words).script.trim());
  // From one line to another: `NR==10,NR==40`.
  const isPair = /^[^<>,]*,[^<>,]*$/.test(conditions);
  const chosen = conditions.split(isPair ? ',' : '&&').map(chosenBy);
  const ranges = chosen.filter((range) => range !== undefined);
  const first = Math.max(...ranges.slice(0, isPair ? 1 : undefined).map((range) => range.first));
  const last = Math.min(...ranges.slice(isPair ? 1 : 0).map((range) => range.last));
  return ranges.length < chosen.length || last < first ? 'unknown' : { first, last };
}
