import { scriptArguments } from './script-lines.ts';
import type { SimpleCommand } from './shell-commands.ts';

/** Endings of files that hold no source: logs and recordings. */
export const notSource: RegExp = /\.(?:log|out|err|output|jsonl|ndjson|lock|pid)$/i;

/** What several programs have in common; their names are parted by blanks. */
export const each = <What>(names: string, what: What): (readonly [string, What])[] =>
  names.split(' ').map((name) => [name, what]);

/** Options of searching and filtering programs that take the next word as their value. */
const valued: ReadonlySet<string> = new Set(
  '-n -e -f -m -A -B -C -g -t -c --lines --glob --type --max-count --context'.split(' '),
);

/** Programs for which `-n` stands for line numbers and `-c` for a count, which take no value. */
export const searchers = 'grep egrep fgrep rg ag ack findstr';
const searchValued = new Set([...valued].filter((option) => !/^-[nc]$/.test(option)));

/** The same of programs to which `-n` is no number, such as `cat -n`. */
const valuedBy = new Map<string, ReadonlySet<string>>([
  ...each('cat less more tac diff', new Set<string>()),
  ...each(searchers, searchValued),
  ['nl', new Set('-b -d -f -h -i -l -s -v -w'.split(' '))],
  ['bat', new Set('-r --line-range -l --language -m --style -H'.split(' '))],
]);

/** Whether a word may be a path that is known as it stands. */
export function isPath(word: string): boolean {
  return word !== '' && word.length <= 1024 && !/[*?$`\n{}|]/.test(word) && word !== '-';
}

/** The arguments that are neither options nor their values. */
export function argumentsOf({ words }: SimpleCommand): string[] {
  const options = valuedBy.get(words[0] ?? '') ?? valued;
  const found: string[] = [];
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (options.has(word)) index += 1;
    else if (!word.startsWith('-')) found.push(word);
  }
  return found;
}

const scripted = new Set(['sed', 'awk', 'perl', 'ruby']);

/** What a program that shows files names, patterns such as `src/*.ts` too: for `sed` and `awk` the script comes first. */
export function placesRead(command: SimpleCommand): string[] {
  const [program = '', ...words] = command.words;
  const named = scripted.has(program.slice(program.lastIndexOf('/') + 1))
    ? scriptArguments(words).files
    : argumentsOf(command).filter((word) => !/^\+?\d+$/.test(word));
  return [...named, ...command.reads];
}

/** The files among them that are known. */
export function filesRead(command: SimpleCommand): string[] {
  return placesRead(command).filter(isPath);
}
