import type { Message } from '@ctx/core';
import { asPlainLog } from '../plain-log.ts';
import type { FormatWriteOptions, TranscriptEvent } from '../transcript.ts';
import { isRecord } from '../values.ts';

/** How the messages of one format are written. */
export interface DocumentWriter {
  /** The name of the format. */
  readonly format: string;
  /** One message of the log; some formats make several of it. */
  readonly writeMessage: (message: Message, note: (loss: string) => void) => readonly unknown[];
  /** The system prompt as the value of a field `system`; absent where the format has it among the messages. */
  readonly writeSystem?: (message: Message, note: (loss: string) => void) => unknown;
  /** Whether a document that has no shape of its own is a bare list. */
  readonly isBareList: boolean;
}

/**
 * Writes the log of a document of messages: in the shape it had, or in the usual shape of the format. A log of another format is
 * first made into one list of valid messages.
 */
export function writeMessageDocument(
  events: readonly TranscriptEvent[],
  writer: DocumentWriter,
  options: FormatWriteOptions,
): Uint8Array {
  const root = events.find((event) => event.extra?.['document'] !== undefined);
  const document = root?.extra?.['document'];
  const listed = { writer, note: options.note };
  const isOwn = root?.extra?.['format'] === writer.format;
  const isForeign =
    (root !== undefined && !isOwn) || events.some(({ extra }) => isRecord(extra?.['record']));
  if (isForeign) return encode(writeFresh(asPlainLog(events, options.note), listed));
  if (document === undefined) return encode(writeFresh(events, listed));
  return encode(document === 'array' ? writeList(events, listed) : writeObject(events, listed));
}

interface Writing {
  readonly writer: DocumentWriter;
  readonly note: (loss: string) => void;
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The elements that one event stands for in a list. */
function elementsOf(event: TranscriptEvent, { writer, note }: Writing): readonly unknown[] {
  if (event.message) return writer.writeMessage(event.message, note);
  if (event.extra !== undefined && Object.hasOwn(event.extra, 'value'))
    return [event.extra['value']];
  if (event.kind !== 'meta' || event.extra?.['bad'] !== undefined) note(`event ${event.kind}`);
  return [];
}

function writeList(events: readonly TranscriptEvent[], writing: Writing): unknown[] {
  const list: unknown[] = [];
  let session: { head: TranscriptEvent; events: TranscriptEvent[] } | undefined;
  for (const event of events) {
    if (event.extra?.['session'] !== undefined) {
      if (session) list.push(writeSession(session.head, session.events, writing));
      session = { head: event, events: [] };
    } else if (session && event.lane === session.head.lane) session.events.push(event);
    else {
      if (session) list.push(writeSession(session.head, session.events, writing));
      session = undefined;
      list.push(...elementsOf(event, writing));
    }
  }
  if (session) list.push(writeSession(session.head, session.events, writing));
  return list;
}

function writeSession(
  head: TranscriptEvent,
  events: readonly TranscriptEvent[],
  writing: Writing,
): unknown {
  const entries: [string, unknown][] = Object.entries(head.extra?.['session'] ?? {});
  const { prompt, others } = splitPrompt(events, writing);
  if (prompt) entries.push(['system', prompt.value]);
  const field = head.extra?.['list'];
  const list = others.flatMap((event) => elementsOf(event, writing));
  entries.push([typeof field === 'string' ? field : 'messages', list]);
  return Object.fromEntries(entries);
}

function splitPrompt(
  events: readonly TranscriptEvent[],
  { writer, note }: Writing,
): { prompt?: { value: unknown }; others: readonly TranscriptEvent[] } {
  const prompt = events.find((event) => event.flags?.prompt === true);
  if (!prompt?.message || writer.writeSystem === undefined) return { others: events };
  const others = events.filter((event) => event !== prompt);
  return { prompt: { value: writer.writeSystem(prompt.message, note) }, others };
}

function writeObject(events: readonly TranscriptEvent[], writing: Writing): unknown {
  const entries: [string, unknown][] = [];
  const list: unknown[] = [];
  let hasList = false;
  for (const event of events) {
    const field = event.extra?.['field'];
    if (typeof field !== 'string') list.push(...elementsOf(event, writing));
    else if (event.extra?.['list'] === true) {
      hasList = true;
      entries.push([field, list]);
    } else entries.push([field, fieldValueOf(event, writing)]);
  }
  if (!hasList && list.length > 0) entries.push(['messages', list]);
  return Object.fromEntries(entries);
}

/** The value of a field around the messages. */
function fieldValueOf({ message, extra }: TranscriptEvent, { writer, note }: Writing): unknown {
  if (message === undefined) return extra?.['value'];
  return writer.writeSystem?.(message, note);
}

/** Events of another format, in the usual shape of this one. */
function writeFresh(events: readonly TranscriptEvent[], writing: Writing): unknown {
  const { prompt, others } = splitPrompt(events, writing);
  const messages = others.flatMap((event) => {
    if (event.message) return writing.writer.writeMessage(event.message, writing.note);
    writing.note(`event ${event.kind}`);
    return [];
  });
  if (writing.writer.isBareList && !prompt) return messages;
  return { ...(prompt ? { system: prompt.value } : {}), messages };
}
