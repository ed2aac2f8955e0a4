import type { ContentBlock, Extra, Message, ResultBlock, ToolUseBlock } from '@ctx/core';
import { defined, fieldOf, isRecord, type JsonRecord, textAt, withoutKeys } from '../../values.ts';
import { readArguments } from '../shared/json-arguments.ts';

/** Reads the messages of one conversation in order. */
export interface OpenAiChatReader {
  /** The canonical message of one record; `undefined` where it is none. */
  readonly read: (value: unknown) => Message | undefined;
}

/**
 * Starts reading a conversation. It remembers legacy function calls, which have no id: ids are made from their order.
 * {@link toOpenAiChat} gives records equal to those that were read; a tool record becomes a user message of one result.
 */
export function startOpenAiChatReader(): OpenAiChatReader {
  const legacy: LegacyCalls = { made: 0, open: [] };
  return { read: (value) => (isRecord(value) ? readRecord(value, legacy) : undefined) };
}

/**
 * Turns OpenAI chat messages into canonical ones: tool records that follow each other become one user message.
 * {@link toOpenAiChat} gives equal records back. Records without a known role are left out.
 */
export function fromOpenAiChat(records: readonly unknown[]): Message[] {
  const reader = startOpenAiChatReader();
  const messages: Message[] = [];
  for (const record of records) {
    const message = reader.read(record);
    const last = messages.at(-1);
    if (message && last && isToolMessage(last) && isToolMessage(message)) {
      messages[messages.length - 1] = { ...last, content: [...last.content, ...message.content] };
    } else if (message) messages.push(message);
  }
  return messages;
}

function isToolMessage(message: Message): boolean {
  return (
    message.role === 'user' &&
    message.content.length > 0 &&
    message.content.every((block) => block.type === 'tool_result')
  );
}

interface LegacyCalls {
  made: number;
  /** Ids of calls that have no result yet, in order. */
  readonly open: string[];
}

function readRecord(record: JsonRecord, legacy: LegacyCalls): Message | undefined {
  switch (fieldOf(record, 'role')) {
    case 'system':
    case 'user':
      return readPlain(record, record['role'] === 'user' ? 'user' : 'system');
    case 'developer':
      return withExtra(readPlain(record, 'system'), { role: 'developer' });
    case 'assistant':
      return readAssistant(record, legacy);
    case 'tool':
      return readTool(record);
    case 'function':
      return readFunction(record, legacy);
    default:
      return undefined;
  }
}

function withExtra(message: Message, extra: Extra): Message {
  return { ...message, extra: { format: 'openai-chat', ...message.extra, ...extra } };
}

function readPlain(record: JsonRecord, role: 'user' | 'system'): Message {
  const { content, extra } = readContent(record);
  return { role, content, ...extraOf(extra, withoutKeys(record, ['role', 'content'])) };
}

interface Content {
  readonly content: readonly ResultBlock[];
  readonly extra: Extra;
}

function readContent(record: JsonRecord): Content {
  if (!Object.hasOwn(record, 'content')) return { content: [], extra: { form: 'absent' } };
  const content = record['content'];
  if (typeof content === 'string') {
    const blocks: ResultBlock[] = content === '' ? [] : [{ type: 'text', text: content }];
    return { content: blocks, extra: { form: 'string' } };
  }
  if (Array.isArray(content)) return { content: content.map(readPart), extra: { form: 'parts' } };
  return { content: [], extra: { form: 'other', value: content } };
}

function readPart(part: unknown): ResultBlock {
  if (isRecord(part) && part['type'] === 'text') {
    const text = textAt(part, 'text');
    const fields = withoutKeys(part, ['type', 'text']);
    if (text !== undefined) return { type: 'text', text, ...extraOf({}, fields) };
  }
  const type = isRecord(part) ? (textAt(part, 'type') ?? '') : '';
  return { type: 'opaque', format: `openai-chat:${type}`, data: part };
}

function extraOf(extra: Extra, fields: JsonRecord | undefined): { extra?: Extra } {
  if (fields !== undefined) return { extra: { format: 'openai-chat', ...extra, fields } };
  return Object.keys(extra).length === 0 ? {} : { extra: { format: 'openai-chat', ...extra } };
}

function readAssistant(record: JsonRecord, legacy: LegacyCalls): Message {
  const { content, extra } = readContent(record);
  const list = record['tool_calls'];
  const hasCalls = Array.isArray(list) && list.length > 0;
  const calls: ContentBlock[] = hasCalls ? list.map(readCall) : [];
  const legacyCall = readLegacyCall(record['function_call'], legacy);
  const known = [
    'role',
    'content',
    ...(hasCalls ? ['tool_calls'] : []),
    ...(legacyCall ? ['function_call'] : []),
  ];
  return {
    role: 'assistant',
    content: [...content, ...calls, ...(legacyCall ? [legacyCall] : [])],
    ...extraOf(extra, withoutKeys(record, known)),
  };
}

function readCall(call: unknown): ContentBlock {
  const known = isRecord(call) ? (readFunctionCall(call) ?? readCustomCall(call)) : undefined;
  return known ?? { type: 'opaque', format: 'openai-chat:tool_call', data: call };
}

function readFunctionCall(call: JsonRecord): ContentBlock | undefined {
  const body = bodyOf(call, 'function', 'arguments');
  if (body === undefined) return undefined;
  const isUsual = call['type'] === 'function';
  const { input, extra } = readArguments(body.text);
  const fields = withoutKeys(call, ['id', 'function', ...(isUsual ? ['type'] : [])]);
  const all = { ...(isUsual ? {} : { call: 'untyped' }), ...body.extra, ...extra };
  return { type: 'tool_use', id: body.id, name: body.name, input, ...extraOf(all, fields) };
}

function readCustomCall(call: JsonRecord): ContentBlock | undefined {
  const body = bodyOf(call, 'custom', 'input');
  if (body === undefined || isRecord(call['function'])) return undefined;
  const { id, name, text, extra } = body;
  const fields = withoutKeys(call, ['id', 'custom']);
  return {
    type: 'tool_use',
    id,
    name,
    input: text,
    ...extraOf({ call: 'custom', ...extra }, fields),
  };
}

interface CallBody {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** Fields of the body that have no home. */
  readonly extra: Extra;
}

function bodyOf(call: JsonRecord, kind: string, textKey: string): CallBody | undefined {
  const body = fieldOf(call, kind);
  const id = textAt(call, 'id');
  if (!isRecord(body) || id === undefined) return undefined;
  const name = textAt(body, 'name');
  const text = textAt(body, textKey);
  if (name === undefined || text === undefined) return undefined;
  const bodyFields = withoutKeys(body, ['name', textKey]);
  return { id, name, text, extra: defined({ bodyFields }) };
}

function readLegacyCall(call: unknown, legacy: LegacyCalls): ToolUseBlock | undefined {
  if (!isRecord(call)) return undefined;
  const name = textAt(call, 'name');
  const text = textAt(call, 'arguments');
  if (name === undefined || text === undefined) return undefined;
  const id = `function_call_${legacy.made}`;
  legacy.made += 1;
  legacy.open.push(id);
  const { input, extra } = readArguments(text);
  const fields = withoutKeys(call, ['name', 'arguments']);
  return { type: 'tool_use', id, name, input, ...extraOf({ call: 'legacy', ...extra }, fields) };
}

function readTool(record: JsonRecord): Message | undefined {
  const toolUseId = textAt(record, 'tool_call_id');
  if (toolUseId === undefined) return undefined;
  return resultMessage(record, toolUseId, { keys: ['role', 'content', 'tool_call_id'], extra: {} });
}

function readFunction(record: JsonRecord, legacy: LegacyCalls): Message {
  const toolUseId = legacy.open.shift() ?? `function_call_${legacy.made}`;
  return resultMessage(record, toolUseId, { keys: ['role', 'content'], extra: { call: 'legacy' } });
}

function resultMessage(
  record: JsonRecord,
  toolUseId: string,
  known: { keys: readonly string[]; extra: Extra },
): Message {
  const { content, extra } = readContent(record);
  const fields = withoutKeys(record, known.keys);
  return {
    role: 'user',
    content: [
      { type: 'tool_result', toolUseId, content, ...extraOf({ ...known.extra, ...extra }, fields) },
    ],
  };
}
