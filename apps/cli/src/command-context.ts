import { CtxError } from '@ctx/core';
import type { Answer } from '@ctx/server/schemas';
import type { Command } from 'commander';
import type { z } from 'zod';
import type { CliHost } from './cli-host.ts';
import { visibleText } from './terminal/visible-text.ts';

/** A group of commands in the help of `ctx`. */
export type CommandGroup = 'agent' | 'look' | 'measure' | 'memory' | 'store' | 'serve' | 'shell';

/** A command: enough to list it, and where to find the rest. */
export interface CommandEntry {
  readonly name: string;
  readonly group: CommandGroup;
  /** The two words that the help calls it by, such as `items save`; `name` keeps working. Default: `name`. */
  readonly as?: string;
  readonly summary: string;
  /** Loads the command. Nothing of it is loaded before it is asked for. */
  readonly load: () => Promise<(context: CommandContext) => Command>;
}

/** What every command gets. */
export interface CommandContext {
  readonly host: CliHost;
  /** Every command there is, for those that tell of the others. */
  readonly commands: readonly CommandEntry[];
  /** Whether colours may be used on standard output. */
  readonly hasColor: boolean;
  /** Sets the exit code of a command that worked, such as 1 for a check that found something. */
  readonly finish: (exitCode: number) => void;
}

/** Flags that every command with a store has. */
export interface StoreFlags {
  readonly store?: string;
  readonly json?: boolean;
}

/** Writes data. On a terminal stored text is shown with its hidden signs visible, into a pipe it goes as it is. */
export async function writeOut({ host }: CommandContext, text: string): Promise<void> {
  await host.out.write(host.out.isTty ? visibleText(text) : text);
}

/** Writes what was made for the terminal already: a table, in which cells are visible and only heads have colours. */
export async function writeRendered({ host }: CommandContext, text: string): Promise<void> {
  await host.out.write(text);
}

/** Writes a message for people. */
export async function writeErr({ host }: CommandContext, text: string): Promise<void> {
  const line = `${text}\n`;
  await host.err.write(host.err.isTty ? visibleText(line) : line);
}

/** Writes the answer of `--json`: exactly what the command's schema names. */
export async function writeJson<Schema extends z.ZodType>(
  context: CommandContext,
  schema: Schema,
  answer: Answer<Schema>,
): Promise<void> {
  await writeOut(context, `${JSON.stringify(schema.parse(answer), null, 2)}\n`);
}

/** Throws: `CTX_ABORTED` once Ctrl-C was pressed. */
export function checkNotStopped({ host }: CommandContext, what: string): void {
  if (host.signal.aborted) throw new CtxError('CTX_ABORTED', `${what} was stopped`);
}
