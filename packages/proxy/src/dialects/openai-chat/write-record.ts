import type { ContentBlock, Role, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { messageFormats } from '@ctx/transcripts';
import { membersOf, sliceOf, valueIn, withMember, withoutMembers } from '../../json/json-spans.ts';
import { at, parsed, textAt } from '../../json/values.ts';

function writtenResult(block: ToolResultBlock, origin: string): string {
  const [record] = messageFormats['openai-chat'].write([{ role: 'user', content: [block] }]);
  return withMember(origin, 'content', JSON.stringify(at(record, 'content') ?? ''));
}

function writtenCall({ name: tool, input }: ToolUseBlock, origin: string): string {
  const text = JSON.stringify(typeof input === 'string' ? input : JSON.stringify(input));
  const body = membersOf(origin, valueIn(origin));
  const [name, member] = body.has('function') ? ['function', 'arguments'] : ['custom', 'input'];
  const span = body.get(name);
  if (span === undefined) return origin;
  const named = withMember(sliceOf(origin, span), 'name', JSON.stringify(tool));
  return withMember(origin, name, withMember(named, member, text));
}

function writtenText(text: string, origin: string | undefined, role: Role): string {
  if (role === 'assistant') return JSON.stringify({ type: 'text', text });
  const content = JSON.stringify(text);
  return origin === undefined
    ? `{"role":${JSON.stringify(role)},"content":${content}}`
    : withMember(origin, 'content', content);
}

/** JSON of a block that the client did not write. */
function writtenOwn(block: ContentBlock, role: Role): string {
  const records = messageFormats['openai-chat'].write([{ role, content: [block] }]);
  const own = role === 'assistant' ? at(records[0], 'tool_calls') : records;
  return Array.isArray(own) && own.length > 0 ? JSON.stringify(own[0]) : '';
}

/** JSON of a block that changed: of the assistant a part or a call, of others a record. */
export function writeBlock(block: ContentBlock, origin: string | undefined, role: Role): string {
  if (block.type === 'text') return writtenText(block.text, origin, role);
  if (origin !== undefined && block.type === 'tool_result') return writtenResult(block, origin);
  if (origin !== undefined && block.type === 'tool_use') return writtenCall(block, origin);
  return writtenOwn(block, role);
}

/** The content of an answer: a string where one text is all of it. */
function contentOf(texts: readonly string[]): string {
  const only = texts.length === 1 ? textAt(parsed(texts[0] ?? ''), 'text') : undefined;
  return only === undefined ? `[${texts.join(',')}]` : JSON.stringify(only);
}

function isCall(part: string): boolean {
  const members = membersOf(part, valueIn(part));
  return members.has('function') || members.has('custom');
}

/** Writes an answer of the assistant's; everything but texts and calls stays as it stands in `origin`. */
function writeAnswer(parts: readonly string[], origin: string): string {
  const calls = parts.filter(isCall);
  const texts = parts.filter((part) => !isCall(part));
  const isEmpty = texts.length === 0;
  const said = isEmpty ? origin : withMember(origin, 'content', contentOf(texts));
  if (calls.length === 0) return withoutMembers(said, ['tool_calls']);
  return withMember(said, 'tool_calls', `[${calls.join(',')}]`);
}

/** Writes a message of parts; `origin`: the records of the message that they come from. */
export function writeRecords(
  role: Role,
  parts: readonly string[],
  origin: readonly string[],
): readonly string[] {
  const known = parts.filter((part) => part !== '');
  if (role !== 'assistant') return known;
  return [writeAnswer(known, origin[0] ?? '{"role":"assistant"}')];
}
