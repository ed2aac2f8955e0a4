import type { ContentBlock, Message, ResultBlock, Role } from '@ctx/core';
import { isRecord } from '@ctx/core/encoding';
import type { ItemShape } from '../host-types.ts';
import { answeredCallOf, callOf, fieldsOf, textField, typeOf } from './item-fields.ts';

/** The format whose extras these are. */
export const agentsFormat = 'openai-agents';

type Fields = Readonly<Record<string, unknown>>;

function without(item: ItemShape, ...names: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(fieldsOf(item)).filter(([name]) => !names.includes(name)),
  );
}

const textTypes = new Set(['text', 'input_text', 'output_text']);

/** A part of a message or of a result. */
function readPart(part: unknown): ResultBlock {
  const type = isRecord(part) ? textField(part, 'type') : undefined;
  const text = isRecord(part) ? textField(part, 'text') : undefined;
  if (!isRecord(part) || text === undefined || !textTypes.has(type ?? '')) {
    return { type: 'opaque', format: `${agentsFormat}:content:${type ?? ''}`, data: part };
  }
  return { type: 'text', text, extra: { format: agentsFormat, part: without(part, 'text') } };
}

/** Content as blocks, and the form it had. */
function readContent(value: unknown): { blocks: ResultBlock[]; form: string } {
  if (typeof value === 'string') return { blocks: [{ type: 'text', text: value }], form: 'string' };
  if (Array.isArray(value)) return { blocks: value.map(readPart), form: 'parts' };
  return { blocks: [readPart(value)], form: 'value' };
}

const roles: ReadonlyMap<string, Role> = new Map([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
]);

function readMessage(item: ItemShape): Message | undefined {
  const role = roles.get(textField(item, 'role') ?? '');
  if (role === undefined) return undefined;
  const { blocks, form } = readContent(fieldsOf(item)['content']);
  const own = { item: without(item, 'content'), form };
  // What belongs to the item as a whole stands at its first block.
  const [first, ...others] = blocks.length === 0 ? [{ type: 'text', text: '' } as const] : blocks;
  const isEmpty = blocks.length === 0 ? { isEmpty: true } : {};
  if (first === undefined) return undefined;
  const head = { ...first, extra: { format: agentsFormat, ...first.extra, ...own, ...isEmpty } };
  return { role, content: [head, ...others] };
}

function parsed(text: string): { readonly input: unknown; readonly raw?: string } {
  try {
    const input: unknown = JSON.parse(text);
    if (!isRecord(input)) return { input: text };
    return JSON.stringify(input) === text ? { input } : { input, raw: text };
  } catch {
    return { input: text };
  }
}

function readCall(item: ItemShape, id: string): ContentBlock {
  const text = textField(item, 'arguments');
  if (typeOf(item) !== 'function_call' || text === undefined) {
    const extra = { format: agentsFormat, whole: item };
    return {
      type: 'tool_use',
      id,
      name: typeOf(item),
      input: without(item, 'type', 'callId'),
      extra,
    };
  }
  const { input, raw } = parsed(text);
  const own = { item: without(item, 'arguments'), ...(raw === undefined ? {} : { raw }) };
  const name = textField(item, 'name') ?? '';
  return { type: 'tool_use', id, name, input, extra: { format: agentsFormat, ...own } };
}

function readResult(item: ItemShape, toolUseId: string): ContentBlock {
  if (typeOf(item) !== 'function_call_result') {
    const opaque = {
      type: 'opaque',
      format: `${agentsFormat}:${typeOf(item)}`,
      data: item,
    } as const;
    return { type: 'tool_result', toolUseId, content: [opaque] };
  }
  const { blocks, form } = readContent(fieldsOf(item)['output']);
  const extra = { format: agentsFormat, item: without(item, 'output'), form };
  return { type: 'tool_result', toolUseId, content: blocks, extra };
}

/** The message of one item; everything that ctx does not know goes through as it is. */
export function readItem(item: ItemShape): Message {
  const message = typeOf(item) === 'message' ? readMessage(item) : undefined;
  if (message !== undefined) return message;
  const id = textField(item, 'callId') ?? '';
  if (callOf(item) !== undefined) return { role: 'assistant', content: [readCall(item, id)] };
  if (answeredCallOf(item) !== undefined) return { role: 'user', content: [readResult(item, id)] };
  const format = `${agentsFormat}:${typeOf(item)}`;
  return { role: 'assistant', content: [{ type: 'opaque', format, data: item }] };
}

function isOfResults({ content }: Message): boolean {
  return content.every((block) => block.type === 'tool_result');
}

/** What one answer holds (reasoning, texts, calls) stays together; results that follow each other do, too. */
export function mayJoin(last: Message, next: Message): boolean {
  if (last.role === 'assistant' && next.role === 'assistant') return true;
  return last.role === 'user' && next.role === 'user' && isOfResults(last) && isOfResults(next);
}
