import type { ContentBlock, Extra, Message, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import type { JsonRecord } from '../../values.ts';
import { extraOfFormat } from '../shared/extra-of-format.ts';
import { argumentsOf } from '../shared/json-arguments.ts';
import { ignoreLoss, type NoteLoss } from '../shared/note-loss.ts';

/**
 * Turns canonical messages into OpenAI chat records: each result becomes a tool record of its own, before the rest of its message.
 * Records that were read come out equal. What the format cannot hold is left out and noted.
 */
export function toOpenAiChat(
  messages: readonly Message[],
  note: NoteLoss = ignoreLoss,
): JsonRecord[] {
  return messages.flatMap((message) => toOpenAiChatRecords(message, note));
}

/** The records of one message. */
function toOpenAiChatRecords(message: Message, note: NoteLoss): JsonRecord[] {
  if (message.role === 'assistant') return [writeAssistant(message, note)];
  const results = message.content.flatMap((block) =>
    block.type === 'tool_result' ? [writeResult(block, note)] : [],
  );
  const rest = message.content.filter((block) => block.type !== 'tool_result');
  if (results.length > 0 && rest.length === 0) return results;
  return [...results, writePlain({ ...message, content: rest }, note)];
}

function writePlain(message: Message, note: NoteLoss): JsonRecord {
  const extra = ownExtra(message.extra, note);
  const role = extra?.['role'] === 'developer' ? 'developer' : message.role;
  return { role, ...writeContent(message.content, extra, note), ...extra?.fields };
}

function writeAssistant(message: Message, note: NoteLoss): JsonRecord {
  const extra = ownExtra(message.extra, note);
  const calls = message.content.filter(isCall);
  const toolCalls = calls.flatMap((block) => writeCall(block, note));
  const legacy = calls.find((block) => isLegacy(block));
  const rest = message.content.filter((block) => !isCall(block));
  const content = writeContent(rest, extra, note);
  const isEmpty = content['content'] === '' || isEmptyList(content['content']);
  const hasOnlyCalls = isEmpty && calls.length > 0 && extra?.['form'] === undefined;
  return {
    role: 'assistant',
    ...(hasOnlyCalls ? { content: null } : content),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    ...(legacy?.type === 'tool_use' ? { function_call: writeLegacy(legacy) } : {}),
    ...extra?.fields,
  };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isCall(block: ContentBlock): boolean {
  return (
    block.type === 'tool_use' ||
    (block.type === 'opaque' && block.format === 'openai-chat:tool_call')
  );
}

function isLegacy(block: ContentBlock): boolean {
  return block.type === 'tool_use' && block.extra?.['call'] === 'legacy';
}

function writeCall(block: ContentBlock, note: NoteLoss): unknown[] {
  if (block.type === 'opaque') return [block.data];
  if (block.type !== 'tool_use' || isLegacy(block)) return [];
  const extra = ownExtra(block.extra, note);
  const body = { name: block.name, ...bodyFieldsOf(extra) };
  if (extra?.['call'] === 'custom') {
    return [{ id: block.id, ...extra.fields, custom: { ...body, input: block.input } }];
  }
  const fields = {
    ...(extra?.['call'] === 'untyped' ? {} : { type: 'function' }),
    ...extra?.fields,
  };
  return [{ id: block.id, ...fields, function: { ...body, arguments: argumentsOf(block) } }];
}

function ownExtra(extra: Extra | undefined, note: NoteLoss): Extra | undefined {
  return extraOfFormat('openai-chat', extra, note);
}

function bodyFieldsOf(extra: Extra | undefined): JsonRecord {
  const fields = extra?.['bodyFields'];
  return typeof fields === 'object' && fields !== null ? { ...fields } : {};
}

function writeLegacy(block: ToolUseBlock): JsonRecord {
  return { name: block.name, arguments: argumentsOf(block), ...block.extra?.fields };
}

function writeResult(block: ToolResultBlock, note: NoteLoss): JsonRecord {
  const extra = ownExtra(block.extra, note);
  const isFunction = extra?.['call'] === 'legacy';
  if (block.isError === true) note('is_error');
  return {
    role: isFunction ? 'function' : 'tool',
    ...(isFunction ? {} : { tool_call_id: block.toolUseId }),
    ...writeContent(block.content, extra, note),
    ...extra?.fields,
  };
}

/** Content in the form it had, as long as that form can still hold it; else a string where it is one text. */
function writeContent(
  blocks: readonly ContentBlock[],
  extra: Extra | undefined,
  note: NoteLoss,
): JsonRecord {
  const form = extra?.['form'];
  const [first, ...others] = blocks;
  if (first === undefined) return writeNothing(form, extra);
  const parts = blocks.flatMap((block) => writePart(block, note));
  const isPlain = others.length === 0 && first.type === 'text' && first.extra === undefined;
  return { content: isPlain && form !== 'parts' ? first.text : parts };
}

function writeNothing(form: unknown, extra: Extra | undefined): JsonRecord {
  if (form === 'absent') return {};
  if (form === 'other') return { content: extra?.['value'] };
  return { content: form === 'parts' ? [] : '' };
}

function writePart(block: ContentBlock, note: NoteLoss): unknown[] {
  if (block.type === 'text') {
    return [{ type: 'text', text: block.text, ...ownExtra(block.extra, note)?.fields }];
  }
  if (block.type === 'opaque' && block.format.startsWith('openai-chat:')) return [block.data];
  note(`block ${block.type === 'opaque' ? block.format : block.type}`);
  return [];
}
