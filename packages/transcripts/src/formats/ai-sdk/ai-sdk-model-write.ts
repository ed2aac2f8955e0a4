import type { ContentBlock, Extra, Message, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { isRecord, type JsonRecord, parseJson } from '../../values.ts';
import { contentValue } from '../shared/content-form.ts';
import { extraOfFormat } from '../shared/extra-of-format.ts';
import { ignoreLoss, type NoteLoss } from '../shared/note-loss.ts';
import { aiSdkModel, outputPrefix, toolPrefix } from './ai-sdk-model-read.ts';

/**
 * Turns canonical messages into ModelMessages of the AI SDK: the results of a message become one of role tool, before the rest.
 * `calls`: names of tools by call id, for results whose calls are not among the messages.
 * What was read comes out equal. What the format cannot hold is left out and noted.
 */
export function toAiSdkModel(
  messages: readonly Message[],
  note: NoteLoss = ignoreLoss,
  calls: ReadonlyMap<string, string> = new Map(),
): JsonRecord[] {
  // A result names its tool, which the canonical one does not.
  const names = new Map(calls);
  return messages.flatMap((message) => {
    for (const block of message.content) {
      if (block.type === 'tool_use') names.set(block.id, block.name);
    }
    return recordsOf(message, { names, note });
  });
}

interface Writing {
  readonly names: ReadonlyMap<string, string>;
  readonly note: NoteLoss;
}

/** Text that stands where a result was is the user's: a message of role tool has no place for it. */
function isStillTool({ content }: Message, extra: Extra | undefined): boolean {
  return extra?.['role'] === 'tool' && (content.length === 0 || extra['form'] !== 'parts');
}

function recordsOf(message: Message, writing: Writing): JsonRecord[] {
  const extra = extraOfFormat(aiSdkModel, message.extra, writing.note);
  const parts = message.role === 'user' ? message.content.filter(isOfTool) : [];
  const rest = message.content.filter((block) => !parts.includes(block));
  const isTool = extra?.['role'] === 'tool';
  if (parts.length === 0) {
    const role = isStillTool(message, extra) ? 'tool' : message.role;
    return [{ role, ...contentOf(rest, extra, { ...writing, role }), ...extra?.fields }];
  }
  const content = parts.flatMap((block) => writePart(block, writing));
  const tool = { role: 'tool', content, ...(isTool ? extra.fields : {}) };
  if (rest.length === 0) return [tool];
  const others = contentOf(rest, extra, { ...writing, role: message.role });
  return [tool, { role: message.role, ...others, ...(isTool ? {} : extra?.fields) }];
}

function contentOf(
  blocks: readonly ContentBlock[],
  extra: Extra | undefined,
  writing: Writing & { readonly role: string },
): JsonRecord {
  if (writing.role === 'system' && blocks.length > 0) {
    return { content: systemText(blocks, writing.note) };
  }
  const plain = blocks.map(withoutForeignExtra);
  const content = contentValue(plain, extra, (block) => writePart(block, writing));
  return content === undefined ? {} : { content };
}

/** A system message holds one text. */
function systemText(blocks: readonly ContentBlock[], note: NoteLoss): string {
  const texts = blocks.flatMap((block) => {
    if (block.type === 'text') return [block.text];
    note(`block ${block.type === 'opaque' ? block.format : block.type}`);
    return [];
  });
  if (texts.length > 1) note('system prompt in several texts');
  return texts.join('\n');
}

/** A text that says no more than itself may be a string. */
function withoutForeignExtra(block: ContentBlock): ContentBlock {
  const isBare = block.type === 'text' && block.extra?.fields === undefined;
  return isBare ? { type: 'text', text: block.text } : block;
}

/** Whether a block of a user message stands in one of role tool. */
function isOfTool(block: ContentBlock): boolean {
  return (
    block.type === 'tool_result' || (block.type === 'opaque' && block.format.startsWith(toolPrefix))
  );
}

function writePart(block: ContentBlock, writing: Writing): unknown[] {
  const { note } = writing;
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text, ...fieldsOf(block.extra, note) }];
    case 'tool_use':
      return [writeCall(block, note)];
    case 'tool_result':
      return [writeResult(block, writing)];
    case 'opaque':
      if (block.format.startsWith(`${aiSdkModel}:`)) return [block.data];
      note(`block ${block.format}`);
      return [];
  }
}

function fieldsOf(extra: Extra | undefined, note: NoteLoss): JsonRecord {
  return extraOfFormat(aiSdkModel, extra, note)?.fields ?? {};
}

function writeCall(block: ToolUseBlock, note: NoteLoss): JsonRecord {
  const extra = extraOfFormat(aiSdkModel, block.extra, note);
  const key = extra?.['key'] === 'args' ? 'args' : 'input';
  const { id, name, input } = block;
  return { type: 'tool-call', toolCallId: id, toolName: name, [key]: input, ...extra?.fields };
}

function writeResult(block: ToolResultBlock, { names, note }: Writing): JsonRecord {
  const extra = extraOfFormat(aiSdkModel, block.extra, note);
  const kept = extra?.['toolName'];
  const toolName = typeof kept === 'string' ? kept : (names.get(block.toolUseId) ?? 'unknown');
  const head = { type: 'tool-result', toolCallId: block.toolUseId, toolName };
  if (extra?.['result'] !== undefined) {
    const isError = block.isError === true;
    const isMarked = isError || extra['isMarked'] === true;
    const result = valueOf(block, extra['result'] === 'json', note);
    return { ...head, result, ...(isMarked ? { isError } : {}), ...extra.fields };
  }
  return { ...head, output: writeOutput(block, extra, note), ...extra?.fields };
}

function writeOutput(block: ToolResultBlock, extra: Extra | undefined, note: NoteLoss): JsonRecord {
  const type = extra?.['output'];
  const fields = extra?.['outputFields'];
  const rest = isRecord(fields) ? fields : {};
  if (type === 'execution-denied' && textOf(block, note) === extra?.['text']) {
    return { type, ...rest };
  }
  const isList = block.isError !== true && (type === 'content' || hasParts(block));
  if (!isList) return { ...writePlainOutput(block, isJsonType(type), note), ...rest };
  const parts = block.content.flatMap((part) => writeOutputPart(part, note));
  return { type: 'content', value: parts, ...rest };
}

function isJsonType(type: unknown): boolean {
  return type === 'json' || type === 'error-json';
}

function writePlainOutput(block: ToolResultBlock, isJson: boolean, note: NoteLoss): JsonRecord {
  const text = textOf(block, note);
  const value = isJson ? parseJson(text) : undefined;
  const kind = value === undefined ? 'text' : 'json';
  const type = block.isError === true ? `error-${kind}` : kind;
  return { type, value: value === undefined ? text : value };
}

function hasParts({ content }: ToolResultBlock): boolean {
  return content.length > 1 || content.some(isPartOfOutput);
}

function isPartOfOutput(part: ContentBlock): boolean {
  return part.type === 'opaque' && part.format.startsWith(outputPrefix);
}

function writeOutputPart(part: ContentBlock, note: NoteLoss): unknown[] {
  if (part.type === 'text') {
    return [{ type: 'text', text: part.text, ...fieldsOf(part.extra, note) }];
  }
  if (part.type === 'opaque' && isPartOfOutput(part)) return [part.data];
  note(`block ${part.type === 'opaque' ? part.format : part.type}`);
  return [];
}

function valueOf(block: ToolResultBlock, isJson: boolean, note: NoteLoss): unknown {
  const text = textOf(block, note);
  const value = isJson ? parseJson(text) : undefined;
  return value === undefined ? text : value;
}

function textOf({ content }: ToolResultBlock, note: NoteLoss): string {
  const texts = content.flatMap((part) => {
    if (part.type === 'text') return [part.text];
    note(`block ${part.format}`);
    return [];
  });
  if (texts.length > 1) note('result in several texts');
  return texts.join('\n');
}
