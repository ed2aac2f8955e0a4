import { Command, InvalidArgumentError } from 'commander';

/** What the help of a command begins with. */
export interface CommandText {
  readonly name: string;
  readonly summary: string;
  /** Lines as a user types them, without the prompt. */
  readonly examples: readonly string[];
}

/** Makes a command whose help begins with examples, with the flags that every command has. */
export function makeCommand({ name, summary, examples }: CommandText): Command {
  const lines = examples.map((example) => `  $ ${example}`).join('\n');
  return new Command(name)
    .description(summary)
    .addHelpText('before', `Examples:\n${lines}\n`)
    .option('--json', `answer as JSON (its schema: ctx schema ${name})`)
    .option('--no-color', 'no colours; NO_COLOR does the same')
    .option('--no-input', 'never ask: what needs an answer is refused');
}

/** Adds the flag that names the store. */
export function withStoreFlag(
  command: Command,
  fallback = 'CTX_STORE, ctx.config.json, user config',
): Command {
  const urls = 'sqlite:<file>, fs:<folder> or memory:';
  return command.option('--store <url>', `${urls} (default: ${fallback})`);
}

/** Adds the flags of a paged list. */
export function withPageFlags(command: Command, limit: number): Command {
  return command
    .option('--limit <count>', 'most entries, up to 1000', wholeNumber(1, 1000), limit)
    .option('--after <cursor>', 'go on behind this place (`next` of the answer before)');
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

/** Reads one of several words. */
export function oneOf<const T extends string>(words: readonly T[]): (text: string) => T {
  return (text: string): T => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
  };
}
