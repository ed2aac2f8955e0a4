import type { ContentBlock, Extra, Message, ResultBlock } from '@ctx/core';
import { fieldOf, isRecord, type JsonRecord, textAt, withoutKeys } from '../../values.ts';
import { extraOfFormat } from '../shared/extra-of-format.ts';
import { ignoreLoss, type NoteLoss } from '../shared/note-loss.ts';

/**
 * Turns an Anthropic message into a canonical one; `undefined` where it is none (no known role).
 * {@link toAnthropicMessage} gives an equal value back; blocks without a canonical form are kept as they are.
 */
export function fromAnthropicMessage(value: unknown): Message | undefined {
  if (!isRecord(value)) return undefined;
  const role = fieldOf(value, 'role');
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return undefined;
  const { content, form } = readContent(value);
  const fields = withoutKeys(value, ['role', 'content']);
  return { role, content, ...extraOf(form, fields) };
}

/** How content stood in its source where it was not a list of blocks. */
type ContentForm =
  | { readonly form: 'string' | 'absent' }
  | { readonly form: 'other'; readonly value: unknown };

function readContent(record: JsonRecord): { content: ContentBlock[]; form?: ContentForm } {
  if (!Object.hasOwn(record, 'content')) return { content: [], form: { form: 'absent' } };
  const content = record['content'];
  if (Array.isArray(content)) return { content: content.map(fromAnthropicBlock) };
  if (typeof content !== 'string') return { content: [], form: { form: 'other', value: content } };
  const blocks: ContentBlock[] = content === '' ? [] : [{ type: 'text', text: content }];
  return { content: blocks, form: { form: 'string' } };
}

function extraOf(form: ContentForm | undefined, fields: JsonRecord | undefined): { extra?: Extra } {
  if (form === undefined && fields === undefined) return {};
  return { extra: { format: 'anthropic', ...form, ...(fields === undefined ? {} : { fields }) } };
}

/** Turns an Anthropic content block into a canonical one. Unknown and malformed blocks become opaque. */
export function fromAnthropicBlock(block: unknown): ContentBlock {
  if (!isRecord(block)) return { type: 'opaque', format: 'anthropic:', data: block };
  const type = textAt(block, 'type') ?? '';
  const known =
    type === 'text' ? readText(block) : type === 'tool_use' ? readCall(block) : undefined;
  const result = type === 'tool_result' ? readResult(block) : undefined;
  return known ?? result ?? { type: 'opaque', format: `anthropic:${type}`, data: block };
}

function readText(block: JsonRecord): ContentBlock | undefined {
  const text = textAt(block, 'text');
  if (text === undefined) return undefined;
  return { type: 'text', text, ...extraOf(undefined, withoutKeys(block, ['type', 'text'])) };
}

function readCall(block: JsonRecord): ContentBlock | undefined {
  const id = textAt(block, 'id');
  const name = textAt(block, 'name');
  if (id === undefined || name === undefined || !Object.hasOwn(block, 'input')) return undefined;
  const fields = withoutKeys(block, ['type', 'id', 'name', 'input']);
  return { type: 'tool_use', id, name, input: block['input'], ...extraOf(undefined, fields) };
}

function readResult(block: JsonRecord): ContentBlock | undefined {
  const toolUseId = textAt(block, 'tool_use_id');
  const isError = fieldOf(block, 'is_error');
  if (toolUseId === undefined || (isError !== undefined && typeof isError !== 'boolean')) {
    return undefined;
  }
  const { content, form } = readContent(block);
  return {
    type: 'tool_result',
    toolUseId,
    content: content.map(asResultBlock),
    ...(isError === undefined ? {} : { isError }),
    ...extraOf(form, withoutKeys(block, ['type', 'tool_use_id', 'content', 'is_error'])),
  };
}

/** Calls and results have no meaning within a result. */
function asResultBlock(block: ContentBlock): ResultBlock {
  if (block.type === 'text' || block.type === 'opaque') return block;
  return { type: 'opaque', format: `anthropic:${block.type}`, data: toAnthropicBlock(block) };
}

/** Turns a canonical message into an Anthropic one. What came from another provider and has no place is left out and noted. */
export function toAnthropicMessage(message: Message, note: NoteLoss = ignoreLoss): JsonRecord {
  const content = writeContent(message.content, message.extra, note);
  return { role: message.role, ...content, ...fieldsOf(message.extra, note) };
}

/** Turns a canonical block into an Anthropic one; `undefined` where it belongs to another provider. */
export function toAnthropicBlock(block: ContentBlock, note: NoteLoss = ignoreLoss): unknown {
  const fields = fieldsOf(block.extra, note);
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, ...fields };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input, ...fields };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: block.toolUseId,
        ...writeContent(block.content, block.extra, note),
        ...(block.isError === undefined ? {} : { is_error: block.isError }),
        ...fields,
      };
    case 'opaque':
      if (block.format.startsWith('anthropic:')) return block.data;
      note(`block ${block.format}`);
      return undefined;
  }
}

/** The foreign fields that were read by this codec. Those of another format are left out and noted. */
function fieldsOf(extra: Extra | undefined, note: NoteLoss): JsonRecord {
  return extraOfFormat('anthropic', extra, note)?.fields ?? {};
}

/** Content in the form it had, as long as that form can still hold it. */
function writeContent(
  blocks: readonly ContentBlock[],
  extra: Extra | undefined,
  note: NoteLoss,
): JsonRecord {
  const own = extra?.format === 'anthropic' ? writeInForm(blocks, extra) : undefined;
  if (own !== undefined) return own;
  const content = blocks.map((block) => toAnthropicBlock(block, note));
  return { content: content.filter((block) => block !== undefined) };
}

function writeInForm(blocks: readonly ContentBlock[], extra: Extra): JsonRecord | undefined {
  const form = extra['form'];
  const [first, ...others] = blocks;
  if (first === undefined) {
    if (form === 'absent') return {};
    if (form === 'other') return { content: extra['value'] };
    return form === 'string' ? { content: '' } : undefined;
  }
  const isPlain = others.length === 0 && first.type === 'text' && first.extra === undefined;
  return form === 'string' && isPlain ? { content: first.text } : undefined;
}
