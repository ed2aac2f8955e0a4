import { Command, InvalidArgumentError } from 'commander';

/** What the help of a command begins with. */
export interface CommandText {
  readonly name: string;
  readonly summary: string;
  /** Lines as a user types them, without the prompt. */
  readonly examples: readonly string[];
}

/** What is known of a command beside what commander keeps: its examples, and what stands below its help. */
const examplesByCommand = new WeakMap<Command, readonly string[]>();
const notesByCommand = new WeakMap<Command, string>();

/** The words that a reader made by {@link oneOf} takes. */
const wordsByReader = new WeakMap<object, readonly string[]>();

/** The examples of a command made by {@link makeCommand}. */
export function examplesOf(command: Command): readonly string[] {
  return examplesByCommand.get(command) ?? [];
}

/** What stands below the help of a command; '' where nothing does. */
export function notesOf(command: Command): string {
  return notesByCommand.get(command) ?? '';
}

/** The words that an option or argument takes; empty where it takes any. */
export function wordsTaken(reader: object | undefined): readonly string[] {
  return reader === undefined ? [] : (wordsByReader.get(reader) ?? []);
}

/** Adds lines below the help of a command. */
export function withNotes(command: Command, notes: string): Command {
  notesByCommand.set(command, notes);
  return command.addHelpText('after', `\n${notes}`);
}

/** Makes a command whose help begins with examples, with the flags that every command has. */
export function makeCommand({ name, summary, examples }: CommandText): Command {
  const lines = examples.map((example) => `  $ ${example}`).join('\n');
  const command = new Command(name);
  examplesByCommand.set(command, examples);
  return command
    .description(summary)
    .addHelpText('before', `Examples:\n${lines}\n`)
    .option('--json', `answer as JSON (its schema: ctx schema ${name})`)
    .option('--no-color', 'no colours; NO_COLOR does the same')
    .option('--no-input', 'never ask; refuse what would need an answer');
}

/** Adds the flag that names the store. */
export function withStoreFlag(
  command: Command,
  fallback = 'CTX_STORE, ctx.config.json, user config',
): Command {
  const urls = 'sqlite:<file>, fs:<folder>, postgres://<host>/<database> or memory:';
  return command.option('--store <url>', `${urls} (default: ${fallback})`);
}

/** Adds the flags of a paged list. */
export function withPageFlags(command: Command, limit: number): Command {
  return command
    .option('--limit <count>', 'entries to show, up to 1000', wholeNumber(1, 1000), limit)
    .option('--after <cursor>', 'start after this position: `next` of the previous answer');
}

/** Reads a whole number within bounds. */
export function wholeNumber(
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text: string): number => {
    const value = Number(text.replaceAll(/[_,]/g, ''));
    if (/^[0-9][0-9_,]*$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(
      most === Number.MAX_SAFE_INTEGER
        ? `It must be a whole number of ${String(least)} or more.`
        : `It must be a whole number in ${String(least)}…${String(most)}.`,
    );
  };
}

/** Reads one of several words, in capitals or not. */
export function oneOf<const T extends string>(words: readonly T[]): (text: string) => T {
  const reader = (text: string): T => {
    const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
  };
  wordsByReader.set(reader, words);
  return reader;
}

/** Reads how secrets are dealt with. */
export const redactMode = oneOf(['on', 'report', 'off']);

/** Reads the name of one of several things. */
export function oneNamed<T extends { readonly name: string }>(
  things: readonly T[],
): (text: string) => T {
  return (text) => {
    const name = oneOf(things.map((thing) => thing.name))(text);
    const found = things.find((thing) => thing.name === name);
    if (found !== undefined) return found;
    throw new TypeError(`${name} is not there`);
  };
}

/** Reads a share from 0 to 1. */
export function shareOf(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError('It must be a number in 0…1.');
}
