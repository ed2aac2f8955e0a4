import type { Argument, Command, Option } from 'commander';
import type { CommandContext, CommandEntry, CommandGroup } from '../command-context.ts';
import { listedName } from '../command-names.ts';
import { examplesOf, notesOf, wordsTaken } from '../make-command.ts';

/** An argument or option as a manual tells it. */
export interface ManualEntry {
  /** As one writes it: `<session>`, `--limit <count>`. */
  readonly term: string;
  readonly meaning: string;
  /** The words it takes; empty where it takes any. */
  readonly words: readonly string[];
  /** As one would write it; missing where there is none. */
  readonly fallback?: string;
}

/** An option, with what a shell needs to complete it. */
export interface ManualOption extends ManualEntry {
  readonly long: string;
  readonly takesValue: boolean;
}

/** Everything that the definition of a command says: help, documents and completion are made of it. */
export interface CommandManual {
  readonly name: string;
  /** The name that the help lists: `items save` for `save`. */
  readonly listed: string;
  readonly group: CommandGroup;
  /** One line, as in the list of commands. */
  readonly summary: string;
  readonly description: string;
  readonly usage: string;
  readonly examples: readonly string[];
  readonly arguments: readonly ManualEntry[];
  readonly options: readonly ManualOption[];
  /** What stands below the help. */
  readonly notes: string;
}

function fallbackOf({ defaultValue, defaultValueDescription: told }: Option | Argument): {
  fallback?: string;
} {
  const value: unknown = defaultValue;
  if (value === undefined || value === '') return {};
  return { fallback: told ?? (typeof value === 'string' ? value : JSON.stringify(value)) };
}

function wordsOf({ argChoices, parseArg }: Option | Argument): readonly string[] {
  return argChoices ?? wordsTaken(parseArg);
}

function argumentEntry(argument: Argument): ManualEntry {
  const dots = argument.variadic ? '...' : '';
  const name = `${argument.name()}${dots}`;
  return {
    term: argument.required ? `<${name}>` : `[${name}]`,
    meaning: argument.description,
    words: wordsOf(argument),
    ...fallbackOf(argument),
  };
}

function optionEntry(option: Option): ManualOption {
  return {
    term: option.flags,
    meaning: option.description,
    words: wordsOf(option),
    long: option.long ?? '',
    takesValue: option.required || option.optional,
    ...(option.negate ? {} : fallbackOf(option)),
  };
}

/** Reads a command's definition. */
export function manualOf(command: Command, entry: CommandEntry): CommandManual {
  const listed = listedName(entry);
  return {
    name: entry.name,
    listed,
    group: entry.group,
    summary: entry.summary,
    description: command.description(),
    usage: `ctx ${listed} ${command.usage()}`,
    examples: examplesOf(command),
    arguments: command.registeredArguments.map(argumentEntry),
    options: command.options.filter(({ hidden }) => !hidden).map(optionEntry),
    notes: notesOf(command),
  };
}

/** The manuals of all commands, in the order of the help. Loads every command. */
export async function allManuals(context: CommandContext): Promise<CommandManual[]> {
  const manuals: CommandManual[] = [];
  for (const entry of context.commands) {
    manuals.push(manualOf((await entry.load()).command(context), entry));
  }
  return manuals;
}

/** The words that may follow another: `save` and its neighbours after `items`. */
export function verbsByNoun(manuals: readonly CommandManual[]): [string, string[]][] {
  const verbs = new Map<string, string[]>();
  for (const { listed } of manuals) {
    const [noun = '', verb] = listed.split(' ');
    if (verb !== undefined) verbs.set(noun, [...(verbs.get(noun) ?? []), verb]);
  }
  return [...verbs];
}
