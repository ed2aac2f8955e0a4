import { CtxError } from '@ctx/core';
import { builtInFormats } from './built-in-formats.ts';
import { chooseFormat, type DetectedFormat, detectionBytes } from './detect-format.ts';
import { type ReadReceipt, startReadLog } from './read-receipt.ts';
import { type ByteSource, peekHead } from './sources/byte-source.ts';
import type { TranscriptEvent, TranscriptFormat } from './transcript.ts';

/** How to read a transcript. */
export interface ReadOptions {
  /** A format, or the name of one of {@link ReadOptions.formats}. Default: told from the content. */
  readonly format?: string | TranscriptFormat;
  /** The formats to choose from. Default: those of this package. */
  readonly formats?: readonly TranscriptFormat[];
  /** The longest record that is parsed, bytes. Default 64 MiB. */
  readonly maxRecordBytes?: number;
}

/** The longest record that is parsed unless told otherwise, bytes. */
export const defaultMaxRecordBytes: number = 64 * 1024 * 1024;

/** A transcript that is about to be read. */
export interface OpenTranscript {
  readonly format: TranscriptFormat;
  /** Why this format was taken. */
  readonly reasons: readonly string[];
  /** The log, in file order. Can be read once. */
  readonly events: AsyncIterable<TranscriptEvent>;
  /** What was read so far; complete once `events` has ended. */
  readonly receipt: () => ReadReceipt;
}

/**
 * Opens a transcript for streaming: its format is told from the first bytes, the events come one by one.
 * Holds one record at a time; the same bytes give the same events.
 * @throws CTX_TRANSCRIPT_UNKNOWN_FORMAT.
 */
export async function openTranscript(
  input: ByteSource,
  options: ReadOptions = {},
): Promise<OpenTranscript> {
  const { format, reason, bytes } = await findFormat(input, options);
  const log = startReadLog();
  const maxRecordBytes = options.maxRecordBytes ?? defaultMaxRecordBytes;
  const reasons = [reason];
  return {
    format,
    reasons,
    events: format.read(bytes, { maxRecordBytes, log }),
    receipt: () => log.receipt(format.name, reasons),
  };
}

/** The whole log and its receipt. For files that fit into memory. */
export async function readTranscript(
  input: ByteSource,
  options: ReadOptions = {},
): Promise<{ readonly events: readonly TranscriptEvent[]; readonly receipt: ReadReceipt }> {
  const transcript = await openTranscript(input, options);
  const events: TranscriptEvent[] = [];
  for await (const event of transcript.events) events.push(event);
  return { events, receipt: transcript.receipt() };
}

interface FoundFormat extends Pick<DetectedFormat, 'format' | 'reason'> {
  /** The whole input, what was looked at included. */
  readonly bytes: ByteSource;
}

/** A format that was named is not looked for: an input that comes slowly is read only as far as it is asked for. */
async function findFormat(input: ByteSource, options: ReadOptions): Promise<FoundFormat> {
  const formats = options.formats ?? builtInFormats;
  const { format } = options;
  if (format === undefined) {
    const peeked = await peekHead(input, detectionBytes);
    return { ...chooseFormat(peeked.head, formats), bytes: peeked.input };
  }
  const reason = 'named by the caller';
  if (typeof format !== 'string') return { format, reason, bytes: input };
  const found = formats.find(({ name }) => name === format);
  if (found) return { format: found, reason, bytes: input };
  throw new CtxError('CTX_TRANSCRIPT_UNKNOWN_FORMAT', `There is no format named ${format}.`);
}
