import { CtxError, isCtxError } from '@ctx/core';
import type { RedactionMode } from '@ctx/redact';
import type { ContextStore } from '@ctx/store';
import { approximateTokens } from '@ctx/tokens/approximate';
import { builtInFormats } from '@ctx/transcripts';
import { findFiles, importFound } from '@ctx/transcripts/import';
import type { Command } from 'commander';
import { exitCodeOf, failureOf } from '../../cli-errors.ts';
import { type CommandContext, checkNotStopped, type StoreFlags } from '../../command-context.ts';
import { type ImportOptions, openDatabase, thread } from '../../import/import-parts.ts';
import { printAnswer } from '../../import/print-answer.ts';
import { progressText } from '../../import/progress-text.ts';
import { runWatch } from '../../import/run-watch.ts';
import { makeCommand, oneOf, redactMode, withStoreFlag } from '../../make-command.ts';
import { type ImportEntry, importAnswerSchema } from '../../schemas/session.ts';
import { type StoreUse, withStore } from '../../store/open-store-url.ts';
import { type Progress, startProgress } from '../../terminal/progress.ts';

interface ImportFlags extends StoreFlags {
  readonly format?: string;
  readonly session?: string;
  readonly redact: RedactionMode;
  readonly count: 'exact' | 'approximate';
  readonly watch?: boolean;
  readonly verbose?: boolean;
}

type FoundFile = Awaited<ReturnType<typeof findFiles>>[number];

interface ImportRun {
  readonly context: CommandContext;
  readonly store: ContextStore;
  readonly flags: ImportFlags;
  readonly progress: Progress;
  /** Whether watchers of the store hear about writes right now. */
  readonly told: { isOn: boolean };
}

const nothing: Omit<ImportEntry, 'file' | 'status'> = {
  messages: 0,
  events: 0,
  outputs: 0,
  outputBytes: 0,
  outputTokens: 0,
  repaired: {},
  unreadable: {},
  redacted: {},
};

function optionsOf({ context, store, flags }: Omit<ImportRun, 'progress' | 'told'>): ImportOptions {
  const { session, redact, count } = flags;
  return {
    openDatabase,
    redact,
    count,
    countTokens: store.countTokens,
    signal: context.host.signal,
    ...(session === undefined ? {} : { sessionId: session }),
  };
}

const importAgain =
  ' Then run the same import again: it replaces what was stored of a file that failed.';

/** A file below a folder that is no transcript is skipped; everything else that goes wrong is a failure of that file. */
async function importOne(run: ImportRun, file: FoundFile, label: string): Promise<ImportEntry[]> {
  const { context, store, flags, progress } = run;
  const { path } = file;
  const { columns } = context.host.err;
  const startedAt = performance.now();
  const draw = (bytes: number, sizeBytes: number): void => {
    const elapsedMs = performance.now() - startedAt;
    progress.show(progressText({ label, path, bytes, sizeBytes, elapsedMs, columns }));
  };
  try {
    return await importFound(store, file, {
      ...optionsOf(run),
      thread,
      ...(flags.format === undefined ? {} : { format: flags.format }),
      onBytes: draw,
      onWait: () => {
        progress.show(`${label} waiting for another import of ${path}`);
      },
    });
  } catch (error) {
    const { code, message, advice } = failureOf(error);
    if (code === 'CTX_ABORTED') throw error;
    const isForeign = code === 'CTX_TRANSCRIPT_UNKNOWN_FORMAT' && !file.isNamed;
    const status = isForeign ? 'skipped' : 'failed';
    const entry: ImportEntry = { ...nothing, file: path, status, reason: message, code };
    const again = code === 'CTX_STORE_FULL' ? importAgain : '';
    return [advice === undefined ? entry : { ...entry, advice: advice + again }];
  }
}

async function importAll(run: ImportRun, found: readonly FoundFile[]): Promise<ImportEntry[]> {
  const files: ImportEntry[] = [];
  for (const [index, file] of found.entries()) {
    checkNotStopped(run.context, 'the import');
    const label = `importing ${String(index + 1)}/${String(found.length)}`;
    const entries = await importOne(run, file, label);
    run.told.isOn = true;
    await tellChanged(run.store, entries);
    run.told.isOn = false;
    files.push(...entries);
  }
  return files;
}

async function runOnce(
  context: CommandContext,
  names: readonly string[],
  flags: ImportFlags,
): Promise<void> {
  const found = await findFiles(names, context.host.cwd, { joins: true });
  if (flags.session !== undefined && found.length !== 1) {
    throw new CtxError('CTX_USAGE', '--session needs exactly one file');
  }
  const progress = startProgress(context);
  try {
    // Watchers hear about each session once it is stored, not about each batch: that keeps the import fast.
    const told = { isOn: false };
    const use = { ...(await useOf(flags)), isTold: () => told.isOn };
    await withStore(context, { ...flags, use }, async (store, url) => {
      const files = await importAll({ context, store, flags, progress, told }, found);
      progress.clear();
      const answer = { store: url.text, redact: flags.redact, files };
      if (flags.json === true) await context.json(importAnswerSchema, answer);
      else await printAnswer(context, answer, flags.verbose === true);
      await finishWith(context, files);
    });
  } finally {
    progress.clear();
  }
}

const unchanged: ReadonlySet<string> = new Set(['unchanged', 'skipped', 'failed']);

/** Saves the sessions that were written once more, as they are. */
async function tellChanged(store: ContextStore, files: readonly ImportEntry[]): Promise<void> {
  for (const { session: id, status } of files) {
    const session =
      id === undefined || unchanged.has(status) ? undefined : await store.sessions.get(id);
    if (session === undefined) continue;
    await store.sessions.save(session).catch((error: unknown) => {
      // Whoever changed it meanwhile has told.
      if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
    });
  }
}

async function useOf({ count }: ImportFlags): Promise<StoreUse> {
  // What is written here is not read again.
  const use = { create: true, outputs: { cacheUpToBytes: 0 } };
  if (count === 'approximate') return { ...use, tokenCounter: approximateTokens };
  const { tokenCounterFor } = await import('@ctx/tokens');
  return { ...use, tokenCounter: tokenCounterFor() };
}

/** One failed file decides the exit code; nothing at all to import is a failure, too. */
async function finishWith(context: CommandContext, files: readonly ImportEntry[]): Promise<void> {
  const failed = files.find(({ status }) => status === 'failed');
  if (failed !== undefined) {
    context.finish(exitCodeOf(failed.code ?? ''));
  } else if (files.every(({ status }) => status === 'skipped')) {
    await context.say('No transcript was found.');
    context.finish(3);
  }
}

async function watch(
  context: CommandContext,
  names: readonly string[],
  flags: ImportFlags,
): Promise<void> {
  const { session, format } = flags;
  if (session !== undefined || format !== undefined) {
    throw new CtxError('CTX_USAGE', '--watch goes with neither --session nor --format');
  }
  await withStore(context, { ...flags, use: await useOf(flags) }, async (store, url) => {
    const progress = startProgress(context);
    const options = optionsOf({ context, store, flags });
    const isJson = flags.json === true;
    await runWatch(context, { store, url: url.text, names, options, isJson, progress });
  });
}

async function runImport(
  context: CommandContext,
  names: readonly string[],
  flags: ImportFlags,
): Promise<void> {
  if (flags.watch === true) await watch(context, names, flags);
  else if (names.length > 0) await runOnce(context, names, flags);
  else throw new CtxError('CTX_USAGE', 'name transcripts, or folders with them');
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'import',
    summary:
      'Import transcripts; the format is detected from the content. Importing a file again changes nothing.',
    examples: [
      'ctx import session.jsonl',
      'ctx import ~/.claude/projects --store sqlite:./ctx.db',
      'ctx import --watch',
      'ctx import chat.json --session first-try --redact report',
    ],
  })
    .argument('[files...]', 'transcripts, or folders with them')
    .option(
      '--format <name>',
      `one of ${builtInFormats.map(({ name }) => name).join(', ')}; default: told from the content`,
    )
    .option('--session <id>', 'id of the session, for one file')
    .option(
      '--watch',
      'import what is there, then what is added, until Ctrl-C (default: the logs of Claude Code and Codex)',
    )
    .option(
      '--count <how>',
      'tokens: exact, or approximate, which is faster for logs of hundreds of MB',
      oneOf(['exact', 'approximate']),
      'exact',
    )
    .option('--verbose', 'name every file that was skipped or had oddities')
    .option('--redact <mode>', 'secrets: on, report or off', redactMode, 'on');
  return withStoreFlag(command).action((names: string[], flags: ImportFlags) =>
    runImport(context, names, flags),
  );
}
