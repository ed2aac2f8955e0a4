import type { ContentBlock, Role } from '@ctx/core';
import { messageFormats } from '@ctx/transcripts';
import { elementsOf, membersOf, sliceOf, valueIn } from '../../json/json-spans.ts';
import { parsed, textAt } from '../../json/values.ts';

/** A text of JSON that is small, or nothing if it is no text. */
function textOf(raw: string, name: string): string | undefined {
  const span = membersOf(raw, valueIn(raw)).get(name);
  const value = span === undefined ? undefined : parsed(sliceOf(raw, span));
  return typeof value === 'string' ? value : undefined;
}

/** Whose an item is: what the model made, what tools returned, or what stands alone. */
export type ItemKind = 'model' | 'result' | 'alone';

/** Items that are the client's own, though they bear no role. */
const clientTypes: ReadonlySet<string> = new Set(['mcp_approval_response', 'compaction_trigger']);

export function kindOfItem(raw: string): ItemKind {
  const role = textOf(raw, 'role');
  if (role !== undefined) return role === 'assistant' ? 'model' : 'alone';
  const type = textOf(raw, 'type') ?? '';
  if (type.endsWith('_output')) return 'result';
  return clientTypes.has(type) ? 'alone' : 'model';
}

/** An item, read. */
export interface ReadItem {
  readonly role: Role;
  readonly content: readonly ContentBlock[];
  /** JSON of an item for each block, the first with everything that the client wrote beside its content. */
  readonly parts: readonly string[];
}

const roles: ReadonlyMap<string | undefined, Role> = new Map([
  ['developer', 'system'],
  ['system', 'system'],
  ['user', 'user'],
]);

/** The client's item for each part of its content. */
function partsOf(raw: string, role: unknown): string[] {
  const span = membersOf(raw, valueIn(raw)).get('content');
  if (span === undefined || raw[span.start] !== '[') return [raw];
  const texts = elementsOf(raw, span).map((part) => sliceOf(raw, part));
  if (texts.length < 2) return [raw];
  const [first, ...others] = texts;
  const head = `${raw.slice(0, span.start)}[${first ?? ''}]${raw.slice(span.end)}`;
  // An id may stand once only.
  const plain = `{"type":"message","role":${JSON.stringify(role)},"content":[`;
  return [head, ...others.map((text) => `${plain}${text}]}`)];
}

/** Reads one item; `undefined` for what cannot be followed, such as one that only names an item of the provider's. */
export function readItem(raw: string): ReadItem | undefined {
  const value: unknown = JSON.parse(raw);
  const [message] = messageFormats['openai-responses'].read([value]);
  if (message === undefined || textAt(value, 'type') === 'item_reference') return undefined;
  const { content } = message;
  const given = textAt(value, 'role');
  const isMessage = (textAt(value, 'type') ?? 'message') === 'message';
  const parts = isMessage && given !== undefined ? partsOf(raw, given) : [raw];
  if (parts.length !== content.length) return undefined;
  return { role: roles.get(given) ?? message.role, content, parts };
}
