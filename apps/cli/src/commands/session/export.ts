import { resolve } from 'node:path';
import { CtxError, isCtxError } from '@ctx/core';
import type { ContextStore, Session } from '@ctx/store';
import {
  builtInFormats,
  streamTranscript,
  type TranscriptEvent,
  type WriteOptions,
  type WrittenTranscript,
  writeArchive,
  writeTranscript,
} from '@ctx/transcripts';
import { compareFile, importMarkOf, readWhole } from '@ctx/transcripts/import';
import type { Command } from 'commander';
import { type CommandContext, type StoreFlags, writeErr } from '../../command-context.ts';
import { freshSessionId } from '../../export/fresh-session-id.ts';
import { boundDocument, holdEvents } from '../../export/hold-events.ts';
import { blobsBeside, writeChunks } from '../../export/write-file.ts';
import { findSession } from '../../find-session.ts';
import { type SessionReading, sessionEvents } from '../../import/read-session-events.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';
import { type ExportAnswer, exportAnswerSchema } from '../../schemas/session/export.ts';
import { withStore } from '../../store/open-store-url.ts';
import { bytesText, countedText, countsText } from '../../terminal/render.ts';

interface ExportFlags extends StoreFlags {
  readonly format?: string;
  readonly out?: string;
  readonly source?: boolean;
}

async function writeAs(
  events: readonly TranscriptEvent[],
  options: WriteOptions,
): Promise<WrittenTranscript> {
  try {
    return await writeTranscript(events, options);
  } catch (error) {
    if (!isCtxError(error, 'CTX_TRANSCRIPT_UNKNOWN_FORMAT')) throw error;
    const names = writable.map(({ name }) => name).join(', ');
    throw new CtxError('CTX_USAGE', `${error.message} There are ${names}.`);
  }
}

/** A session that is exported. */
interface Exporting {
  readonly session: Session;
  readonly format: string;
  readonly flags: ExportFlags;
}

type Answer = Pick<ExportAnswer, 'events' | 'bytes' | 'losses'>;

async function* eventsOf(
  context: CommandContext,
  store: ContextStore,
  session: Session,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  for await (const { event } of sessionEvents(context, store, readingOf(session))) yield event;
}

/** Writes the archive event by event: a session may be larger than the memory. */
async function exportArchive(
  context: CommandContext,
  store: ContextStore,
  { session, flags }: Exporting,
): Promise<Answer> {
  let events = 0;
  async function* counted(): AsyncGenerator<TranscriptEvent, void, undefined> {
    for await (const event of eventsOf(context, store, session)) {
      events += 1;
      yield event;
    }
  }
  const { id: sessionId } = session;
  const path = outOf(context, flags);
  const blobs = path === undefined ? {} : { blobs: blobsBeside(path) };
  const chunks = writeArchive(counted(), { sessionId, ...blobs });
  return { bytes: await writeChunks(context, path, chunks), events, losses: {} };
}

/** Writes the lines of the format that the session came from, event by event. `undefined` where they are not written so. */
async function exportLines(
  context: CommandContext,
  store: ContextStore,
  { session, format, flags }: Exporting,
): Promise<Answer | undefined> {
  if (flags.source === true || importMarkOf(session)?.format !== format) return undefined;
  const events = boundDocument(eventsOf(context, store, session), { format, streamed });
  const stream = streamTranscript(events, { format });
  if (stream === undefined) return undefined;
  const bytes = await writeChunks(context, outOf(context, flags), stream.chunks);
  const { losses, ...written } = stream.receipt();
  return { events: written.events, bytes, losses };
}

const outOf = ({ host }: CommandContext, { out }: ExportFlags): string | undefined =>
  out === undefined ? undefined : resolve(host.cwd, out);

const readingOf = ({ id }: Session): SessionReading => ({ id, what: 'the export' });

/** Largest file that unchanged records are copied out of: it is held in memory. */
const maxSourceBytes = 512 * 1024 * 1024;

/** The file that a session was imported from, where it still has the same bytes. */
async function sourceOf(session: Session): Promise<Uint8Array> {
  const mark = importMarkOf(session);
  const cursor = mark?.cursor;
  const change = mark && cursor && (await compareFile(mark.path, cursor));
  if (change === 'same') return readWhole(mark?.path ?? '', maxSourceBytes);
  throw new CtxError(
    'CTX_STORE_CONFLICT',
    `--source: the file that ${session.id} was imported from has changed`,
  );
}

async function exportWhole(
  context: CommandContext,
  store: ContextStore,
  { session, format, flags }: Exporting,
): Promise<Answer> {
  const lines = await exportLines(context, store, { session, format, flags });
  if (lines !== undefined) return lines;
  const events = await holdEvents(eventsOf(context, store, session), { format, streamed });
  const source = flags.source === true ? await sourceOf(session) : undefined;
  const isFresh = format === 'claude-code' && importMarkOf(session)?.format !== format;
  const sessionId = freshSessionId(session.id, outOf(context, flags));
  const { bytes, receipt } = await writeAs(events, {
    format,
    ...(isFresh ? { sessionId } : {}),
    ...(source === undefined ? {} : { source }),
  });
  await writeChunks(context, outOf(context, flags), [bytes]);
  return { events: events.length, bytes: bytes.length, losses: receipt.losses };
}

async function runExport(context: CommandContext, name: string, flags: ExportFlags): Promise<void> {
  await withStore(context, flags, async (store) => {
    const session = await findSession(store, name);
    const format = flags.format ?? importMarkOf(session)?.format;
    if (format === undefined) throw new CtxError('CTX_USAGE', 'name the format with --format');
    const exporting = { session, format, flags };
    const write = format === 'ctx' ? exportArchive : exportWhole;
    const written = await write(context, store, exporting);
    const answer: ExportAnswer = { session: session.id, format, ...written };
    const { events, bytes, losses } = answer;
    await writeErr(
      context,
      flags.json === true
        ? JSON.stringify(exportAnswerSchema.parse(answer))
        : `${session.id} as ${format}: ${countedText(events, 'event')}, ${bytesText(bytes)}; not held by the format: ${countsText(losses)}`,
    );
  });
}

/** Formats that can be written. */
const writable = builtInFormats.filter((format) => format.write !== undefined);

/** Those that are written event by event. */
const streamed = writable
  .filter((format) => format.writeLines !== undefined)
  .map(({ name }) => name);

/** `ctx export` */
export function exportCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'export',
    summary: 'Write an imported session as a transcript again; the receipt goes to standard error.',
    examples: [
      'ctx export <session> > session.json',
      'ctx export <session> --format openai-chat --out chat.json',
      'ctx export <session> --format ctx --out session.ctx.jsonl',
    ],
  })
    .argument('<session>', 'id of a session, or how it begins')
    .option(
      '--format <name>',
      `one of ${writable.map(({ name }) => name).join(', ')}; default: as it was imported`,
    )
    .option(
      '--source',
      'copy what is unchanged out of the file it was imported from, byte for byte; that file is not redacted',
    )
    .option('--out <file>', 'a new file, readable by its owner only (default: standard output)');
  return withStoreFlag(command).action((name: string, flags: ExportFlags) =>
    runExport(context, name, flags),
  );
}
