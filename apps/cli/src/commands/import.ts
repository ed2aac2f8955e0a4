import { relative } from 'node:path';
import { type ContextStore, CtxError, type RedactionMode } from '@ctx/core';
import { builtInFormats } from '@ctx/transcripts';
import type { Command } from 'commander';
import { exitCodeOf, failureOf } from '../cli-errors.ts';
import {
  type CommandContext,
  checkNotStopped,
  type StoreFlags,
  writeErr,
  writeJson,
  writeRendered,
} from '../command-context.ts';
import { findFiles, type FoundFile } from '../import/find-files.ts';
import { identifyTranscript } from '../import/identify-transcript.ts';
import { importTranscript } from '../import/import-transcript.ts';
import { makeCommand, oneOf, withStoreFlag } from '../make-command.ts';
import { withStore } from '../open-store-url.ts';
import { type Progress, startProgress } from '../progress.ts';
import { bytesText, countedText, countsText, countText, percentText } from '../render.ts';
import { renderTable } from '../render-table.ts';
import { type ImportAnswer, importAnswerSchema, type ImportEntry } from '../schemas/import.ts';

interface ImportFlags extends StoreFlags {
  readonly format?: string;
  readonly session?: string;
  readonly redact: RedactionMode;
  readonly verbose?: boolean;
}

interface ImportRun {
  readonly context: CommandContext;
  readonly store: ContextStore;
  readonly flags: ImportFlags;
  readonly progress: Progress;
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

async function importFile(run: ImportRun, path: string, label: string): Promise<ImportEntry> {
  const { context, store, flags, progress } = run;
  const { format, session, redact } = flags;
  progress.show(`${label} looking at ${path}`);
  const identity = await identifyTranscript(path, {
    signal: context.host.signal,
    ...(format === undefined ? {} : { format }),
  });
  return importTranscript(store, identity, {
    redact,
    countTokens: store.countTokens,
    signal: context.host.signal,
    ...(session === undefined ? {} : { sessionId: session }),
    onBytes: (bytes) => {
      progress.show(`${label} ${percentText(bytes, identity.sizeBytes)} of ${path}`);
    },
    onWait: () => {
      progress.show(`${label} waiting for another import of ${path}`);
    },
  });
}

/** A file below a folder that is no transcript is skipped; everything else that goes wrong is a failure of that file. */
async function importFound(run: ImportRun, file: FoundFile, label: string): Promise<ImportEntry> {
  try {
    return await importFile(run, file.path, label);
  } catch (error) {
    const { code, message } = failureOf(error);
    if (code === 'CTX_ABORTED') throw error;
    const isForeign = code === 'CTX_TRANSCRIPT_UNKNOWN_FORMAT' && !file.isNamed;
    const status = isForeign ? 'skipped' : 'failed';
    return { ...nothing, file: file.path, status, reason: message, code };
  }
}

const columns = [
  { title: 'status' },
  { title: 'session', isWhole: true },
  { title: 'messages', align: 'right' },
  { title: 'outputs', align: 'right' },
  { title: 'tokens', align: 'right' },
  { title: 'format' },
  { title: 'file', isFlexible: true },
] as const;

function sumOf(
  files: readonly ImportEntry[],
  pick: (entry: ImportEntry) => Readonly<Record<string, number>>,
): Record<string, number> {
  const sum = new Map<string, number>();
  for (const file of files) {
    for (const [name, count] of Object.entries(pick(file)))
      sum.set(name, (sum.get(name) ?? 0) + count);
  }
  return Object.fromEntries(sum);
}

function receiptText({ files, redact, store }: ImportAnswer): string {
  const written = files.filter(({ status }) => status === 'imported' || status === 'replaced');
  const total = (pick: (entry: ImportEntry) => number): number =>
    written.reduce((sum, entry) => sum + pick(entry), 0);
  const count = (status: ImportEntry['status']): string =>
    countText(files.filter((entry) => entry.status === status).length);
  const found = redact === 'report' ? 'secrets found (left in)' : 'secrets redacted';
  return [
    `${countedText(written.length, 'session')} written to ${store}: ${countedText(
      total(({ messages }) => messages),
      'message',
    )}, ${countedText(
      total(({ outputs }) => outputs),
      'tool output',
    )} (${bytesText(total(({ outputBytes }) => outputBytes))})`,
    `unchanged ${count('unchanged')} · skipped ${count('skipped')} · failed ${count('failed')}`,
    `repaired: ${countsText(sumOf(files, ({ repaired }) => repaired))} · unreadable records: ${countsText(sumOf(files, ({ unreadable }) => unreadable))}`,
    redact === 'off'
      ? 'redaction is off'
      : `${found}: ${countsText(sumOf(files, ({ redacted }) => redacted))}`,
  ].join('\n');
}

/** Most skipped files that are named without being asked for. */
const namedSkips = 10;

/** The files that were skipped, and why: the first of them, or all. */
function skippedLines({ host }: CommandContext, answer: ImportAnswer, isAll: boolean): string[] {
  const skipped = answer.files.filter(({ status }) => status === 'skipped');
  const named = isAll ? skipped : skipped.slice(0, namedSkips);
  const lines = named.map(
    ({ file, reason = '' }) => `skipped: ${relative(host.cwd, file)}: ${reason}`,
  );
  const rest = skipped.length - named.length;
  return rest === 0 ? lines : [...lines, `and ${countText(rest)} more: --verbose names them all`];
}

async function printAnswer(
  context: CommandContext,
  answer: ImportAnswer,
  isVerbose: boolean,
): Promise<void> {
  const shown = answer.files.filter(({ status }) => status !== 'skipped');
  const rows = shown.map(
    ({ status, session = '–', messages, outputs, outputTokens, format = '–', file }) => [
      status,
      session,
      countText(messages),
      countText(outputs),
      countText(outputTokens),
      format,
      relative(context.host.cwd, file),
    ],
  );
  if (rows.length > 0) await writeRendered(context, renderTable(context, columns, rows));
  for (const { file, status, reason = '' } of answer.files) {
    if (status === 'failed')
      await writeErr(context, `failed: ${relative(context.host.cwd, file)}: ${reason}`);
  }
  for (const line of skippedLines(context, answer, isVerbose)) await writeErr(context, line);
  await writeErr(context, receiptText(answer));
}

async function runImport(
  context: CommandContext,
  names: readonly string[],
  flags: ImportFlags,
): Promise<void> {
  const found = await findFiles(names, context.host.cwd);
  if (flags.session !== undefined && found.length !== 1) {
    throw new CtxError('CTX_INVALID_INPUT', '--session needs exactly one file');
  }
  const progress = startProgress(context);
  const { tokenCounterFor } = await import('@ctx/tokens');
  const use = { create: true, tokenCounter: tokenCounterFor() };
  try {
    await withStore(context, { ...flags, use }, async (store, url) => {
      const run = { context, store, flags, progress };
      const files: ImportEntry[] = [];
      for (const [index, file] of found.entries()) {
        checkNotStopped(context, 'the import');
        const label = `importing ${String(index + 1)}/${String(found.length)}`;
        files.push(await importFound(run, file, label));
      }
      progress.clear();
      const answer = { store: url.text, redact: flags.redact, files };
      if (flags.json === true) await writeJson(context, importAnswerSchema, answer);
      else await printAnswer(context, answer, flags.verbose === true);
      await finishWith(context, files);
    });
  } finally {
    progress.clear();
  }
}

/** One failed file decides the exit code; nothing at all to import is a failure, too. */
async function finishWith(context: CommandContext, files: readonly ImportEntry[]): Promise<void> {
  const failed = files.find(({ status }) => status === 'failed');
  if (failed !== undefined) {
    context.finish(exitCodeOf(failed.code ?? ''));
  } else if (files.every(({ status }) => status === 'skipped')) {
    await writeErr(context, 'No transcript was found.');
    context.finish(3);
  }
}

/** `ctx import` */
export function importCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'import',
    summary:
      'Import transcripts; the format is told from the content. The same file again changes nothing.',
    examples: [
      'ctx import session.jsonl',
      'ctx import ~/.claude/projects --store sqlite:./ctx.db',
      'ctx import chat.json --session first-try --redact report',
    ],
  })
    .argument('<files...>', 'transcripts, or folders with them')
    .option(
      '--format <name>',
      `one of ${builtInFormats.map(({ name }) => name).join(', ')}; default: told from the content`,
    )
    .option('--session <id>', 'id of the session, for one file')
    .option('--verbose', 'name every file that was skipped')
    .option('--redact <mode>', 'secrets: on, report or off', oneOf(['on', 'report', 'off']), 'on');
  return withStoreFlag(command).action((names: string[], flags: ImportFlags) =>
    runImport(context, names, flags),
  );
}
