import { CtxError } from '@ctx/core';
import { withRecordedCallIds } from '../../calls/call-ids.ts';
import { startEventLog } from '../../history/event-log.ts';
import { startReadLog } from '../../read-receipt.ts';
import { type ByteSource, joinBytes } from '../../sources/byte-source.ts';
import { type JsonLine, jsonLines } from '../../sources/json-lines.ts';
import type {
  EventDraft,
  FormatReadOptions,
  FormatWriteOptions,
  TranscriptEvent,
  TranscriptFormat,
} from '../../transcript.ts';
import { isJsonEqual, isRecord, type JsonRecord } from '../../values.ts';
import type { NoteLoss } from './note-loss.ts';

/** How the records of a line format are read and written. One codec per file: it may remember what came before. */
export interface LineCodec {
  /** The events of one record, one at least. */
  readonly read: (record: JsonRecord) => readonly EventDraft[];
  /** The record of its events again; `undefined` where they cannot be written. */
  readonly write: (events: readonly EventDraft[], note: NoteLoss) => JsonRecord | undefined;
}

/** What is of one format alone. */
export interface LineFormatParts extends Pick<TranscriptFormat, 'name' | 'detect'> {
  /** Makes the codec of a file; `note` counts an oddity. */
  readonly createCodec: (note: (name: string) => void) => LineCodec;
}

/**
 * Makes a format of files with one JSON record a line.
 * Where the codec does not give a record back as it was, the record is kept whole beside its first event, so that
 * unchanged events always come out JSON-equal, and with the source at hand byte for byte.
 */
export function lineFormat({ name, detect, createCodec }: LineFormatParts): TranscriptFormat {
  return {
    name,
    detect,
    read: (input, options) =>
      readRecords(input, options, { name, codec: createCodec(options.log.note) }),
    write: async (events, options) => {
      checkOwn(events, name);
      const originals = await originalsOf(options, { name, codec: createCodec(quiet) });
      return writeRecords(events, { ...options, name, createCodec, originals });
    },
    writeLines: (events, options) =>
      linesOf(events, { ...options, name, createCodec, originals: new Map() }),
  };
}

/** @throws CTX_INVALID_INPUT where nothing was read from a file of the format. */
function checkOwn(events: readonly TranscriptEvent[], name: string): void {
  if (events.length === 0 || events.some(({ extra }) => extra?.['format'] === name)) return;
  throw new CtxError('CTX_INVALID_INPUT', `${name} is written only from files of ${name}.`);
}

interface NamedCodec {
  readonly name: string;
  readonly codec: LineCodec;
}

const quiet = (): void => undefined;

async function* readRecords(
  input: ByteSource,
  { log, maxRecordBytes }: FormatReadOptions,
  named: NamedCodec,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  const events = startEventLog(log);
  const { progress, buffered } = log;
  const eventsOf = (line: JsonLine): TranscriptEvent[] => {
    if (line.bad !== undefined) return [events.bad(line.bad, line.bytes)];
    if (line.isGlued === true) log.note('records glued on one line');
    return draftsOf(line.record, named).map((draft) => events.event(draft, line.bytes));
  };
  for await (const lines of jsonLines(input, { maxRecordBytes, progress, buffered })) {
    for (const line of lines) for (const event of eventsOf(line)) yield event;
  }
}

/** The events of a record, with what is needed to find and to write it again. */
function draftsOf(record: JsonRecord, { name, codec }: NamedCodec): EventDraft[] {
  const drafts = codec.read(record).map((draft, part): EventDraft => {
    const place = part === 0 ? { format: name } : { part };
    return { ...draft, extra: { ...draft.extra, ...place } };
  });
  const [first, ...others] = drafts;
  if (first === undefined || isJsonEqual(codec.write(drafts, quiet), record)) return drafts;
  return [{ ...first, extra: { ...first.extra, whole: record } }, ...others];
}

interface Writing extends FormatWriteOptions {
  readonly name: string;
  readonly createCodec: LineFormatParts['createCodec'];
  /** The events of the source by the offset of their record. */
  readonly originals: ReadonlyMap<number, readonly TranscriptEvent[]>;
}

async function originalsOf(
  { source }: FormatWriteOptions,
  named: NamedCodec,
): Promise<Map<number, TranscriptEvent[]>> {
  const originals = new Map<number, TranscriptEvent[]>();
  if (source === undefined) return originals;
  const options = { log: startReadLog(), maxRecordBytes: source.length };
  for await (const event of readRecords(source, options, named)) {
    const { offset } = event.source;
    originals.set(offset, [...(originals.get(offset) ?? []), event]);
  }
  return originals;
}

function writeRecords(events: readonly TranscriptEvent[], writing: Writing): Uint8Array {
  return joinBytes(recordsOf(events).flatMap((own) => lineOf(own, writing)));
}

/** The same one by one; a record is whole once the next one begins. */
async function* linesOf(
  events: AsyncIterable<TranscriptEvent>,
  writing: Writing,
): AsyncGenerator<Uint8Array, void, undefined> {
  let own: TranscriptEvent[] = [];
  for await (const event of events) {
    if (isPartOf(own, event)) own.push(event);
    else {
      if (own.length > 0) yield* lineOf(own, writing);
      own = [event];
    }
  }
  if (own.length > 0) yield* lineOf(own, writing);
}

const encoder = new TextEncoder();
const lineEnd = encoder.encode('\n');

/** The line of a record's events; nothing where they cannot be written, which is noted. */
function lineOf(own: readonly TranscriptEvent[], writing: Writing): Uint8Array[] {
  const copy = copyOf(own, writing);
  if (copy !== undefined) return [copy, lineEnd];
  const record = recordAgain(own.map(withRecordedCallIds), writing);
  if (record !== undefined) return [encoder.encode(`${JSON.stringify(record)}\n`)];
  for (const { kind } of own) writing.note(`event ${kind}`);
  return [];
}

/** The events of each record. */
function recordsOf(events: readonly TranscriptEvent[]): TranscriptEvent[][] {
  const records: TranscriptEvent[][] = [];
  for (const event of events) {
    const last = records.at(-1);
    if (last !== undefined && isPartOf(last, event)) last.push(event);
    else records.push([event]);
  }
  return records;
}

function isPartOf([first]: readonly TranscriptEvent[], event: TranscriptEvent): boolean {
  const isPart = typeof event.extra?.['part'] === 'number';
  return isPart && first !== undefined && isSameRecord(first, event);
}

/** Events that went through an archive remember where their record stood. */
function isSameRecord(left: TranscriptEvent, right: TranscriptEvent): boolean {
  const [one, other] = [left, right].map(({ extra, source }) => extra?.['origin'] ?? source);
  return isJsonEqual(one, other);
}

/** The bytes of a record whose events are as they were read. */
function copyOf(
  events: readonly TranscriptEvent[],
  { source, originals }: Writing,
): Uint8Array | undefined {
  const [first] = events;
  const original = first && originals.get(first.source.offset);
  if (source === undefined || original?.length !== events.length) return undefined;
  const isSame = events.every((event, index) =>
    isJsonEqual({ ...event, seq: 0 }, { ...original[index], seq: 0 }),
  );
  const { offset, length } = first?.source ?? { offset: 0, length: 0 };
  return isSame ? source.subarray(offset, offset + length) : undefined;
}

function recordAgain(
  events: readonly TranscriptEvent[],
  { name, createCodec, note }: Writing,
): JsonRecord | undefined {
  const extra = events[0]?.extra;
  if (extra?.['format'] !== name) return undefined;
  const codec = createCodec(quiet);
  const whole = extra['whole'];
  if (isRecord(whole)) {
    const drafts = codec.read(whole);
    const isSame =
      drafts.length === events.length &&
      drafts.every(({ message }, index) => isJsonEqual(message, events[index]?.message));
    if (isSame) return whole;
  }
  return codec.write(events, note);
}
