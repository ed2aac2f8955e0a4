import type { ContentBlock, Role } from '@ctx/core';
import { isRecord } from '@ctx/core/encoding';
import { messageFormats } from '@ctx/transcripts';
import { elementsOf, membersOf, type Span, sliceOf, valueIn } from '../../json/json-spans.ts';
import { type JsonObject, parsed, textAt } from '../../json/values.ts';

/** A record of a conversation, read. */
export interface ReadRecord {
  readonly role: Role;
  readonly content: readonly ContentBlock[];
  /** For the assistant JSON of each text and call; for others a record for each block. */
  readonly parts: readonly string[];
}

export function isToolRecord(raw: string): boolean {
  const role = membersOf(raw, valueIn(raw)).get('role');
  return role !== undefined && parsed(sliceOf(raw, role)) === 'tool';
}

function listed(raw: string, list: Span | undefined): string[] {
  if (list === undefined || raw[list.start] !== '[') return [];
  return elementsOf(raw, list).map((span) => sliceOf(raw, span));
}

/** What every provider knows of an answer; everything else may be reasoning that has to come back as it is. */
const plainNames: ReadonlySet<string> = new Set([
  'role',
  'content',
  'tool_calls',
  'name',
  'refusal',
  'annotations',
  'audio',
]);

/** The fields of an answer that bind its calls; `undefined` if there are none. */
function bindingOf(value: JsonObject): JsonObject | undefined {
  const fields = Object.entries(value).filter(
    ([name, field]) => !plainNames.has(name) && field !== null && field !== '',
  );
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

function readAnswer(raw: string, value: JsonObject, content: readonly ContentBlock[]): ReadRecord {
  const members = membersOf(raw, valueIn(raw));
  const text = members.get('content');
  const isString = text !== undefined && raw[text.start] === '"';
  const texts =
    isString && value['content'] !== ''
      ? [`{"type":"text","text":${sliceOf(raw, text)}}`]
      : listed(raw, text);
  const parts = [...texts, ...listed(raw, members.get('tool_calls'))];
  const data = bindingOf(value);
  if (data === undefined) return { role: 'assistant', content, parts };
  const bound: ContentBlock = { type: 'opaque', format: 'openai-chat:reasoning', data };
  // It is written with the record it stands in.
  return { role: 'assistant', content: [bound, ...content], parts: ['', ...parts] };
}

function partsOf(raw: string, role: string): string[] {
  const span = membersOf(raw, valueIn(raw)).get('content');
  const texts = listed(raw, span);
  if (role === 'tool' || span === undefined || texts.length < 2) return [raw];
  const [first, ...others] = texts;
  const head = `${raw.slice(0, span.start)}[${first ?? ''}]${raw.slice(span.end)}`;
  return [head, ...others.map((text) => `{"role":${JSON.stringify(role)},"content":[${text}]}`)];
}

/** Reads one record; `undefined` for what cannot be followed, such as calls in the way of before tools. */
export function readRecord(raw: string): ReadRecord | undefined {
  const value: unknown = JSON.parse(raw);
  const role = textAt(value, 'role');
  if (!isRecord(value) || role === undefined || role === 'function') return undefined;
  if ((value['function_call'] ?? null) !== null) return undefined;
  const [message] = messageFormats['openai-chat'].read([value]);
  if (message === undefined) return undefined;
  const read =
    role === 'assistant'
      ? readAnswer(raw, value, message.content)
      : { role: message.role, content: message.content, parts: partsOf(raw, role) };
  return read.parts.length === read.content.length ? read : undefined;
}
