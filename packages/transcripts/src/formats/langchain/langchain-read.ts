import type { ContentBlock, Message, ResultBlock, Role, ToolUseBlock } from '@ctx/core';
import { fieldOf, isList, isRecord, type JsonRecord, textAt, withoutKeys } from '../../values.ts';
import { extraFor, readContent } from '../shared/content-form.ts';
import { readArguments } from '../shared/json-arguments.ts';
import { type OpenRecord, openRecord } from './langchain-record.ts';

/** The name of the format. */
export const langChain = 'langchain';

/** What a call stands in that is none of the usual list. */
export const rawCall: string = `${langChain}:tool_call`;

/**
 * The canonical message of one serialised LangChain message; `undefined` where the value is none.
 * `toLangChain` gives an equal value back; a tool message becomes a user message of one result.
 */
export function readLangChain(value: unknown): Message | undefined {
  const record = openRecord(value);
  if (record === undefined) return undefined;
  switch (record.kind) {
    case 'ai':
      return readAnswer(record);
    case 'tool':
      return readTool(record) ?? readOther(value);
    case 'human':
      return readPlain(record, 'user');
    case 'system':
      return readPlain(record, 'system');
    case 'chat':
      return readChat(record) ?? readOther(value);
    case 'other':
      return readOther(value);
  }
}

/** Legacy function results and what has no known role: kept whole. */
function readOther(value: unknown): Message {
  return {
    role: 'user',
    content: [{ type: 'opaque', format: `${langChain}:message`, data: value }],
  };
}

function readChat(record: OpenRecord): Message | undefined {
  const role = textAt(record.body, 'role');
  const isKnown = role === 'user' || role === 'assistant' || role === 'system';
  return isKnown ? readPlain(record, role) : undefined;
}

function readPlain({ body, envelope }: OpenRecord, role: Role): Message {
  const { content, extra } = readContent(body, 'content', readPart);
  const fields = withoutKeys(body, ['content']);
  return { role, content, ...extraFor(langChain, { envelope, ...extra }, fields) };
}

function readPart(part: unknown): ResultBlock {
  if (typeof part === 'string') {
    return { type: 'text', text: part, extra: { format: langChain, isBare: true } };
  }
  const type = isRecord(part) ? (textAt(part, 'type') ?? '') : '';
  const text = isRecord(part) && type === 'text' ? textAt(part, 'text') : undefined;
  if (!isRecord(part) || text === undefined) {
    return { type: 'opaque', format: `${langChain}:part:${type}`, data: part };
  }
  return { type: 'text', text, ...extraFor(langChain, {}, withoutKeys(part, ['type', 'text'])) };
}

function readTool({ body, envelope }: OpenRecord): Message | undefined {
  const toolUseId = textAt(body, 'tool_call_id');
  if (toolUseId === undefined) return undefined;
  const { content, extra } = readContent(body, 'content', readPart);
  const isError = body['status'] === 'error';
  const fields = withoutKeys(body, ['content', 'tool_call_id', ...(isError ? ['status'] : [])]);
  const block: ContentBlock = {
    type: 'tool_result',
    toolUseId,
    content,
    ...(isError ? { isError } : {}),
    ...extraFor(langChain, { envelope, ...extra }, fields),
  };
  return { role: 'user', content: [block] };
}

function readAnswer({ body, envelope }: OpenRecord): Message {
  const { content, extra } = readContent(body, 'content', readPart);
  const calls = callsOf(body);
  const ids = new Set(
    calls.blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
  );
  // Content of some providers repeats the calls: each is told once, where the list has it.
  const own = content.filter((block) => !isRepeatedCall(block, ids));
  const repeated = own.length === content.length ? {} : { repeated: body['content'] };
  const mirrored = mirroredIds(body, ids);
  const kept = {
    envelope,
    ...extra,
    ...repeated,
    ...(mirrored.length === 0 ? {} : { mirrored }),
  };
  const fields = withoutKeys(body, ['content', ...calls.keys]);
  return {
    role: 'assistant',
    content: [...own, ...calls.blocks],
    ...extraFor(langChain, kept, fields),
  };
}

function isRepeatedCall(block: ResultBlock, ids: ReadonlySet<string>): boolean {
  if (block.type !== 'opaque' || !isRecord(block.data)) return false;
  const id = textAt(block.data, 'id');
  return block.data['type'] === 'tool_use' && id !== undefined && ids.has(id);
}

interface Calls {
  readonly blocks: readonly ContentBlock[];
  /** The fields that they came from. */
  readonly keys: readonly string[];
}

function callsOf(body: JsonRecord): Calls {
  const valid = filledList(body, 'tool_calls');
  const invalid = filledList(body, 'invalid_tool_calls');
  // Before there was a list of its own, calls stood where the provider had put them.
  if (!valid && !invalid) return { blocks: rawCallsOf(body).flatMap(readRawCall), keys: [] };
  return {
    blocks: [...(valid ?? []).map(readCall), ...(invalid ?? []).map(readInvalidCall)],
    keys: [...(valid ? ['tool_calls'] : []), ...(invalid ? ['invalid_tool_calls'] : [])],
  };
}

function readRawCall(call: unknown): ToolUseBlock[] {
  const body = isRecord(call) ? fieldOf(call, 'function') : undefined;
  const id = isRecord(call) ? textAt(call, 'id') : undefined;
  if (!isRecord(body) || id === undefined) return [];
  const name = textAt(body, 'name');
  const text = textAt(body, 'arguments');
  if (name === undefined || text === undefined) return [];
  const { input } = readArguments(text);
  return [{ type: 'tool_use', id, name, input, ...extraFor(langChain, { call: 'raw' }) }];
}

function filledList(body: JsonRecord, key: string): readonly unknown[] | undefined {
  const list = fieldOf(body, key);
  return isList(list) && list.length > 0 ? list : undefined;
}

function readCall(call: unknown): ContentBlock {
  const known =
    isRecord(call) && Object.hasOwn(call, 'args') ? readNamed(call, 'valid') : undefined;
  return known ?? { type: 'opaque', format: rawCall, data: call };
}

/** Arguments that were no JSON stay the text they are. */
function readInvalidCall(call: unknown): ContentBlock {
  const isText = isRecord(call) && typeof call['args'] === 'string';
  const known = isText ? readNamed(call, 'invalid') : undefined;
  return known ?? { type: 'opaque', format: `${rawCall}:invalid`, data: call };
}

function readNamed(call: JsonRecord, kind: 'valid' | 'invalid'): ToolUseBlock | undefined {
  const id = textAt(call, 'id');
  const name = textAt(call, 'name');
  if (id === undefined || name === undefined) return undefined;
  const fields = withoutKeys(call, ['id', 'name', 'args']);
  const { args } = call;
  const read =
    kind === 'invalid' && typeof args === 'string' ? readArguments(args) : { input: args };
  const extra = { call: kind, ...(kind === 'invalid' ? { arguments: args } : {}) };
  return { type: 'tool_use', id, name, input: read.input, ...extraFor(langChain, extra, fields) };
}

/** The ids of calls that `additional_kwargs` tells, too or alone. */
function mirroredIds(body: JsonRecord, ids: ReadonlySet<string>): string[] {
  return rawCallsOf(body).flatMap((call) => {
    const id = isRecord(call) ? textAt(call, 'id') : undefined;
    return id !== undefined && ids.has(id) ? [id] : [];
  });
}

function rawCallsOf(body: JsonRecord): readonly unknown[] {
  const kwargs = fieldOf(body, 'additional_kwargs');
  const list = isRecord(kwargs) ? fieldOf(kwargs, 'tool_calls') : undefined;
  return isList(list) ? list : [];
}
