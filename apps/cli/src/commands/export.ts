import { lstat, mkdir, open, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ContextStore, CtxError, isCtxError, type Session } from '@ctx/core';
import {
  builtInFormats,
  streamTranscript,
  type TranscriptEvent,
  type WriteOptions,
  writeTranscript,
  type WrittenTranscript,
} from '@ctx/transcripts';
import { type BlobStore, writeArchive } from '@ctx/transcripts/ctx';
import type { Command } from 'commander';
import { type CommandContext, type StoreFlags, writeErr, writeOut } from '../command-context.ts';
import { findSession } from '../find-session.ts';
import { blobsFolderOf } from '../import/archive-source.ts';
import { importMarkOf } from '../import/import-mark.ts';
import { compareFile } from '../import/open-file.ts';
import {
  readSessionEvents,
  sessionEvents,
  type SessionReading,
} from '../import/read-session-events.ts';
import { readWhole } from '../import/read-whole.ts';
import { makeCommand, withStoreFlag } from '../make-command.ts';
import { withStore } from '../open-store-url.ts';
import { bytesText, countedText, countsText } from '../render.ts';
import { type ExportAnswer, exportAnswerSchema } from '../schemas/export.ts';

interface ExportFlags extends StoreFlags {
  readonly format?: string;
  readonly out?: string;
  readonly source?: boolean;
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
  options: WriteOptions,
): Promise<WrittenTranscript> {
  try {
    return await writeTranscript(events, options);
  } catch (error) {
    if (!isCtxError(error, 'CTX_TRANSCRIPT_UNKNOWN_FORMAT')) throw error;
    const names = writable.map(({ name }) => name).join(', ');
    throw new CtxError('CTX_INVALID_INPUT', `${error.message} There are ${names}.`);
  }
}

/** Writes a new file that only its owner may read; where that fails it is gone again. */
async function writePrivate(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<number> {
  const file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw outFailure(path, cause);
  });
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      await file.writeFile(chunk);
      bytes += chunk.length;
    }
  } catch (cause) {
    await rm(path, { force: true });
    if (isCtxError(cause)) throw cause;
    throw new CtxError('CTX_STORE_IO', `${path} cannot be written`, { cause });
  } finally {
    await file.close();
  }
  return bytes;
}

/** A session that is exported. */
interface Exporting {
  readonly session: Session;
  readonly format: string;
  readonly flags: ExportFlags;
}

type Answer = Pick<ExportAnswer, 'events' | 'bytes' | 'losses'>;

/** Keeps long texts beside the archive, each once. */
function blobsBeside(path: string): BlobStore {
  const folder = blobsFolderOf(path);
  return {
    write: async (sha256, bytes) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const target = join(folder, sha256);
      const isThere = await lstat(target).catch(() => undefined);
      if (isThere === undefined) await writePrivate(target, [bytes]);
    },
  };
}

/** Writes chunks to the new file or to standard output. Gives their bytes. */
async function writeChunks(
  context: CommandContext,
  path: string | undefined,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  if (path !== undefined) return writePrivate(path, chunks);
  let bytes = 0;
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    bytes += chunk.length;
    await writeOut(context, decoder.decode(chunk, { stream: true }));
  }
  return bytes;
}

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
  const stream = streamTranscript(eventsOf(context, store, session), { format });
  if (stream === undefined) return undefined;
  const bytes = await writeChunks(context, outOf(context, flags), stream.chunks);
  const { events, losses } = stream.receipt();
  return { events, bytes, losses };
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
  const read = await readSessionEvents(context, store, readingOf(session));
  const source = flags.source === true ? await sourceOf(session) : undefined;
  const { bytes, receipt } = await writeAs(
    read.map(({ event }) => event),
    { format, ...(source === undefined ? {} : { source }) },
  );
  const path = outOf(context, flags);
  if (path !== undefined) await writePrivate(path, [bytes]);
  else await writeOut(context, new TextDecoder().decode(bytes));
  return { events: read.length, bytes: bytes.length, losses: receipt.losses };
}

async function runExport(context: CommandContext, name: string, flags: ExportFlags): Promise<void> {
  await withStore(context, flags, async (store) => {
    const session = await findSession(store, name);
    const format = flags.format ?? importMarkOf(session)?.format;
    if (format === undefined)
      throw new CtxError('CTX_INVALID_INPUT', 'name the format with --format');
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
