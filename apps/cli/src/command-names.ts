import type { CommandEntry, CommandGroup } from './command-context.ts';

/** The headings of the help, in its order. */
export const groupTitles: Readonly<Record<CommandGroup, string>> = {
  agent: 'Use with an agent',
  look: 'Look',
  measure: 'Measure',
  memory: 'Memory',
  store: 'Store',
  serve: 'Serve',
  shell: 'This command',
};

export function inGroups(commands: readonly CommandEntry[]): readonly CommandEntry[] {
  return Object.keys(groupTitles).flatMap((title) =>
    commands.filter(({ group }) => group === title),
  );
}

/** Returns the name that help and documents use: `items save` for `save`. */
export function listedName({ as, name }: CommandEntry): string {
  return as ?? name;
}

/** Returns the commands below one: `items save` and its neighbours for `items`. */
export function commandsBelow(
  commands: readonly CommandEntry[],
  name: string,
): readonly CommandEntry[] {
  return commands.filter(({ as }) => as?.startsWith(`${name} `) === true);
}

/** Where the command stands in a command line: its first word, or the first after `help`. */
function commandIndex(argv: readonly string[]): number {
  const first = argv.findIndex((word) => !word.startsWith('-'));
  if (argv[first] !== 'help') return first;
  const next = argv.findIndex((word, index) => index > first && !word.startsWith('-'));
  return next === -1 ? first : next;
}

/** A command line with its command named as the help lists it, so that `save`, `items save` and `help items save` are one. */
export interface NamedCommand {
  readonly argv: readonly string[];
  /** The word that names the command; missing in a command line without one. */
  readonly name: string | undefined;
}

/**
 * Joins the two words of a command such as `items save` into one and replaces the short name `save` by it. Two words of which the first
 * has commands below it are joined even if there is no such command, so that the error can suggest one; `items list` is `items`.
 */
export function nameCommand(
  argv: readonly string[],
  commands: readonly CommandEntry[],
): NamedCommand {
  const index = commandIndex(argv);
  const first = argv[index];
  if (first === undefined) return { argv, name: undefined };
  const second = argv[index + 1];
  const isPair =
    second !== undefined && !second.startsWith('-') && commandsBelow(commands, first).length > 0;
  const entry = commands.find(({ name }) => name === first);
  const isList = isPair && second === 'list';
  const name =
    isPair && !isList ? `${first} ${second}` : entry === undefined ? first : listedName(entry);
  return { argv: [...argv.slice(0, index), name, ...argv.slice(index + (isPair ? 2 : 1))], name };
}
