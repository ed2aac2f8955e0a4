import type { ContentBlock, Extra, Message, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { defined, isRecord, type JsonRecord, parseJson, textAt } from '../../values.ts';
import { contentValue } from '../shared/content-form.ts';
import { extraOfFormat } from '../shared/extra-of-format.ts';
import { argumentsOf } from '../shared/json-arguments.ts';
import { ignoreLoss, type NoteLoss } from '../shared/note-loss.ts';
import { clientCalls, openAiResponses, partPrefix } from './openai-responses-item.ts';

/**
 * Turns canonical messages into items of the OpenAI Responses API: each call, result and opaque item is one of its own.
 * Items that were read come out equal and in their order. What the format cannot hold is left out and noted.
 */
export function toOpenAiResponses(
  messages: readonly Message[],
  note: NoteLoss = ignoreLoss,
): JsonRecord[] {
  return messages.flatMap((message) => itemsOf(message, note));
}

function itemsOf(message: Message, note: NoteLoss): JsonRecord[] {
  extraOfFormat(openAiResponses, message.extra, note);
  const items: JsonRecord[] = [];
  let group: ContentBlock[] = [];
  const endGroup = (): void => {
    if (group.length > 0) items.push(...writeMessageItem(group, message, note));
    group = [];
  };
  for (const block of message.content) {
    const item = writeWholeItem(block, note);
    const startsItem = item !== undefined || itemOf(block) !== undefined;
    if (startsItem) endGroup();
    if (item) items.push(item);
    else if (isPart(block)) group.push(block);
    else if (block.type === 'opaque') note(`block ${block.format}`);
  }
  endGroup();
  return items;
}

/** The item that a block stands for alone; `undefined` where it is part of a message item. */
function writeWholeItem(block: ContentBlock, note: NoteLoss): JsonRecord | undefined {
  if (block.type === 'tool_use') return writeCall(block, note);
  if (block.type === 'tool_result') return writeOutput(block, note);
  const isOwn =
    block.type === 'opaque' &&
    block.format.startsWith(`${openAiResponses}:`) &&
    !block.format.startsWith(partPrefix);
  return isOwn && isRecord(block.data) ? block.data : undefined;
}

function isPart(block: ContentBlock): boolean {
  return block.type === 'text' || (block.type === 'opaque' && block.format.startsWith(partPrefix));
}

/** What was kept of the message item that begins with a block. */
function itemOf(block: ContentBlock | undefined): JsonRecord | undefined {
  const item = block?.extra?.format === openAiResponses ? block.extra['item'] : undefined;
  return block?.type !== 'tool_use' && isRecord(item) ? item : undefined;
}

function writeMessageItem(
  blocks: readonly ContentBlock[],
  message: Message,
  note: NoteLoss,
): JsonRecord[] {
  const item = itemOf(blocks[0]);
  const isEmpty = item?.['isEmpty'] === true && blocks.length === 1 && isHollow(blocks[0]);
  const content = contentValue(
    isEmpty ? [] : blocks.map((block) => withoutForm(block, item?.['form'])),
    item,
    (block) => writePart(block, message.role, note),
  );
  const own = item?.['own'];
  const fields = isRecord(own) ? own : { role: message.role };
  return [{ ...fields, ...defined({ content }) }];
}

function isHollow(block: ContentBlock | undefined): boolean {
  return block?.type === 'text' && block.text === '';
}

/** A text that stood alone as a string, or that came from elsewhere, is plain again. */
function withoutForm(block: ContentBlock, form: unknown): ContentBlock {
  if (block.type !== 'text' || form === 'parts') return block;
  return block.extra?.fields === undefined ? { type: 'text', text: block.text } : block;
}

function writePart(block: ContentBlock, role: string, note: NoteLoss): unknown[] {
  if (block.type === 'opaque') {
    if (block.format.startsWith(partPrefix)) return [block.data];
    note(`block ${block.format}`);
  }
  if (block.type !== 'text') return [];
  const extra = extraOfFormat(openAiResponses, block.extra, note);
  const usual = role === 'assistant' ? 'output_text' : 'input_text';
  const type = typeof extra?.['part'] === 'string' ? extra['part'] : usual;
  return [{ type, text: block.text, ...extra?.fields }];
}

function writeCall(block: ToolUseBlock, note: NoteLoss): JsonRecord {
  const extra = extraOfFormat(openAiResponses, block.extra, note);
  const type = textAt(extra ?? {}, 'item') ?? 'function_call';
  const call = clientCalls.get(type) ?? { input: 'arguments' };
  const input = type === 'function_call' ? argumentsOf(block) : block.input;
  const name = 'name' in call ? {} : { name: block.name };
  return { type, call_id: block.id, ...name, [call.input]: input, ...extra?.fields };
}

function writeOutput(block: ToolResultBlock, note: NoteLoss): JsonRecord {
  const extra = extraOfFormat(openAiResponses, block.extra, note);
  if (block.isError === true) note('is_error');
  const type = textAt(extra ?? {}, 'item') ?? 'function_call_output';
  const output = outputOf(block, extra, note);
  return { type, call_id: block.toolUseId, ...defined({ output }), ...extra?.fields };
}

function outputOf(block: ToolResultBlock, extra: Extra | undefined, note: NoteLoss): unknown {
  const [first, ...others] = block.content;
  const form = extra?.['form'];
  if (first !== undefined && others.length === 0) {
    if (form === 'value' && first.type === 'opaque') return first.data;
    if (form === 'json' && first.type === 'text') return parseJson(first.text) ?? first.text;
  }
  const plain = block.content.map((part) => withoutForm(part, form));
  return contentValue(plain, extra, (part) => writePart(part, 'user', note));
}
