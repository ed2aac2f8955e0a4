import { startEventLog } from '../../history/event-log.ts';
import { asPlainLog } from '../../history/plain-log.ts';
import { startReadLog } from '../../read-receipt.ts';
import type { ByteSource } from '../../sources/byte-source.ts';
import { type JsonLine, jsonLines, nothingForNow } from '../../sources/json-lines.ts';
import type {
  DetectionHead,
  FormatEvidence,
  FormatReadOptions,
  FormatWriteOptions,
  TranscriptEvent,
  TranscriptFormat,
} from '../../transcript.ts';
import { startUsageOnLast } from '../../usage-on-last.ts';
import { fieldOf, isRecord, type JsonRecord, textAt } from '../../values.ts';
import { eventOfRecord } from './claude-code-record.ts';
import { writeClaudeCode, writeClaudeCodeLines } from './claude-code-write.ts';

/** The session files of Claude Code, one record a line. The format is internal to its owner and changes. */
export const claudeCodeFormat: TranscriptFormat = {
  name: 'claude-code',
  detect: detectClaudeCode,
  read: (input: ByteSource, options: FormatReadOptions): AsyncIterable<TranscriptEvent> =>
    readRecords(input, options),
  write: async (events, options: FormatWriteOptions) =>
    writeClaudeCode(
      events.some(isOwn) ? events : asPlainLog(events, options.note),
      await originalsOf(options.source),
      options,
    ),
  writeLines: writeClaudeCodeLines,
};

/** Tells whether an event was read from a file of this format. */
function isOwn({ extra }: TranscriptEvent): boolean {
  return isRecord(extra?.['record']) && extra['format'] === undefined;
}

async function* readRecords(
  input: ByteSource,
  options: FormatReadOptions,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  const usage = startUsageOnLast();
  for await (const events of eventsOfChunks(input, options)) {
    if (events === 'nothing for now') {
      yield* usage.end();
      continue;
    }
    for (const event of events) for (const settled of usage.push(event)) yield settled;
  }
  yield* usage.end();
}

async function* eventsOfChunks(
  input: ByteSource,
  { log, maxRecordBytes }: FormatReadOptions,
): AsyncGenerator<Iterable<TranscriptEvent> | 'nothing for now', void, undefined> {
  const events = startEventLog(log);
  const laneOf = startLanes();
  const { progress, buffered } = log;
  const eventOf = (line: JsonLine): TranscriptEvent => {
    if (line.bad !== undefined) return events.bad(line.bad, line.bytes);
    if (line.isGlued === true) log.note('records glued on one line');
    return events.event(eventOfRecord(line.record, laneOf(line.record)), line.bytes);
  };
  for await (const lines of jsonLines(input, { maxRecordBytes, progress, buffered })) {
    yield lines === nothingForNow ? 'nothing for now' : mapped(lines, eventOf);
  }
}

function* mapped<From, To>(items: Iterable<From>, make: (item: From) => To): Iterable<To> {
  for (const item of items) yield make(item);
}

/** Gives the lane of each record: its agent, or else the side chain that its parent belongs to. */
function startLanes(): (record: JsonRecord) => string {
  const laneOfId = new Map<string, string>();
  return (record) => {
    if (fieldOf(record, 'isSidechain') !== true) return 'main';
    const id = textAt(record, 'uuid');
    const parentLane = laneOfId.get(textAt(record, 'parentUuid') ?? '');
    const lane = textAt(record, 'agentId') ?? parentLane ?? `sidechain-${id ?? ''}`;
    if (id !== undefined) laneOfId.set(id, lane);
    return lane;
  };
}

/** The events of the source by the offset of their record. */
async function originalsOf(source: Uint8Array | undefined): Promise<Map<number, TranscriptEvent>> {
  const originals = new Map<number, TranscriptEvent>();
  if (source === undefined) return originals;
  const options = { log: startReadLog(), maxRecordBytes: source.length };
  for await (const events of eventsOfChunks(source, options)) {
    if (events === 'nothing for now') continue;
    for (const event of events) originals.set(event.source.offset, event);
  }
  return originals;
}

const bookkeeping = new Set(['file-history-snapshot', 'queue-operation']);

function detectClaudeCode(head: DetectionHead): FormatEvidence | undefined {
  const records = head.lines.filter((line) => !isRecord(line['payload']));
  const isChained = records.some(
    (line) =>
      Object.hasOwn(line, 'uuid') &&
      Object.hasOwn(line, 'sessionId') &&
      Object.hasOwn(line, 'isSidechain'),
  );
  if (isChained) return { score: 95, reason: 'lines with uuid, sessionId and isSidechain' };
  const hasMessage = records.some(
    (line) => Object.hasOwn(line, 'uuid') && isRecord(line['message']),
  );
  if (hasMessage) return { score: 80, reason: 'lines with uuid and message' };
  const isBookkeeping = records.some(
    (line) =>
      bookkeeping.has(textAt(line, 'type') ?? '') ||
      (line['type'] === 'summary' && Object.hasOwn(line, 'leafUuid')),
  );
  return isBookkeeping
    ? { score: 70, reason: 'snapshots, summaries or queue operations' }
    : undefined;
}
