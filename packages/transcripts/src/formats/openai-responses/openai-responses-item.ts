import type { ContentBlock, Extra, Message, ResultBlock, Role } from '@ctx/core';
import { fieldOf, isList, isRecord, type JsonRecord, textAt, withoutKeys } from '../../values.ts';
import { extraFor, readContent } from '../shared/content-form.ts';
import { readArguments } from '../shared/json-arguments.ts';

/** The name of the format. */
export const openAiResponses = 'openai-responses';

/** Items that call a tool of the client: the field of the input, and the name where the item has none. */
export const clientCalls: ReadonlyMap<string, { readonly input: string; readonly name?: string }> =
  new Map([
    ['function_call', { input: 'arguments' }],
    ['custom_tool_call', { input: 'input' }],
    ['computer_call', { input: 'action', name: 'computer' }],
    ['local_shell_call', { input: 'action', name: 'local_shell' }],
    ['shell_call', { input: 'action', name: 'shell' }],
    ['apply_patch_call', { input: 'operation', name: 'apply_patch' }],
  ]);

/** Items that only a client sends, though they are no message. */
const clientItems = new Set(['mcp_approval_response', 'item_reference', 'compaction_trigger']);

const roles: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
]);

/**
 * The canonical message of one item; `undefined` where the value is no item.
 * All that the item holds is kept in its blocks, so that messages may be joined.
 */
export function readItem(value: unknown): Message | undefined {
  if (!isRecord(value)) return undefined;
  const type = textAt(value, 'type');
  const role = roles.get(fieldOf(value, 'role'));
  if (role !== undefined && (type === 'message' || !Object.hasOwn(value, 'type'))) {
    return { role, content: readMessageItem(value) };
  }
  if (type === undefined) return undefined;
  const call = readCall(value, type);
  if (call !== undefined) return { role: 'assistant', content: [call] };
  const output = readOutput(value, type);
  return output === undefined ? readOther(value, type) : { role: 'user', content: [output] };
}

function readOther(item: JsonRecord, type: string): Message {
  const isClient = clientItems.has(type) || type.endsWith('_output');
  const block: ContentBlock = { type: 'opaque', format: `${openAiResponses}:${type}`, data: item };
  return { role: isClient ? 'user' : 'assistant', content: [block] };
}

function readMessageItem(item: JsonRecord): readonly ContentBlock[] {
  const { content, extra } = readContent(item, 'content', readPart);
  const own = withoutKeys(item, ['content']);
  const blocks: readonly ContentBlock[] =
    content.length === 0 ? [{ type: 'text', text: '' }] : content;
  const kept = content.length === 0 ? { ...extra, isEmpty: true } : extra;
  // What belongs to the item as a whole stands at its first block.
  return blocks.map((block, index) => (index === 0 ? withItem(block, { ...kept, own }) : block));
}

function withItem(block: ContentBlock, item: JsonRecord): ContentBlock {
  return { ...block, extra: { format: openAiResponses, ...block.extra, item } };
}

/** The prefix of what stands within a message item. */
export const partPrefix: string = `${openAiResponses}:content:`;

function readPart(part: unknown): ResultBlock {
  const type = isRecord(part) ? (textAt(part, 'type') ?? '') : '';
  const text = isRecord(part) ? textAt(part, 'text') : undefined;
  if (!isRecord(part) || text === undefined || !/^(?:input_text|output_text|text)$/u.test(type)) {
    return { type: 'opaque', format: `${partPrefix}${type}`, data: part };
  }
  return {
    type: 'text',
    text,
    ...extraFor(openAiResponses, { part: type }, withoutKeys(part, ['type', 'text'])),
  };
}

function readCall(item: JsonRecord, type: string): ContentBlock | undefined {
  const call = clientCalls.get(type);
  const id = textAt(item, 'call_id');
  const name = call?.name ?? textAt(item, 'name');
  if (call === undefined || id === undefined || name === undefined) return undefined;
  if (!Object.hasOwn(item, call.input)) return undefined;
  const read = readInput(type, item[call.input]);
  if (read === undefined) return undefined;
  const known = ['type', 'call_id', call.input, ...(call.name === undefined ? ['name'] : [])];
  const extra = { ...(type === 'function_call' ? {} : { item: type }), ...read.extra };
  return {
    type: 'tool_use',
    id,
    name,
    input: read.input,
    ...extraFor(openAiResponses, extra, withoutKeys(item, known)),
  };
}

function readInput(type: string, value: unknown): { input: unknown; extra?: Extra } | undefined {
  if (type === 'function_call') {
    return typeof value === 'string' ? readArguments(value) : undefined;
  }
  return type === 'custom_tool_call' && typeof value !== 'string' ? undefined : { input: value };
}

function readOutput(item: JsonRecord, type: string): ContentBlock | undefined {
  const call = type.endsWith('_output') ? type.slice(0, -'_output'.length) : '';
  const toolUseId = textAt(item, 'call_id');
  if (!clientCalls.has(call) || toolUseId === undefined) return undefined;
  const isJson = isRecord(item['output']) || (isList(item['output']) && call === 'shell_call');
  const { content, extra } = isJson
    ? readJsonOutput(item['output'])
    : readContent(item, 'output', readPart);
  const fields = withoutKeys(item, ['type', 'call_id', 'output']);
  const kept = { ...(call === 'function_call' ? {} : { item: type }), ...extra };
  return { type: 'tool_result', toolUseId, content, ...extraFor(openAiResponses, kept, fields) };
}

/** An output that is a value of its own, such as a screenshot or the streams of a shell. */
function readJsonOutput(value: unknown): { content: readonly ResultBlock[]; extra: Extra } {
  const isText = isList(value);
  const block: ResultBlock = isText
    ? { type: 'text', text: JSON.stringify(value) }
    : { type: 'opaque', format: `${partPrefix}output`, data: value };
  return { content: [block], extra: { form: isText ? 'json' : 'value' } };
}
