import type { ContentBlock } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import { withRecordedCallIds } from '../../calls/call-ids.ts';
import { joinBytes } from '../../sources/byte-source.ts';
import type { FormatWriteOptions, TranscriptEvent } from '../../transcript.ts';
import { uuidOfName } from '../../uuid-of-name.ts';
import { isJsonEqual, isRecord, type JsonRecord, textAt } from '../../values.ts';
import { toAnthropicMessage } from '../anthropic/anthropic-message.ts';
import { toRecordedMessage } from './claude-code-record.ts';

interface Writing extends FormatWriteOptions {
  readonly sessionId: string;
  /** The events of the source by the offset of their record. */
  readonly originals: ReadonlyMap<number, TranscriptEvent>;
  /** The newest line of each lane, to which the next one hangs. */
  readonly newest: Map<string, string>;
}

/**
 * Writes a log as a Claude Code file. Experimental for logs of other formats.
 * The line of an unchanged event is copied from the source; a changed event keeps the other fields of its line; what
 * came from elsewhere gets new lines, one block each, in one chain. Ids of new lines are made from the session id and the position.
 */
export function writeClaudeCode(
  events: readonly TranscriptEvent[],
  originals: ReadonlyMap<number, TranscriptEvent>,
  options: FormatWriteOptions,
): Uint8Array {
  const sessionId =
    options.sessionId ?? firstDefined(events, sessionIdOf) ?? sessionIdFor(events[0]);
  const writing: Writing = { ...options, sessionId, originals, newest: new Map() };
  return joinBytes(events.flatMap((event) => writtenLines(event, writing)));
}

/** Most events that are held back until one names the session. */
const maxHeld = 1_000;

/** Writes the same line by line, of events that were read from a Claude Code file. Memory: one record once the session is named. */
export async function* writeClaudeCodeLines(
  events: AsyncIterable<TranscriptEvent>,
  options: Omit<FormatWriteOptions, 'source'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const held: TranscriptEvent[] = [];
  const begin = (named: string | undefined): Writing => {
    const sessionId = named ?? sessionIdFor(held[0]);
    return { ...options, sessionId, originals: new Map(), newest: new Map() };
  };
  let writing: Writing | undefined;
  for await (const event of events) {
    const named = options.sessionId ?? sessionIdOf(event);
    held.push(event);
    if (writing === undefined && named === undefined && held.length < maxHeld) continue;
    writing ??= begin(named);
    for (const one of held.splice(0)) yield* writtenLines(one, writing);
  }
  writing ??= begin(options.sessionId);
  for (const one of held) yield* writtenLines(one, writing);
}

const encoder = new TextEncoder();
const lineEnd = encoder.encode('\n');

/** The lines of an event, each with its end. */
function writtenLines(event: TranscriptEvent, writing: Writing): Uint8Array[] {
  const copy = copyOf(event, writing);
  const lines =
    copy === undefined
      ? linesOf(event, writing).map((line) => encoder.encode(`${JSON.stringify(line)}\n`))
      : [copy, lineEnd];
  if (event.id !== undefined) writing.newest.set(event.lane, event.id);
  return lines;
}

function firstDefined<From, To>(
  items: readonly From[],
  find: (item: From) => To | undefined,
): To | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function sessionIdOf({ extra }: TranscriptEvent): string | undefined {
  const record = extra?.['record'];
  return isRecord(record) ? textAt(record, 'sessionId') : undefined;
}

/** The session id of a log that names none. */
function sessionIdFor(first: TranscriptEvent | undefined): string {
  return uuidOfName(`session ${JSON.stringify(first?.message ?? null)}`);
}

/** The bytes of an event that is as it was read. */
function copyOf(event: TranscriptEvent, { source, originals }: Writing): Uint8Array | undefined {
  const original = originals.get(event.source.offset);
  if (source === undefined || original === undefined) return undefined;
  const isSame = isJsonEqual(comparable(event), comparable(original));
  const { offset, length } = event.source;
  return isSame ? source.subarray(offset, offset + length) : undefined;
}

/** Position and usage depend on the events around. */
function comparable(event: TranscriptEvent): JsonRecord {
  const { seq: _seq, usage: _usage, ...rest } = event;
  return rest;
}

function linesOf(event: TranscriptEvent, writing: Writing): JsonRecord[] {
  const record = event.extra?.['record'];
  if (isRecord(record)) return [changedLine(withRecordedCallIds(event), record, writing)];
  if (
    event.message === undefined ||
    event.flags?.prompt === true ||
    event.message.role === 'system'
  ) {
    writing.note(event.flags?.prompt === true ? 'system prompt' : `event ${event.kind}`);
    return [];
  }
  return freshLines(event, writing);
}

/** The line of an event that was changed, or whose source is not at hand. */
function changedLine(event: TranscriptEvent, record: JsonRecord, writing: Writing): JsonRecord {
  const toolUseResult = resultInSource(event, writing);
  if (event.extra?.['toolUseResult'] === true && toolUseResult === undefined) {
    writing.note('toolUseResult');
  }
  const message = event.message
    ? toRecordedMessage(event.message, writing.note)
    : event.extra?.['message'];
  return {
    ...record,
    ...(message === undefined ? {} : { message }),
    ...(toolUseResult === undefined ? {} : { toolUseResult }),
  };
}

function resultInSource(event: TranscriptEvent, { source, originals }: Writing): unknown {
  const { offset, length } = event.source;
  if (source === undefined || !originals.has(offset)) return undefined;
  const line: unknown = JSON.parse(
    new TextDecoder().decode(source.subarray(offset, offset + length)),
  );
  return isRecord(line) ? line['toolUseResult'] : undefined;
}

/** New lines for a message that came from elsewhere. */
function freshLines(event: TranscriptEvent, writing: Writing): JsonRecord[] {
  const { message } = event;
  if (message === undefined) return [];
  const isAssistant = message.role === 'assistant';
  const parts: (readonly ContentBlock[])[] = isAssistant
    ? message.content.map((block) => [block])
    : [message.content];
  return parts.map((content, part) => {
    const uuid = uuidOfName(`${writing.sessionId}/${event.lane}/${event.seq}/${part}`);
    const parentUuid = writing.newest.get(event.lane) ?? null;
    writing.newest.set(event.lane, uuid);
    const { role, content: blocks } = toAnthropicMessage(
      { role: message.role, content },
      writing.note,
    );
    return {
      type: message.role,
      uuid,
      parentUuid,
      sessionId: writing.sessionId,
      timestamp: new Date(event.at ?? 0).toISOString(),
      isSidechain: event.lane !== 'main',
      ...(event.lane === 'main' ? {} : { agentId: event.lane }),
      message: isAssistant
        ? { ...responseOf(event, writing), role, content: blocks }
        : { role, content: blocks },
    };
  });
}

function responseOf(event: TranscriptEvent, { sessionId }: Writing): JsonRecord {
  const { usage, model } = event;
  const id = event.groupId ?? `msg_${fingerprintText(`${sessionId}/${event.seq}`).slice(0, 24)}`;
  return {
    id,
    type: 'message',
    model: model ?? 'unknown',
    stop_reason: null,
    ...(usage === undefined
      ? {}
      : {
          usage: {
            input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
            cache_creation_input_tokens: usage.cacheWrite,
            ...(usage.cacheWriteHour === undefined
              ? {}
              : { cache_creation: { ephemeral_1h_input_tokens: usage.cacheWriteHour } }),
            cache_read_input_tokens: usage.cacheRead,
            output_tokens: usage.output,
          },
        }),
  };
}
