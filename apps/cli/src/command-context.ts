import { CtxError } from '@ctx/core';
import type { Answer } from '@ctx/server/records';
import type { Page } from '@ctx/store';
import type { Command } from 'commander';
import type { z } from 'zod';
import type { OutputChannel, Screen } from './cli-host.ts';
import type { TableColumn } from './terminal/table-column.ts';
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
  readonly load: () => Promise<{ readonly command: (context: CommandContext) => Command }>;
}

/** What a command line decides for its command. */
interface CommandSetting extends Screen {
  /** Every command there is, for those that tell of the others. */
  readonly commands: readonly CommandEntry[];
  /** Sets the exit code of a command that worked, such as 1 for a check that found something. */
  readonly finish: (exitCode: number) => void;
}

/** What every command gets. */
export interface CommandContext extends CommandSetting {
  /** Writes a message for people to standard error. */
  readonly say: (text: string) => Promise<void>;
  /** Writes data. A terminal shows hidden characters of stored text, a pipe gets them as they are. */
  readonly print: (text: string) => Promise<void>;
  /** Writes what was made for the terminal already: cells are visible and only heads have colours. */
  readonly draw: (text: string) => Promise<void>;
  readonly table: (
    columns: readonly TableColumn[],
    rows: readonly (readonly string[])[],
  ) => Promise<void>;
  /** Writes the answer of `--json`: exactly what the command's schema names. */
  readonly json: <Schema extends z.ZodType>(
    schema: Schema,
    answer: Answer<Schema>,
  ) => Promise<void>;
}

/** Adds to the setting of a command line how its command writes. */
export function commandContext(setting: CommandSetting): CommandContext {
  const { out, err } = setting.host;
  const visible = (text: string, { isTty }: OutputChannel): string =>
    isTty ? visibleText(text) : text;
  const print = (text: string): Promise<void> => out.write(visible(text, out));
  return {
    ...setting,
    say: (text) => err.write(visible(`${text}\n`, err)),
    print,
    draw: (text) => out.write(text),
    table: async (columns, rows) => {
      // Loaded by the commands that draw one: it costs as much as a short command.
      const { renderTable } = await import('./terminal/render-table.ts');
      await out.write(renderTable(setting, columns, rows));
    },
    json: (schema, answer) => print(`${JSON.stringify(schema.parse(answer), null, 2)}\n`),
  };
}

/** Flags that every command with a store has. */
export interface StoreFlags {
  readonly store?: string;
  readonly json?: boolean;
}

type PageEnd = Pick<Page<unknown>, 'next' | 'unreadable'>;

/** Returns the end of a list's JSON answer. */
export function pageEnd({ next, unreadable }: PageEnd): {
  readonly next?: string;
  readonly unreadable?: string[];
} {
  return {
    ...(next === undefined ? {} : { next }),
    ...(unreadable === undefined ? {} : { unreadable: [...unreadable] }),
  };
}

/** Says which records a list leaves out because they are damaged, and where it goes on. */
export async function sayPageEnd(
  { say }: CommandContext,
  { next, unreadable = [] }: PageEnd,
): Promise<void> {
  for (const what of unreadable) await say(`not shown: ${what} (CTX_STORE_CORRUPT)`);
  if (next !== undefined) await say(`More: --after ${next}`);
}

/** Throws `CTX_ABORTED` once Ctrl-C was pressed. */
export function checkNotStopped({ host }: CommandContext, what: string): void {
  if (host.signal.aborted) throw new CtxError('CTX_ABORTED', `${what} was stopped`);
}

/** Resolves at Ctrl-C. */
export function untilStopped({ host: { signal } }: CommandContext): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}

/** Asks before something is done; throws `CTX_NOT_ALLOWED` without a yes; `refusal` says what was not done. */
export async function checkWanted(
  { host }: CommandContext,
  question: string,
  refusal: string,
): Promise<void> {
  if ((await host.confirm(question)) === true) return;
  throw new CtxError('CTX_NOT_ALLOWED', `${refusal}; --yes answers the question`);
}
