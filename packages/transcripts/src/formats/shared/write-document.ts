import type { Message } from '@ctx/core';
import { withRecordedCallIds } from '../../calls/call-ids.ts';
import { asPlainLog } from '../../history/plain-log.ts';
import type { FormatWriteOptions, TranscriptEvent } from '../../transcript.ts';
import { isRecord } from '../../values.ts';
import type { NoteLoss } from './note-loss.ts';

/** How the messages of one format are written. */
export interface DocumentWriter {
  /** The name of the format. */
  readonly format: string;
  /** Messages that follow each other in the log; some formats make several records of one, or one of several. */
  readonly writeMessages: (messages: readonly Message[], note: NoteLoss) => readonly unknown[];
  /** The field of the system prompt; absent where the format has it among the messages. */
  readonly prompt?: PromptWriter;
  /** The value of a field that is a message too. */
  readonly writeField?: (message: Message, note: NoteLoss) => unknown;
  /** The field of the list in a document that has no shape of its own. Default `messages`. */
  readonly listField?: string;
  /** Whether a document that has no shape of its own is a bare list. */
  readonly isBareList: boolean;
}

/** How the system prompt is written. */
export interface PromptWriter {
  readonly field: string;
  readonly write: (message: Message, note: NoteLoss) => unknown;
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
  const own = events.map(withRecordedCallIds);
  return encode(document === 'array' ? writeList(own, listed) : writeObject(own, listed));
}

interface Writing {
  readonly writer: DocumentWriter;
  readonly note: NoteLoss;
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The elements that events stand for in a list. */
function elementsOf(events: readonly TranscriptEvent[], writing: Writing): unknown[] {
  const elements: (readonly unknown[])[] = [];
  let run: Message[] = [];
  const endRun = (): void => {
    if (run.length > 0) elements.push(writing.writer.writeMessages(run, writing.note));
    run = [];
  };
  for (const event of events) {
    if (event.message) run.push(event.message);
    else {
      endRun();
      elements.push(otherElementOf(event, writing));
    }
  }
  endRun();
  return elements.flat();
}

function otherElementOf(event: TranscriptEvent, { note }: Writing): readonly unknown[] {
  const { extra, kind } = event;
  if (extra !== undefined && Object.hasOwn(extra, 'value')) return [extra['value']];
  if (kind !== 'meta' || extra?.['bad'] !== undefined) note(`event ${kind}`);
  return [];
}

interface ListPart {
  /** The session that the events belong to. */
  readonly head: TranscriptEvent | undefined;
  readonly events: TranscriptEvent[];
}

function writeList(events: readonly TranscriptEvent[], writing: Writing): unknown[] {
  const parts: ListPart[] = [];
  for (const event of events) {
    const last = parts.at(-1);
    const isHead = event.extra?.['session'] !== undefined;
    if (isHead) parts.push({ head: event, events: [] });
    else if (last && (!last.head || last.head.lane === event.lane)) last.events.push(event);
    else parts.push({ head: undefined, events: [event] });
  }
  return parts.flatMap(({ head, events: own }) =>
    head ? [writeSession(head, own, writing)] : elementsOf(own, writing),
  );
}

function writeSession(
  head: TranscriptEvent,
  events: readonly TranscriptEvent[],
  writing: Writing,
): unknown {
  const entries: [string, unknown][] = Object.entries(head.extra?.['session'] ?? {});
  const { prompt, others } = splitPrompt(events, writing);
  if (prompt) entries.push([prompt.field, prompt.value]);
  const field = head.extra?.['list'];
  entries.push([typeof field === 'string' ? field : 'messages', elementsOf(others, writing)]);
  return Object.fromEntries(entries);
}

interface SplitPrompt {
  readonly prompt?: { readonly field: string; readonly value: unknown };
  readonly others: readonly TranscriptEvent[];
}

function splitPrompt(events: readonly TranscriptEvent[], { writer, note }: Writing): SplitPrompt {
  const prompt = events.find((event) => event.flags?.prompt === true);
  if (!prompt?.message || writer.prompt === undefined) return { others: events };
  const others = events.filter((event) => event !== prompt);
  const { field, write } = writer.prompt;
  return { prompt: { field, value: write(prompt.message, note) }, others };
}

function writeObject(events: readonly TranscriptEvent[], writing: Writing): unknown {
  const entries: [string, unknown][] = [];
  const listed: TranscriptEvent[] = [];
  const isListed = isInList(events);
  const listEvent = events.find((event) => event.extra?.['list'] === true);
  const list = fieldNameOf(listEvent) ?? writing.writer.listField ?? 'messages';
  for (const event of events) {
    const field = fieldNameOf(event);
    if (event === listEvent) entries.push([list, undefined]);
    else if (field === undefined || isListed(event)) listed.push(event);
    else entries.push([field, fieldValueOf(event, writing)]);
  }
  const elements = elementsOf(listed, writing);
  if (listEvent === undefined && elements.length > 0) entries.push([list, undefined]);
  for (
    let twice = new Set(entries.map(([field]) => field)).size;
    twice < entries.length;
    twice += 1
  )
    writing.note('field that stands twice');
  return Object.fromEntries(
    entries.map(([field, value]) => [
      field,
      field === list && value === undefined ? elements : value,
    ]),
  );
}

function fieldNameOf(event: TranscriptEvent | undefined): string | undefined {
  const field = event?.extra?.['field'];
  return typeof field === 'string' ? field : undefined;
}

/** A field that is a message joins the list once there are more messages. */
function isInList(events: readonly TranscriptEvent[]): (event: TranscriptEvent) => boolean {
  const hasMore = events.some(
    (event) => event.message !== undefined && fieldNameOf(event) === undefined,
  );
  return ({ message, flags }) => hasMore && message !== undefined && flags?.prompt === undefined;
}

/** The value of a field around the messages. */
function fieldValueOf(event: TranscriptEvent, { writer, note }: Writing): unknown {
  const { message, flags, extra } = event;
  if (message === undefined) return extra?.['value'];
  return flags?.prompt === true
    ? writer.prompt?.write(message, note)
    : writer.writeField?.(message, note);
}

/** Events of another format, in the usual shape of this one. */
function writeFresh(events: readonly TranscriptEvent[], writing: Writing): unknown {
  const { prompt, others } = splitPrompt(events, writing);
  const run = others.flatMap((event) => (event.message ? [event.message] : []));
  for (const event of others) if (!event.message) writing.note(`event ${event.kind}`);
  const messages = writing.writer.writeMessages(run, writing.note);
  if (writing.writer.isBareList && !prompt) return messages;
  const list = writing.writer.listField ?? 'messages';
  return { ...(prompt ? { [prompt.field]: prompt.value } : {}), [list]: messages };
}
