import { CtxError, isCtxError } from '@ctx/core';
import type { ContextStore, Session } from '@ctx/store';
import { builtInFormats } from '../../built-in-formats.ts';
import { writeArchive } from '../../formats/ctx/ctx.ts';
import type { BlobStore } from '../../formats/ctx/ctx-blobs.ts';
import { importedEvents } from '../../stored/imported-events.ts';
import type { TranscriptEvent } from '../../transcript.ts';
import { streamTranscript, writeTranscript } from '../../write-transcript.ts';
import { compareFile } from '../files/open-file.ts';
import { readWhole } from '../files/read-whole.ts';
import { importMarkOf } from '../import-mark.ts';
import { freshSessionId } from './fresh-session-id.ts';
import { boundDocument, holdEvents } from './hold-events.ts';

/** How a session leaves the store. */
export interface ExportOptions {
  /** Name of a format. Default: as it was imported. */
  readonly format?: string;
  /** Copy what is unchanged out of the file that it was imported from. That file is not redacted. Default false. */
  readonly withSource?: boolean;
  /** The file that it is written to, if any: Claude Code wants it named after the session. */
  readonly path?: string;
  /** Keeps the long texts of an archive beside it. Default: they stay in it. */
  readonly blobs?: BlobStore;
  readonly signal?: AbortSignal;
}

/** What a session is written as. */
export interface ExportedTranscript {
  readonly format: string;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** What was written, and what the format could not hold; complete once `chunks` has ended. */
  readonly receipt: () => ExportReceipt;
}

interface ExportReceipt {
  readonly events: number;
  readonly losses: Readonly<Record<string, number>>;
}

interface Exporting {
  readonly session: Session;
  readonly format: string;
  readonly options: ExportOptions;
  readonly events: AsyncIterable<TranscriptEvent>;
}

const writable = builtInFormats.filter((format) => format.write !== undefined);

/** Names of the formats that are written event by event. */
const streamed = writable.filter((format) => format.writeLines !== undefined).map(nameOf);

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

async function* eventsOf(
  store: ContextStore,
  sessionId: string,
  { signal }: ExportOptions,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  for await (const { event } of importedEvents(store, sessionId, signal && { signal })) yield event;
}

/** Writes the archive event by event: a session may be larger than the memory. */
function archiveOf({ session, format, options, events }: Exporting): ExportedTranscript {
  let count = 0;
  async function* counted(): AsyncGenerator<TranscriptEvent, void, undefined> {
    for await (const event of events) {
      count += 1;
      yield event;
    }
  }
  const { blobs } = options;
  const chunks = writeArchive(counted(), { sessionId: session.id, ...(blobs && { blobs }) });
  return { format, chunks, receipt: () => ({ events: count, losses: {} }) };
}

/** Largest file that unchanged records are copied out of: it is held in memory. */
const maxSourceBytes = 512 * 1024 * 1024;

/**
 * Reads the file that a session was imported from.
 * @throws `CTX_STORE_CONFLICT` if it has changed.
 */
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

/** Holds the session and writes it as a whole. */
async function wholeOf({ session, format, options, events }: Exporting) {
  const held = await holdEvents(events, { format, streamed });
  const source = options.withSource === true ? await sourceOf(session) : undefined;
  const isFresh = format === 'claude-code' && importMarkOf(session)?.format !== format;
  const sessionId = freshSessionId(session.id, options.path);
  const { bytes, receipt } = await writeTranscript(held, {
    format,
    ...(isFresh ? { sessionId } : {}),
    ...(source && { source }),
  });
  return { format, chunks: [bytes], receipt: () => receipt };
}

/** Writes the lines of the format that the session came from, event by event; all else is held. */
async function linesOrWholeOf(exporting: Exporting): Promise<ExportedTranscript> {
  const { session, format, options, events } = exporting;
  if (options.withSource === true || importMarkOf(session)?.format !== format) {
    return await wholeOf(exporting);
  }
  const stream = streamTranscript(boundDocument(events, { format, streamed }), { format });
  return stream === undefined ? await wholeOf(exporting) : { format, ...stream };
}

/**
 * Writes an imported session as a transcript.
 *
 * @throws `CTX_USAGE` if the format is missing or unknown, `CTX_TOO_LARGE` if it must be held and is too large for that; `chunks` throws
 * what reading the store throws.
 */
export async function exportTranscript(
  store: ContextStore,
  session: Session,
  options: ExportOptions,
): Promise<ExportedTranscript> {
  const format = options.format ?? importMarkOf(session)?.format;
  if (format === undefined) throw new CtxError('CTX_USAGE', 'name the format with --format');
  const events = eventsOf(store, session.id, options);
  const exporting = { session, format, options, events };
  if (format === 'ctx') return archiveOf(exporting);
  try {
    return await linesOrWholeOf(exporting);
  } catch (error) {
    if (!isCtxError(error, 'CTX_TRANSCRIPT_UNKNOWN_FORMAT')) throw error;
    const names = writable.map(nameOf).join(', ');
    throw new CtxError('CTX_USAGE', `${error.message} There are ${names}.`);
  }
}
