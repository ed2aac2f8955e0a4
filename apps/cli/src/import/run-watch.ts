import { countedText } from '@ctx/core/encoding';
import { lstat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { watchLogs } from '@ctx/transcripts/import';
import { failureOf } from '../cli-errors.ts';
import type { CommandContext } from '../command-context.ts';
import { type ImportEntry, importAnswerSchema } from '../schemas/session.ts';
import type { Progress } from '../terminal/progress.ts';
import type { ImportOptions } from './import-parts.ts';

/** What is watched, and where it goes. */
export interface WatchRun {
  readonly store: ContextStore;
  /** URL of the store, as text. */
  readonly url: string;
  /** None: the folders in which Claude Code and Codex keep their logs. */
  readonly names: readonly string[];
  readonly options: ImportOptions;
  /** One answer of JSON a line. */
  readonly isJson: boolean;
  readonly progress: Progress;
}

/** Pause between two looks, ms. */
const pauseMs = 500;

/** Where the agents that are followed keep their logs; those that are there. */
async function usualFolders({ host }: CommandContext): Promise<string[]> {
  const { env } = host;
  const { home } = await host.folders();
  const folders = [
    join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'projects'),
    join(env['CODEX_HOME'] ?? join(home, '.codex'), 'sessions'),
  ];
  const found: string[] = [];
  for (const folder of folders) {
    const stat = await lstat(folder).catch(() => undefined);
    if (stat?.isDirectory() === true) found.push(folder);
  }
  if (found.length > 0) return found;
  throw new CtxError(
    'CTX_NOT_FOUND',
    `there is none of ${folders.join(', ')}; name the folder of your agent's logs`,
  );
}

/** Prints an entry with what is new in it. */
function entryPrinter(
  context: CommandContext,
  { url, options, isJson, progress }: WatchRun,
): (entry: ImportEntry) => Promise<void> {
  const known = new Map<string, number>();
  return async (entry) => {
    const { file, status, session = '–', messages, outputs } = entry;
    const before = known.get(file) ?? 0;
    known.set(file, messages);
    if (status === 'unchanged') return;
    progress.clear();
    if (isJson) {
      const answer = { store: url, redact: options.redact, files: [entry] };
      await context.print(`${JSON.stringify(importAnswerSchema.parse(answer))}\n`);
      return;
    }
    const isNew = status !== 'continued' || before === 0;
    const count = countedText(isNew ? messages : messages - before, 'message');
    const sum = isNew ? count : `+${count}`;
    const place = relative(context.host.cwd, file);
    await context.print(
      `${status.padEnd(9)} ${session}  ${sum}, ${countedText(outputs, 'output')}  ${place}\n`,
    );
  };
}

/** Says what went wrong with a file, once for each reason: it is tried again and again. */
function failurePrinter(context: CommandContext): (path: string, error: unknown) => Promise<void> {
  const told = new Map<string, string>();
  return async (path, error) => {
    const { message, code, advice } = failureOf(error);
    if (told.get(path) === message) return;
    told.set(path, message);
    await context.say(`failed: ${relative(context.host.cwd, path)}: ${message} (${code})`);
    if (advice !== undefined) await context.say(`  → ${advice}`);
  };
}

/** Keeps the store current with logs until Ctrl-C, and says what came. */
export async function runWatch(context: CommandContext, run: WatchRun): Promise<void> {
  const { host } = context;
  const { store, url, options, progress } = run;
  const names = run.names.length > 0 ? run.names : await usualFolders(context);
  let sessions = 0;
  const print = entryPrinter(context, run);
  await watchLogs(store, {
    ...options,
    names,
    cwd: host.cwd,
    onEntry: async (entry) => {
      sessions += entry.status === 'continued' ? 0 : 1;
      await print(entry);
    },
    onFailure: failurePrinter(context),
    onCurrent: async () => {
      progress.clear();
      const what = `${countedText(sessions, 'session')} of ${names.join(', ')}`;
      await context.say(`${url} is current with ${what}. Stop with Ctrl-C.`);
    },
    wait: () =>
      sleep(pauseMs, undefined, { signal: host.signal }).catch(() => {
        // Ctrl-C ends the pause.
      }),
  });
  progress.clear();
  await context.say('Stopped; everything that was read is stored.');
}
