import { CtxError } from '@ctx/core';
import { startEventLog } from '../../history/event-log.ts';
import { type ByteSource, joinBytes } from '../../sources/byte-source.ts';
import { type JsonLine, jsonLines } from '../../sources/json-lines.ts';
import type {
  DetectionHead,
  EventDraft,
  FormatEvidence,
  FormatReadOptions,
  TranscriptEvent,
  TranscriptFormat,
} from '../../transcript.ts';
import { fieldOf, textAt } from '../../values.ts';
import { type BlobSource, type BlobStore, withBlobs, withoutLongTexts } from './ctx-blobs.ts';
import { eventOfRecord, recordOfEvent } from './ctx-record.ts';

/** The version of the archive that is written. */
export const archiveVersion: number = 1;

/** How to write an archive. */
export interface ArchiveOptions {
  /** The session's own id. */
  readonly sessionId?: string;
  /** Takes long texts of results. Without it they stand in the line. */
  readonly blobs?: BlobStore;
  /** Texts of so many characters and more go to `blobs`. Default 65,536. */
  readonly blobCharacters?: number;
}

const defaultBlobCharacters = 65_536;

/**
 * ctx's own archive: a line that names the version, then one event a line. Holds every event exactly.
 * The same events give the same bytes; {@link writeArchive} and {@link readArchive} stream, with blobs beside the lines.
 */
export const ctxFormat: TranscriptFormat = {
  name: 'ctx',
  detect: detectArchive,
  read: (input, options) => readArchive(input, options),
  write: async (events, { sessionId }) => {
    const chunks: Uint8Array[] = [];
    const options = sessionId === undefined ? {} : { sessionId };
    for await (const chunk of writeArchive(events, options)) chunks.push(chunk);
    return joinBytes(chunks);
  },
};

/** Writes events as an archive, one line at a time. */
export async function* writeArchive(
  events: Iterable<TranscriptEvent> | AsyncIterable<TranscriptEvent>,
  { sessionId, blobs, blobCharacters = defaultBlobCharacters }: ArchiveOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  const lineOf = (value: unknown): Uint8Array => encoder.encode(`${JSON.stringify(value)}\n`);
  yield lineOf({ ctx: archiveVersion, ...(sessionId === undefined ? {} : { sessionId }) });
  for await (const event of events) {
    // The first line of the archive that the events came from: there is a new one.
    if (event.extra?.['archive'] !== undefined) continue;
    const record = recordOfEvent(event);
    if (blobs === undefined) yield lineOf(record);
    else {
      const moved = new Map<string, Uint8Array>();
      const light = withoutLongTexts(record, { blobCharacters, moved });
      for (const [sha256, bytes] of moved) await blobs.write(sha256, bytes);
      yield lineOf(light);
    }
  }
}

/** How to read an archive. */
export interface ReadArchiveOptions extends FormatReadOptions {
  /** Where long texts stand. Without it they stay references, counted as `blob left out`. */
  readonly blobs?: BlobSource;
}

/**
 * Reads an archive, one event at a time. A blob that is missing or does not fit its name stays a reference and is counted, as a line that
 * is no event is.
 * @throws CTX_TRANSCRIPT_UNKNOWN_FORMAT where a newer version wrote it.
 */
export async function* readArchive(
  input: ByteSource,
  { log, maxRecordBytes, blobs }: ReadArchiveOptions,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  const events = startEventLog(log, { keepsCallIds: true });
  const { progress, buffered } = log;
  for await (const lines of jsonLines(input, { maxRecordBytes, progress, buffered })) {
    for (const line of lines) {
      const draft = draftOf(line);
      if (line.isGlued === true) log.note('records glued on one line');
      if (draft === undefined) yield events.bad(line.bad ?? 'not-message', line.bytes);
      else yield events.event(await withBlobs(draft, { blobs, note: log.note }), line.bytes);
    }
  }
}

function draftOf({ bad, record }: JsonLine): EventDraft | undefined {
  if (bad !== undefined) return undefined;
  const version = fieldOf(record, 'ctx');
  if (version === undefined) return eventOfRecord(record);
  if (typeof version !== 'number' || version > archiveVersion) {
    const message = `The archive is of version ${JSON.stringify(version)}; this ctx reads up to ${archiveVersion}.`;
    throw new CtxError('CTX_TRANSCRIPT_UNKNOWN_FORMAT', message);
  }
  const sessionId = textAt(record, 'sessionId');
  return {
    kind: 'meta',
    extra: { archive: record, ...(sessionId === undefined ? {} : { sessionId }) },
  };
}

function detectArchive({ lines }: DetectionHead): FormatEvidence | undefined {
  const version = lines[0] === undefined ? undefined : fieldOf(lines[0], 'ctx');
  if (typeof version === 'number')
    return { score: 98, reason: 'a first line with the version of an archive' };
  const isEvent = lines.some(
    (line) => Object.hasOwn(line, 'origin') && Object.hasOwn(line, 'lane'),
  );
  return isEvent ? { score: 70, reason: 'lines of events with their origin' } : undefined;
}
