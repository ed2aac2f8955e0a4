import type { Message } from '@ctx/core';
import { type EventLog, startEventLog } from '../../history/event-log.ts';
import type { ByteSource } from '../../sources/byte-source.ts';
import { jsonElements } from '../../sources/json-elements.ts';
import type { JsonElement } from '../../sources/json-piece.ts';
import { type ParsedRecord, readValue } from '../../sources/read-value.ts';
import type { EventDraft, FormatReadOptions, TranscriptEvent } from '../../transcript.ts';
import { fieldOf, isList, isRecord, type JsonRecord, withoutKeys } from '../../values.ts';

/** How the messages of one format are read. One codec per lane: it may remember what came before. */
export interface DocumentCodec {
  /** The events of one element of the list; none where it is no message. */
  readonly readMessage: (value: unknown) => readonly EventDraft[];
  /** The name of the format. */
  readonly format: string;
  /** The system prompt, where the format keeps it in a field of its own. */
  readonly prompt?: PromptField;
  /** A field beside the list that is a message too. */
  readonly readField?: (field: string, value: unknown) => EventDraft | undefined;
  /** Where its lists are. Default {@link usualLists}. */
  readonly lists?: ListPlaces;
}

/** How the lists of a format are found. */
export interface ListPlaces {
  /** Fields that hold the list of messages, in a document or in a session of a document. */
  readonly fields: readonly string[];
  /** A field that every message has and no session. */
  readonly messageKey: string;
}

/** A field that holds the system prompt. */
export interface PromptField {
  readonly field: string;
  readonly read: (value: unknown) => Message | undefined;
}

/** Where most formats have their lists. */
export const usualLists: ListPlaces = {
  fields: ['messages', 'traj', 'conversation'],
  messageKey: 'role',
};

/**
 * Reads a JSON document of messages: a list of them, an object that holds the list, or a list of such objects, each a session
 * with a lane of its own. Everything around the messages becomes `meta` events, so that the document can be written again.
 * Holds one message at a time (of a list of sessions one session).
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
  const { fields } = reading.codec.lists ?? usualLists;
  let hasList = false;
  const pieces = jsonElements(input, {
    maxRecordBytes: options.maxRecordBytes,
    progress: options.log.progress,
    buffered: options.log.buffered,
    shouldEnter: (path, container) => {
      if (hasList || container !== 'array' || !fields.includes(path.slice(1))) return false;
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
  const draft = bad === undefined ? draftOfField(codec, field, value) : undefined;
  if (bad !== undefined) yield events.bad(bad, element);
  else yield events.event(draft ?? { kind: 'meta', extra: { field, value } }, element);
}

function draftOfField(codec: DocumentCodec, field: string, value: unknown): EventDraft | undefined {
  const message = field === codec.prompt?.field ? codec.prompt.read(value) : undefined;
  if (message !== undefined) return promptEvent(message, field);
  const draft = codec.readField?.(field, value);
  return draft === undefined ? undefined : { ...draft, extra: { ...draft.extra, field } };
}

function promptEvent(message: Message, field: string): EventDraft {
  return { kind: 'message', message, flags: { prompt: true }, extra: { field } };
}

function* readElement(element: JsonElement, reading: Reading): Events {
  const { value, bad } = parseElement(element);
  const { events, codec } = reading;
  const session = sessionListOf(value, codec.lists ?? usualLists);
  const drafts = session === undefined ? codec.readMessage(value) : [];
  if (bad !== undefined) yield events.bad(bad, element);
  else if (session) yield* readSession(element, session, reading);
  else if (drafts.length > 0) {
    for (const draft of drafts) yield events.event(draft, element);
  } else {
    const made = events.bad('not-message', element);
    yield { ...made, extra: { ...made.extra, value } };
  }
}

/** A list of messages within its object. */
export interface SessionList {
  readonly field: string;
  readonly list: readonly unknown[];
  readonly record: JsonRecord;
}

/** The messages of an element that is a session rather than a message. */
export function sessionListOf(value: unknown, lists: ListPlaces): SessionList | undefined {
  if (!isRecord(value) || Object.hasOwn(value, lists.messageKey)) return undefined;
  for (const field of lists.fields) {
    const list = fieldOf(value, field);
    if (isList(list)) return { field, list, record: value };
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
  const promptField = codec.prompt?.field ?? '';
  const system = codec.prompt?.read(fieldOf(record, promptField));
  const rest = withoutKeys(record, system === undefined ? [field] : [field, promptField]) ?? {};
  yield { ...head, lane, extra: { session: rest, list: field } };
  if (system !== undefined) {
    yield events.event({ ...promptEvent(system, promptField), lane }, element);
  }
  for (const value of list) {
    const drafts = codec.readMessage(value);
    if (drafts.length === 0) yield events.event({ kind: 'meta', extra: { value }, lane }, element);
    for (const draft of drafts) yield events.event({ ...draft, lane }, element);
  }
}
