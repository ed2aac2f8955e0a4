import { diffedFiles } from '../patch-text.ts';
import { isInPlace } from './script-lines.ts';
import { argumentsOf, filesRead, isPath } from './shell-arguments.ts';
import type { SimpleCommand } from './shell-commands.ts';

/** Programs whose output is what the model wrote itself; the output of others in a file is no edit. */
const writers = new Set(['cat', 'echo', 'printf', 'tee']);

/** The text of a diff that a command applies. */
export function appliedDiff({ words, heredoc }: SimpleCommand): string | undefined {
  const isApplied = words[0] === 'patch' || (words[0] === 'git' && words.includes('apply'));
  return isApplied ? heredoc : undefined;
}

/** Files that a command changes, as far as its text says how. */
export function editedBy(command: SimpleCommand): string[] {
  const [program = ''] = command.words;
  const diff = appliedDiff(command);
  if (diff !== undefined) return diffedFiles(diff).map(({ path }) => path);
  const isOwn = writers.has(program) && (program !== 'cat' || command.heredoc !== undefined);
  const written = program === 'tee' ? argumentsOf(command) : command.writes;
  const isChange = /^(?:g?sed|perl|ruby)$/.test(program) && isInPlace(command.words.slice(1));
  const named = isChange ? filesRead(command) : isOwn ? written : [];
  return named.filter((path) => isPath(path) && path !== '.' && !path.startsWith('/dev/'));
}
