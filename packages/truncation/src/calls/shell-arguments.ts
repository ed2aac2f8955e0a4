import type { SimpleCommand } from './shell-commands.ts';

/** Endings of files that hold no source: logs and recordings. */
export const notSource: RegExp = /\.(?:log|out|output|jsonl|ndjson|lock|pid)$/i;

/** Options of searching and reading programs that take the next word as their value. */
const valued: ReadonlySet<string> = new Set(
  '-n -e -f -m -A -B -C -g -t -c --lines --glob --type --max-count --context'.split(' '),
);

/** Programs for which an `n` stands for line numbers, and takes no value. */
const searchers = new Set('grep egrep fgrep rg ag ack'.split(' '));

/** Whether a word may be a path that is known as it stands. */
export function isPath(word: string): boolean {
  return word !== '' && word.length <= 1024 && !/[*?$`\n{}|]/.test(word) && word !== '-';
}

/** The arguments that are neither options nor their values. */
export function argumentsOf({ words }: SimpleCommand): string[] {
  const isSearch = searchers.has(words[0] ?? '');
  const found: string[] = [];
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const isNumbering = isSearch && (word === '-n' || word === '-c');
    if (valued.has(word) && !isNumbering) index += 1;
    else if (!word.startsWith('-')) found.push(word);
  }
  return found;
}

const scripted = new Set(['sed', 'awk', 'gawk']);

/** The files that a program which shows files names: for `sed` and `awk` the script comes first. */
export function filesRead(command: SimpleCommand): string[] {
  const [program = '', ...words] = command.words;
  if (!scripted.has(program.slice(program.lastIndexOf('/') + 1))) {
    return argumentsOf(command).filter((word) => isPath(word) && !/^\+?\d+$/.test(word));
  }
  const hasScript = words.includes('-e') || words.includes('-f');
  const rest = words.filter((word, index) => {
    const isValue = ['-e', '-f', '-v', '-F'].includes(words[index - 1] ?? '');
    return !word.startsWith('-') && !isValue && word !== '';
  });
  return rest.slice(hasScript ? 0 : 1).filter(isPath);
}
