import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CtxError, isCtxError } from '@ctx/core';
import {
  builtInFormats,
  type TranscriptEvent,
  writeTranscript,
  type WrittenTranscript,
} from '@ctx/transcripts';
import type { Command } from 'commander';
import { type CommandContext, type StoreFlags, writeErr, writeOut } from '../command-context.ts';
import { findSession } from '../find-session.ts';
import { importMarkOf } from '../import/import-mark.ts';
import { readSessionEvents } from '../import/read-session-events.ts';
import { makeCommand, withStoreFlag } from '../make-command.ts';
import { withStore } from '../open-store-url.ts';
import { bytesText, countedText, countsText } from '../render.ts';
import { type ExportAnswer, exportAnswerSchema } from '../schemas/export.ts';

interface ExportFlags extends StoreFlags {
  readonly format?: string;
  readonly out?: string;
}

const outMeanings: Readonly<Record<string, string>> = {
  EEXIST: 'exists already; name a new file',
  ENOENT: 'is in a folder that does not exist',
  ENOTDIR: 'is in something that is no folder',
};

function outFailure(path: string, cause: unknown): CtxError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const what = Object.hasOwn(outMeanings, code) ? outMeanings[code] : undefined;
  if (what !== undefined) return new CtxError('CTX_INVALID_INPUT', `--out ${path} ${what}`);
  return new CtxError('CTX_STORE_IO', `${path} cannot be made`, { cause });
}

async function writeAs(
  events: readonly TranscriptEvent[],
  format: string,
): Promise<WrittenTranscript> {
  try {
    return await writeTranscript(events, { format });
  } catch (error) {
    if (!isCtxError(error, 'CTX_TRANSCRIPT_UNKNOWN_FORMAT')) throw error;
    throw new CtxError('CTX_INVALID_INPUT', error.message);
  }
}

/** Writes a new file that only its owner may read. */
async function writePrivate(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw outFailure(path, cause);
  });
  try {
    await file.writeFile(bytes);
  } catch (cause) {
    await rm(path, { force: true });
    throw new CtxError('CTX_STORE_IO', `${path} cannot be written`, { cause });
  } finally {
    await file.close();
  }
}

async function runExport(context: CommandContext, name: string, flags: ExportFlags): Promise<void> {
  await withStore(context, flags, async (store) => {
    const session = await findSession(store, name);
    const format = flags.format ?? importMarkOf(session)?.format;
    if (format === undefined)
      throw new CtxError('CTX_INVALID_INPUT', 'name the format with --format');
    const read = { id: session.id, what: 'the export' };
    const events = (await readSessionEvents(context, store, read)).map(({ event }) => event);
    const { bytes, receipt } = await writeAs(events, format);
    if (flags.out !== undefined) await writePrivate(resolve(context.host.cwd, flags.out), bytes);
    else await writeOut(context, new TextDecoder().decode(bytes));
    const { losses } = receipt;
    const answer: ExportAnswer = {
      session: session.id,
      format,
      events: events.length,
      bytes: bytes.length,
      losses,
    };
    await writeErr(
      context,
      flags.json === true
        ? JSON.stringify(exportAnswerSchema.parse(answer))
        : `${session.id} as ${format}: ${countedText(events.length, 'event')}, ${bytesText(bytes.length)}; not held by the format: ${countsText(losses)}`,
    );
  });
}

/** Formats that can be written. */
const writable = builtInFormats.filter((format) => format.write !== undefined);

/** `ctx export` */
export function exportCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'export',
    summary: 'Write an imported session as a transcript again; the receipt goes to standard error.',
    examples: [
      'ctx export <session> > session.json',
      'ctx export <session> --format openai-chat --out chat.json',
    ],
  })
    .argument('<session>', 'id of a session, or how it begins')
    .option(
      '--format <name>',
      `one of ${writable.map(({ name }) => name).join(', ')}; default: as it was imported`,
    )
    .option('--out <file>', 'a new file, readable by its owner only (default: standard output)');
  return withStoreFlag(command).action((name: string, flags: ExportFlags) =>
    runExport(context, name, flags),
  );
}
