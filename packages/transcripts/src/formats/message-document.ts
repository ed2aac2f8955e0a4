import type { Message } from '@ctx/core';
import { type EventLog, startEventLog } from '../event-log.ts';
import type { ByteSource } from '../sources/byte-source.ts';
import { jsonElements } from '../sources/json-elements.ts';
import type { JsonElement } from '../sources/json-piece.ts';
import { type ParsedRecord, readValue } from '../sources/read-value.ts';
import type { EventDraft, FormatReadOptions, TranscriptEvent } from '../transcript.ts';
import { isRecord, type JsonRecord, withoutKeys } from '../values.ts';

/** How the messages of one format are read. One codec per lane: it may remember what came before. */
export interface DocumentCodec {
  /** The event of one element of the list; `undefined` where it is no message. */
  readonly readMessage: (value: unknown) => EventDraft | undefined;
  /** The name of the format. */
  readonly format: string;
  /** The system prompt, where the format keeps it in a field of its own. */
  readonly readSystem?: (value: unknown) => Message | undefined;
}

/** Fields that hold the list of messages, in a document or in a session of a document. */
export const listFields: readonly string[] = ['messages', 'traj', 'conversation'];

/**
 * Reads a JSON document of messages: a list of them, an object that holds the list, or a list of such objects, each a session
 * with a lane of its own. Everything around the messages becomes `meta` events, so that the document can be written again.
 * Contract: holds one message at a time (of a list of sessions one session).
 */
export async function* readMessageDocument(
  input: ByteSource,
  options: FormatReadOptions,
  createCodec: () => DocumentCodec,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  const reading: Reading = {
    events: startEventLog(options.log),
    codec: createCodec(),
    createCodec,
  };
  let hasList = false;
  const pieces = jsonElements(input, {
    maxRecordBytes: options.maxRecordBytes,
    progress: options.log.progress,
    buffered: options.log.buffered,
    shouldEnter: (path, container) => {
      if (hasList || container !== 'array' || !listFields.includes(path.slice(1))) return false;
      hasList = true;
      return true;
    },
  });
  let root: 'object' | 'array' | undefined;
  for await (const piece of pieces) {
    if (piece.kind === 'enter') {
      root ??= piece.container;
      yield reading.events.event({ kind: 'meta', extra: shapeOf(piece, reading.codec) }, noBytes);
    } else if (piece.kind === 'element') {
      const isField = root === 'object' && piece.path === '' && !piece.isTrailing;
      yield* isField ? readField(piece, reading) : readElement(piece, reading);
    }
  }
}

function shapeOf(
  { path, container }: { path: string; container: string },
  { format }: DocumentCodec,
): JsonRecord {
  return path === '' ? { document: container, format } : { field: path.slice(1), list: true };
}

const noBytes = { bytes: new Uint8Array(), offset: 0, length: 0 };

interface Reading {
  readonly events: EventLog;
  readonly codec: DocumentCodec;
  readonly createCodec: () => DocumentCodec;
}

/** Parses an element, or says why it is none. */
function parseElement(element: JsonElement): ParsedRecord {
  if (element.isOverCap) return { bad: 'over-cap' };
  if (element.isTrailing) return { bad: 'trailing-bytes' };
  return element.isTorn ? { bad: 'torn-tail' } : readValue(element.bytes);
}

type Events = Generator<TranscriptEvent, void, undefined>;

function* readField(element: JsonElement, { events, codec }: Reading): Events {
  const { value, bad } = parseElement(element);
  const field = element.key ?? '';
  const message = field === 'system' ? codec.readSystem?.(value) : undefined;
  if (bad !== undefined) yield events.bad(bad, element);
  else if (message === undefined) {
    yield events.event({ kind: 'meta', extra: { field, value } }, element);
  } else yield events.event(promptEvent(message), element);
}

function promptEvent(message: Message): EventDraft {
  return { kind: 'message', message, flags: { prompt: true }, extra: { field: 'system' } };
}

function* readElement(element: JsonElement, reading: Reading): Events {
  const { value, bad } = parseElement(element);
  const { events, codec } = reading;
  const session = sessionListOf(value);
  const draft = session === undefined ? codec.readMessage(value) : undefined;
  if (bad !== undefined) yield events.bad(bad, element);
  else if (session) yield* readSession(element, session, reading);
  else if (draft) yield events.event(draft, element);
  else {
    const made = events.bad('not-message', element);
    yield { ...made, extra: { ...made.extra, value } };
  }
}

interface SessionList {
  readonly field: string;
  readonly list: readonly unknown[];
  readonly record: JsonRecord;
}

/** The messages of an element that is a session rather than a message. */
function sessionListOf(value: unknown): SessionList | undefined {
  if (!isRecord(value) || Object.hasOwn(value, 'role')) return undefined;
  for (const field of listFields) {
    const list = Object.hasOwn(value, field) ? value[field] : undefined;
    if (Array.isArray(list)) return { field, list, record: value };
  }
  return undefined;
}

function* readSession(element: JsonElement, session: SessionList, reading: Reading): Events {
  const { field, list, record } = session;
  const { events } = reading;
  // A session is a lane of its own, with a codec that knows nothing of the others.
  const codec = reading.createCodec();
  const head = events.event({ kind: 'meta', extra: { session: {}, list: field } }, element);
  const lane = `session-${head.seq}`;
  const system = Object.hasOwn(record, 'system') ? codec.readSystem?.(record['system']) : undefined;
  const rest = withoutKeys(record, system === undefined ? [field] : [field, 'system']) ?? {};
  yield { ...head, lane, extra: { session: rest, list: field } };
  if (system !== undefined) yield events.event({ ...promptEvent(system), lane }, element);
  for (const value of list) {
    const draft = codec.readMessage(value);
    yield events.event({ ...(draft ?? { kind: 'meta', extra: { value } }), lane }, element);
  }
}
