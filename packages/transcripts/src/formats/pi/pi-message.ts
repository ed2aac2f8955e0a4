import type { ContentBlock, Extra, Message, ResultBlock } from '@ctx/core';
import { defined, fieldOf, isRecord, type JsonRecord, textAt, withoutKeys } from '../../values.ts';
import { contentValue, extraFor, readContent } from '../shared/content-form.ts';
import { extraOfFormat } from '../shared/extra-of-format.ts';
import type { NoteLoss } from '../shared/note-loss.ts';

const format = 'pi';

/** The canonical message of a pi message; `undefined` where the model does not see it as one. */
export function readPiMessage(value: JsonRecord): Message | undefined {
  switch (fieldOf(value, 'role')) {
    case 'user':
    case 'custom':
    case 'hookMessage':
      return readPlain(value, 'user');
    case 'assistant':
      return readPlain(value, 'assistant');
    case 'toolResult':
      return readResult(value);
    case 'bashExecution':
      return readBash(value);
    default:
      return undefined;
  }
}

function readPlain(value: JsonRecord, role: 'user' | 'assistant'): Message {
  const { content, extra } = readContent(value, 'content', readPart);
  // In results there are no calls, so that only here a part may be one.
  const blocks = content.map((block) => asCall(block));
  const fields = withoutKeys(value, ['content']);
  return { role, content: blocks, ...extraFor(format, extra, fields) };
}

function readPart(part: unknown): ResultBlock {
  const text = isRecord(part) && part['type'] === 'text' ? textAt(part, 'text') : undefined;
  if (isRecord(part) && text !== undefined) {
    return { type: 'text', text, ...extraFor(format, {}, withoutKeys(part, ['type', 'text'])) };
  }
  const type = isRecord(part) ? (textAt(part, 'type') ?? '') : '';
  return { type: 'opaque', format: `${format}:${type}`, data: part };
}

function asCall(block: ResultBlock): ContentBlock {
  const part = block.type === 'opaque' && isRecord(block.data) ? block.data : {};
  const id = textAt(part, 'id');
  const name = textAt(part, 'name');
  if (part['type'] !== 'toolCall' || id === undefined || name === undefined) return block;
  if (!Object.hasOwn(part, 'arguments')) return block;
  const fields = withoutKeys(part, ['type', 'id', 'name', 'arguments']);
  return { type: 'tool_use', id, name, input: part['arguments'], ...extraFor(format, {}, fields) };
}

function readResult(value: JsonRecord): Message | undefined {
  const toolUseId = textAt(value, 'toolCallId');
  const isError = fieldOf(value, 'isError');
  if (toolUseId === undefined || (isError !== undefined && typeof isError !== 'boolean')) {
    return undefined;
  }
  const { content, extra } = readContent(value, 'content', readPart);
  const fields = withoutKeys(value, ['content', 'toolCallId', 'isError']);
  const block: ContentBlock = {
    type: 'tool_result',
    toolUseId,
    content,
    ...defined({ isError }),
    ...extraFor(format, extra, fields),
  };
  return { role: 'user', content: [block] };
}

/** What the user ran by hand is told to the model as text. */
function readBash(value: JsonRecord): Message | undefined {
  const command = textAt(value, 'command');
  const output = textAt(value, 'output');
  if (command === undefined || output === undefined || value['excludeFromContext'] === true) {
    return undefined;
  }
  const text = `Ran \`${command}\`\n${output}`;
  return { role: 'user', content: [{ type: 'text', text, extra: { format, bash: value } }] };
}

/** The pi message of a canonical one again. */
export function writePiMessage(message: Message, note: NoteLoss): JsonRecord {
  const [first] = message.content;
  if (first?.type === 'tool_result') {
    const extra = extraOfFormat(format, first.extra, note);
    const { toolUseId: toolCallId, isError } = first;
    const content = contentOf(first.content, extra, note);
    return { ...extra?.fields, toolCallId, ...content, ...defined({ isError }) };
  }
  const bash = first?.type === 'text' && first.extra?.format === format && first.extra['bash'];
  if (isRecord(bash)) return bash;
  const extra = extraOfFormat(format, message.extra, note);
  return { role: message.role, ...extra?.fields, ...contentOf(message.content, extra, note) };
}

function contentOf(
  blocks: readonly ContentBlock[],
  extra: Extra | undefined,
  note: NoteLoss,
): JsonRecord {
  const content = contentValue(blocks, extra, (block) => writePart(block, note));
  return content === undefined ? {} : { content };
}

function writePart(block: ContentBlock, note: NoteLoss): readonly unknown[] {
  const fields = extraOfFormat(format, block.extra, note)?.fields;
  if (block.type === 'text') return [{ type: 'text', text: block.text, ...fields }];
  if (block.type === 'tool_use') {
    const { id, name, input } = block;
    return [{ type: 'toolCall', id, name, arguments: input, ...fields }];
  }
  if (block.type === 'opaque' && block.format.startsWith(`${format}:`)) return [block.data];
  note(`block ${block.type === 'opaque' ? block.format : block.type}`);
  return [];
}
