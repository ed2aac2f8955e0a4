import { type EventLog, type RecordBytes, startEventLog } from '../../history/event-log.ts';
import { type ByteSource, joinBytes } from '../../sources/byte-source.ts';
import { type Line, splitLines } from '../../sources/split-lines.ts';
import type {
  DetectionHead,
  EventDraft,
  FormatEvidence,
  FormatReadOptions,
  TranscriptEvent,
  TranscriptFormat,
} from '../../transcript.ts';
import { defined } from '../../values.ts';
import {
  type AiderLine,
  fenceOf,
  kindOfLine,
  runHeading,
  timeOfHeading,
  usageOfLine,
} from './aider-lines.ts';

/** `.aider.chat.history.md`: all runs in one Markdown file; who speaks is guessed from how the lines begin. */
export const aiderFormat: TranscriptFormat = {
  name: 'aider',
  detect: detectAider,
  read: readAider,
};

/** Lines of one kind that follow each other. */
interface Section {
  readonly kind: AiderLine;
  readonly lines: Line[];
  bytes: number;
}

interface Reading {
  readonly events: EventLog;
  readonly options: FormatReadOptions;
  section: Section | undefined;
  /** The fence that is open in an answer. */
  fence: string | undefined;
  /** Runs so far, and records of the newest one. */
  run: number;
  place: number;
  /** The newest answer, to which usage belongs. */
  answer: string | undefined;
}

type Events = Generator<TranscriptEvent, void, undefined>;

async function* readAider(
  input: ByteSource,
  options: FormatReadOptions,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  const { log, maxRecordBytes } = options;
  const { progress, buffered } = log;
  const reading: Reading = {
    events: startEventLog(log),
    options,
    section: undefined,
    fence: undefined,
    run: 0,
    place: 0,
    answer: undefined,
  };
  for await (const line of splitLines(input, { maxRecordBytes, progress, buffered, isRaw: true })) {
    yield* readLine(line, reading);
  }
  yield* endSection(reading);
}

function* readLine(line: Line, reading: Reading): Events {
  const text = line.isOverCap ? undefined : textOf(line);
  if (text === undefined) {
    yield* endSection(reading);
    yield reading.events.bad(line.isOverCap ? 'over-cap' : 'bad-utf8', line);
    return;
  }
  const { section, options } = reading;
  const kind = kindWithin(text, reading);
  const isNew = section?.kind !== kind || text.startsWith(runHeading);
  if (isNew || section.bytes + line.length > options.maxRecordBytes) {
    yield* endSection(reading);
    reading.section = { kind, lines: [line], bytes: line.length };
  } else {
    section.lines.push(line);
    section.bytes += line.length;
  }
}

/** The kind of a line. In an open code fence of an answer every line but a heading is part of the answer. */
function kindWithin(text: string, reading: Reading): AiderLine {
  // A blank line belongs to what stands before it.
  if (reading.section !== undefined && text.trim() === '') return reading.section.kind;
  const kind = kindOfLine(text);
  if (kind === 'heading') {
    reading.fence = undefined;
    return kind;
  }
  const isInside = reading.fence !== undefined;
  const fence = isInside || kind === 'answer' ? fenceOf(text) : undefined;
  if (fence !== undefined) reading.fence = nextFence(reading.fence, fence);
  if (!isInside) return kind;
  if (kind !== 'answer') reading.options.log.note('ambiguous line in a code fence');
  return 'answer';
}

function nextFence(open: string | undefined, fence: string): string | undefined {
  if (open === undefined) return fence;
  return fence.startsWith(open) ? undefined : open;
}

function textOf({ bytes }: RecordBytes): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function* endSection(reading: Reading): Events {
  const { section, events } = reading;
  reading.section = undefined;
  if (section === undefined) return;
  const { kind, lines } = section;
  if (kind === 'console') {
    for (const line of lines) {
      const text = (textOf(line) ?? '').trimEnd();
      if (text !== '') yield events.event(consoleEvent(text, reading), line);
    }
    return;
  }
  const draft =
    kind === 'heading' ? headingEvent(section, reading) : messageEvent(section, reading);
  if (draft !== undefined) yield events.event(draft, joined(lines));
}

function headingEvent({ lines }: Section, reading: Reading): EventDraft {
  reading.run += 1;
  reading.place = 0;
  reading.answer = undefined;
  const [line] = lines;
  const text = line === undefined ? '' : (textOf(line) ?? '').trimEnd();
  return {
    kind: 'meta',
    lane: laneOf(reading),
    ...defined({ at: timeOfHeading(text) }),
    extra: { heading: text },
  };
}

/** Each run is a session of its own. What stands before the first heading is run 0. */
function laneOf({ run }: Reading): string {
  return `run-${run}`;
}

/** The message of a section. A prompt without words is no message, and stays as a record; blank lines are nothing. */
function messageEvent({ kind, lines }: Section, reading: Reading): EventDraft | undefined {
  const isUser = kind === 'user';
  const texts = lines.map((line) => {
    const text = (textOf(line) ?? '').replace(/\r$/u, '');
    // Two blanks at the end of a line only end it.
    return isUser ? text.slice('#### '.length).replace(/ {2}$/u, '') : text;
  });
  const text = withoutOuterBlanks(texts).join('\n');
  if (text === '') {
    return isUser ? { kind: 'meta', lane: laneOf(reading), extra: { prompt: '' } } : undefined;
  }
  reading.place += 1;
  const id = `run-${reading.run}/${reading.place}`;
  reading.answer = isUser ? undefined : id;
  const role = isUser ? ('user' as const) : ('assistant' as const);
  return {
    kind: 'message',
    lane: laneOf(reading),
    id,
    message: { role, content: [{ type: 'text', text }] },
    ...defined({ groupId: reading.answer }),
  };
}

function withoutOuterBlanks(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first === -1 ? [] : lines.slice(first, last + 1);
}

/** What the console said: the model did not see it. */
function consoleEvent(text: string, reading: Reading): EventDraft {
  const usage = usageOfLine(text);
  const lane = laneOf(reading);
  if (usage === undefined) return { kind: 'meta', lane, extra: { console: text } };
  const groupId = reading.answer;
  return { kind: 'usage', lane, usage, ...defined({ groupId }), extra: { console: text } };
}

/** The lines of a section as one record. */
function joined(lines: readonly Line[]): RecordBytes {
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined)
    return { bytes: new Uint8Array(), offset: 0, length: 0 };
  if (lines.length === 1) return first;
  const lineEnd = new Uint8Array([0x0a]);
  const bytes = joinBytes(
    lines.flatMap((line, index) => (index === 0 ? [line.bytes] : [lineEnd, line.bytes])),
  );
  return { bytes, offset: first.offset, length: bytes.length };
}

function detectAider({ text }: DetectionHead): FormatEvidence | undefined {
  const isFirst = text.startsWith(runHeading) || text.trimStart().startsWith(runHeading);
  if (isFirst) return { score: 95, reason: 'a first line that says when the chat started' };
  return text.includes(`\n${runHeading}`)
    ? { score: 85, reason: 'a line that says when a chat started' }
    : undefined;
}
