import { CtxError, type Message } from '@ctx/core';
import { builtInFormats } from './built-in-formats.ts';
import { withOwnCallIds } from './calls/call-ids.ts';
import { defaultMaxRecordBytes, readTranscript } from './read-transcript.ts';
import type { FormatWriteOptions, TranscriptEvent, TranscriptFormat } from './transcript.ts';
import { defined, isJsonEqual } from './values.ts';

/** How to write a transcript. */
export interface WriteOptions {
  /** The target: a format, or the name of one of {@link WriteOptions.formats}. */
  readonly format: string | TranscriptFormat;
  /** The formats to choose from. Default: those of this package. */
  readonly formats?: readonly TranscriptFormat[];
  /** The bytes that the events were read from: what is unchanged is copied out of them. */
  readonly source?: Uint8Array;
  /** Refuses to write where something would be lost. Default false. */
  readonly strict?: boolean;
  /** The session id of a file that names one. Default: that of the events, else one made from the first message. */
  readonly sessionId?: string;
  /** Whether a call whose id its file used twice is written with that id, or with the one that reading gave it. Default `recorded`. */
  readonly callIds?: 'recorded' | 'own';
}

/** What was written, and what the target could not hold. */
export interface WriteReceipt {
  readonly format: string;
  readonly bytes: number;
  /** Events that were handed in. */
  readonly events: number;
  /** Whether the bytes are those that the events were read from. */
  readonly isCopy: boolean;
  /** What was left out, by kind. */
  readonly losses: Readonly<Record<string, number>>;
}

/** A written transcript. */
export interface WrittenTranscript {
  readonly bytes: Uint8Array;
  readonly receipt: WriteReceipt;
}

/**
 * Writes a log, or plain messages, as a transcript.
 * A log that was read from the same format and not changed gives an equal value back, and with `source` the same
 * bytes. Nothing is left out in silence: the receipt counts it, `strict` refuses it.
 * @throws CTX_TRANSCRIPT_UNKNOWN_FORMAT, CTX_TOO_LARGE, CTX_INVALID_INPUT where the format is for reading only or `strict` finds a loss.
 */
export async function writeTranscript(
  log: readonly TranscriptEvent[] | readonly Message[],
  options: WriteOptions,
): Promise<WrittenTranscript> {
  const format = findTarget(options);
  const { source, callIds } = options;
  const given = log.map(asEvent);
  const events = callIds === 'own' ? given.map(withOwnCallIds) : given;
  if (source !== undefined && (await isUnchanged(events, format, source))) {
    return { bytes: source, receipt: receiptOf({ format, bytes: source, events, isCopy: true }) };
  }
  const { losses, note } = startLosses();
  const { sessionId } = options;
  const bytes = await writeWith(format, events, { note, ...defined({ source, sessionId }) });
  if (options.strict === true && losses.size > 0) {
    const what = [...losses].map(([loss, count]) => `${loss} (${count})`).join(', ');
    throw new CtxError('CTX_INVALID_INPUT', `As ${format.name} this would be lost: ${what}.`);
  }
  return { bytes, receipt: receiptOf({ format, bytes, events, isCopy: false, losses }) };
}

/** A transcript that is written as its events come. */
export interface TranscriptStream {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** What was written so far; complete once `chunks` has ended. */
  readonly receipt: () => WriteReceipt;
}

/**
 * Writes a log as a transcript of the format that it was read from, line by line. `undefined` where that format is no lines, or
 * for reading only: see {@link writeTranscript}, which holds the log.
 * The bytes and the receipt of {@link writeTranscript} without a source. Memory: one record.
 * @throws CTX_TRANSCRIPT_UNKNOWN_FORMAT; `chunks` CTX_TOO_LARGE and what `log` throws.
 */
export function streamTranscript(
  log: AsyncIterable<TranscriptEvent>,
  options: Pick<WriteOptions, 'format' | 'formats' | 'sessionId'>,
): TranscriptStream | undefined {
  const format = findTarget(options);
  if (format.writeLines === undefined) return undefined;
  const { losses, note } = startLosses();
  const sum = { events: 0, bytes: 0 };
  async function* counted(): AsyncGenerator<TranscriptEvent, void, undefined> {
    for await (const event of log) {
      sum.events += 1;
      yield event;
    }
  }
  const lines = format.writeLines(counted(), {
    note,
    ...defined({ sessionId: options.sessionId }),
  });
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const chunk of lines) {
        sum.bytes += chunk.length;
        yield chunk;
      }
    } catch (cause) {
      throw asTooLarge(cause);
    }
  }
  const receipt = (): WriteReceipt => ({
    format: format.name,
    ...sum,
    isCopy: false,
    losses: Object.fromEntries(losses),
  });
  return { chunks: chunks(), receipt };
}

/** Counts what the target cannot hold. */
function startLosses(): {
  readonly losses: ReadonlyMap<string, number>;
  readonly note: (loss: string) => void;
} {
  const losses = new Map<string, number>();
  const note = (loss: string): void => {
    losses.set(loss, (losses.get(loss) ?? 0) + 1);
  };
  return { losses, note };
}

/** What was thrown because a text is too long for memory or nested too deeply, as an error of ctx; all else as it is. */
function asTooLarge(cause: unknown): unknown {
  if (!(cause instanceof RangeError)) return cause;
  const message = 'A record is nested too deeply, or the transcript is too long to be one text.';
  return new CtxError('CTX_TOO_LARGE', message, { cause });
}

async function writeWith(
  format: TranscriptFormat,
  events: readonly TranscriptEvent[],
  options: FormatWriteOptions,
): Promise<Uint8Array> {
  if (format.write === undefined) {
    throw new CtxError('CTX_INVALID_INPUT', `The format ${format.name} can be read only.`);
  }
  try {
    return await format.write(events, options);
  } catch (cause) {
    throw asTooLarge(cause);
  }
}

function findTarget({
  format,
  formats = builtInFormats,
}: Pick<WriteOptions, 'format' | 'formats'>): TranscriptFormat {
  if (typeof format !== 'string') return format;
  const found = formats.find(({ name }) => name === format);
  if (found) return found;
  throw new CtxError('CTX_TRANSCRIPT_UNKNOWN_FORMAT', `There is no format named ${format}.`);
}

function asEvent(item: TranscriptEvent | Message, seq: number): TranscriptEvent {
  if ('kind' in item) return item;
  const source = { offset: 0, length: 0, sha256: '' };
  return { kind: 'message', seq, lane: 'main', message: item, source };
}

/** Reads the source again: only what gives the very same events may stand for them. */
async function isUnchanged(
  events: readonly TranscriptEvent[],
  format: TranscriptFormat,
  source: Uint8Array,
): Promise<boolean> {
  const again = await readTranscript(source, { format, maxRecordBytes: defaultMaxRecordBytes });
  return (
    again.events.length === events.length &&
    again.events.every((event, index) => isJsonEqual(event, events[index]))
  );
}

interface Written {
  readonly format: TranscriptFormat;
  readonly bytes: Uint8Array;
  readonly events: readonly TranscriptEvent[];
  readonly isCopy: boolean;
  readonly losses?: ReadonlyMap<string, number>;
}

function receiptOf({ format, bytes, events, isCopy, losses }: Written): WriteReceipt {
  return {
    format: format.name,
    bytes: bytes.length,
    events: events.length,
    isCopy,
    losses: Object.fromEntries(losses ?? []),
  };
}
