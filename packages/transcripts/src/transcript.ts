import type { Message } from '@ctx/core';
import type { ByteSource } from './sources/byte-source.ts';
import type { JsonRecord } from './values.ts';

/** Tokens of one request. `input` is everything that was sent, cached parts included. */
export interface Usage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** What of `cacheWrite` is kept for an hour, which costs more. */
  readonly cacheWriteHour?: number;
  readonly output: number;
  readonly reasoning?: number;
}

/** What a recorded shrinking of the context did. */
export interface Boundary {
  readonly trigger: 'auto' | 'manual' | 'micro' | 'unknown';
  /** Tokens of the context before it. */
  readonly tokensBefore?: number;
  /** Ids of events that stay in the view. */
  readonly keepIds?: readonly string[];
  /** How many of those that stay stand before the summary that follows. Default 0. */
  readonly keptBefore?: number;
  /** Calls whose results were cleared in the view. */
  readonly clearedCallIds?: readonly string[];
}

/** What is known about a message beside its content. */
export interface EventFlags {
  /** Stands for what a compaction removed. */
  readonly summary?: true;
  /** Written by the tool, not by a model. */
  readonly synthetic?: true;
  /** Written by the tool, not by the user. */
  readonly scaffold?: true;
  readonly demo?: true;
  readonly error?: true;
  /** In no view, ever. */
  readonly hidden?: true;
  /** The system prompt of its lane: stands before all messages, wherever the file has it. */
  readonly prompt?: true;
}

/** Where the record of an event stands in the input. */
export interface RecordSource {
  /** Bytes from the start of the input. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** SHA-256 (hex) of the record's bytes; empty where the record was too long to be read. */
  readonly sha256: string;
}

/** One record of a transcript. The log of events is complete and in file order; what a model saw is a view of it. */
export interface TranscriptEvent {
  readonly kind: 'message' | 'boundary' | 'rewind' | 'usage' | 'meta';
  /** Position in the log, from 0; the only order. Clocks are data. */
  readonly seq: number;
  /** `main`, or the id of a sub-agent. Each lane has its own calls and its own view. */
  readonly lane: string;
  readonly id?: string;
  /** A hint: it may be dangling, and chains of parents may hold cycles. */
  readonly parentId?: string;
  /** Records with the same group are one response of the model. */
  readonly groupId?: string;
  /** ms since the epoch. */
  readonly at?: number;
  readonly model?: string;
  readonly message?: Message;
  readonly flags?: EventFlags;
  /** On the last record of its group. */
  readonly usage?: Usage;
  readonly boundary?: Boundary;
  readonly rewindTo?: string;
  readonly source: RecordSource;
  /** Fields without a home here, for the way back. Never shown to a model. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** An event as a format makes it; its place in the log is added by the reader. */
export type EventDraft = Omit<TranscriptEvent, 'seq' | 'source' | 'lane'> & {
  readonly lane?: string;
};

/** Why a record could not be understood. */
export type BadReason =
  | 'bad-utf8'
  | 'not-json'
  | 'not-object'
  | 'not-message'
  | 'over-cap'
  | 'torn-tail'
  | 'trailing-bytes';

/** Bytes of the input that are no record, by range. */
export interface QuarantinedRange {
  readonly reason: BadReason;
  readonly offset: number;
  readonly length: number;
}

/** What a format reports while it reads. */
export interface ReadLog {
  readonly bad: (reason: BadReason, offset: number, length: number) => void;
  /** Counts an oddity. */
  readonly note: (name: string) => void;
  /** Bytes of the input seen so far. */
  readonly progress: (bytes: number) => void;
  /** Bytes held at this moment. */
  readonly buffered: (bytes: number) => void;
  /** Takes one event into the sums. */
  readonly event: (event: TranscriptEvent) => void;
}

/** The first bytes of an input, looked at from all sides. */
export interface DetectionHead {
  /** Whether the head is the whole input. */
  readonly isWhole: boolean;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The input as one JSON list or object, its end closed where the head cut it off; `undefined` where it is none. */
  readonly document: unknown;
  /** The complete lines that are JSON objects. */
  readonly lines: readonly JsonRecord[];
}

/** How surely the bytes are of a format. */
export interface FormatEvidence {
  /** 0 (no) to 100 (certain). */
  readonly score: number;
  /** What was seen. */
  readonly reason: string;
}

/** How to read. */
export interface FormatReadOptions {
  /** The longest record that is parsed, bytes. Longer ones are quarantined by range. */
  readonly maxRecordBytes: number;
  /** Takes note of everything that is not an event. */
  readonly log: ReadLog;
}

/** How to write. */
export interface FormatWriteOptions {
  /** The bytes that the events were read from. Unchanged records are copied out of it. */
  readonly source?: Uint8Array;
  /** Counts what the target cannot hold. */
  readonly note: (loss: string) => void;
  /** The session id of a file that names one. */
  readonly sessionId?: string;
}

/**
 * A transcript format.
 * `read` never throws on bad bytes and gives the same events for the same bytes, however they are cut into chunks;
 * what it cannot understand becomes a `meta` event. `write` gives the input back for unchanged events.
 */
export interface TranscriptFormat {
  readonly name: string;
  /** Says whether the first bytes look like this format, how surely, and why. */
  detect(head: DetectionHead): FormatEvidence | undefined;
  read(input: ByteSource, options: FormatReadOptions): AsyncIterable<TranscriptEvent>;
  /** Absent: the format is imported only. */
  write?(events: readonly TranscriptEvent[], options: FormatWriteOptions): Promise<Uint8Array>;
  /**
   * Gives the bytes that `write` gives without a source, line by line as the events come, of a log that was read from this format.
   * Absent where the file is no lines. Memory: one record.
   */
  writeLines?(
    events: AsyncIterable<TranscriptEvent>,
    options: Omit<FormatWriteOptions, 'source'>,
  ): AsyncIterable<Uint8Array>;
}
