import type { ContentBlock, Extra, Message, ResultBlock, Role } from '@ctx/core';
import { fieldOf, isList, isRecord, type JsonRecord, textAt, withoutKeys } from '../../values.ts';
import { extraFor, readContent } from '../shared/content-form.ts';
import { deniedText } from './ui-part.ts';

/** The name of the format. */
export const aiSdkModel = 'ai-sdk-model';

/** The prefix of what stands in a message of role tool and is no result. */
export const toolPrefix: string = `${aiSdkModel}:tool:`;

/** The prefix of what stands within a result. */
export const outputPrefix: string = `${aiSdkModel}:output:`;

const roles: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'system'],
  ['tool', 'user'],
]);

/**
 * Turns one ModelMessage of the AI SDK (4 to 7) into a canonical one; `undefined` where it is none.
 * `toAiSdkModel` gives an equal value back. Calls and results that the provider ran itself are kept whole.
 */
export function fromAiSdkModelMessage(value: unknown): Message | undefined {
  if (!isRecord(value)) return undefined;
  const role = roles.get(fieldOf(value, 'role'));
  if (role === undefined) return undefined;
  const isTool = value['role'] === 'tool';
  const fields = withoutKeys(value, ['role', 'content']);
  const readAny = isTool ? readToolPart : role === 'assistant' ? readAnswerPart : readPart;
  const { content, extra } = readAnyContent(value, role, readAny);
  const kept = { ...(isTool ? { role: 'tool' } : {}), ...extra };
  return { role, content, ...extraFor(aiSdkModel, kept, fields) };
}

function readAnyContent(
  record: JsonRecord,
  role: Role,
  readAny: (part: unknown) => ContentBlock,
): { readonly content: readonly ContentBlock[]; readonly extra: Extra } {
  const { content } = record;
  if (!isList(content)) return readContent(record, 'content', readPart);
  // A system message holds one text, never parts.
  if (role === 'system') return { content: [], extra: { form: 'other', value: content } };
  return { content: content.map(readAny), extra: { form: 'parts' } };
}

function opaque(part: unknown): ResultBlock {
  return { type: 'opaque', format: `${aiSdkModel}:${typeOf(part)}`, data: part };
}

function typeOf(part: unknown): string {
  return isRecord(part) ? (textAt(part, 'type') ?? '') : '';
}

function readPart(part: unknown): ResultBlock {
  const text = isRecord(part) && typeOf(part) === 'text' ? textAt(part, 'text') : undefined;
  if (!isRecord(part) || text === undefined) return opaque(part);
  return { type: 'text', text, ...extraFor(aiSdkModel, {}, withoutKeys(part, ['type', 'text'])) };
}

function readAnswerPart(part: unknown): ContentBlock {
  if (!isRecord(part) || typeOf(part) !== 'tool-call') return readPart(part);
  const id = textAt(part, 'toolCallId');
  const name = textAt(part, 'toolName');
  const isOwn = part['providerExecuted'] !== true;
  if (id === undefined || name === undefined || !isOwn) return opaque(part);
  // Version 4 has `args`.
  const key = Object.hasOwn(part, 'input') ? 'input' : 'args';
  if (!Object.hasOwn(part, key)) return opaque(part);
  const fields = withoutKeys(part, ['type', 'toolCallId', 'toolName', key]);
  const extra: Extra = key === 'args' ? { key } : {};
  return { type: 'tool_use', id, name, input: part[key], ...extraFor(aiSdkModel, extra, fields) };
}

function readToolPart(part: unknown): ContentBlock {
  const result = isRecord(part) && typeOf(part) === 'tool-result' ? readResult(part) : undefined;
  return result ?? { type: 'opaque', format: `${toolPrefix}${typeOf(part)}`, data: part };
}

function readResult(part: JsonRecord): ContentBlock | undefined {
  const toolUseId = textAt(part, 'toolCallId');
  const toolName = textAt(part, 'toolName');
  if (toolUseId === undefined || toolName === undefined) return undefined;
  const output = readOutput(part);
  if (output === undefined) return undefined;
  const known = ['type', 'toolCallId', 'toolName', output.key];
  const isVersion4 = output.key === 'result';
  // Version 4 says with `isError` what later versions say with the type of the output.
  const isMarked = isVersion4 && typeof part['isError'] === 'boolean';
  const isError = isMarked ? part['isError'] === true : output.isError;
  const fields = withoutKeys(part, isMarked ? [...known, 'isError'] : known);
  const extra = { toolName, ...output.extra, ...(isMarked ? { isMarked } : {}) };
  return {
    type: 'tool_result',
    toolUseId,
    content: output.content,
    ...(isError ? { isError } : {}),
    ...extraFor(aiSdkModel, extra, fields),
  };
}

interface Output {
  readonly key: 'output' | 'result';
  readonly content: readonly ResultBlock[];
  readonly isError: boolean;
  readonly extra: Extra;
}

function readOutput(part: JsonRecord): Output | undefined {
  const { output, result } = part;
  if (isRecord(output)) return readTypedOutput(output);
  if (Object.hasOwn(part, 'output') || !Object.hasOwn(part, 'result')) return undefined;
  const form = typeof result === 'string' ? 'string' : 'json';
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  return { key: 'result', content: textBlocks(text), isError: false, extra: { result: form } };
}

function textBlocks(text: string): readonly ResultBlock[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function readTypedOutput(output: JsonRecord): Output | undefined {
  const type = typeOf(output);
  const rest = withoutKeys(output, ['type', 'value']);
  const extra = { output: type, ...(rest === undefined ? {} : { outputFields: rest }) };
  const made = { key: 'output' as const, extra, isError: type.startsWith('error-') };
  if (type === 'execution-denied') return readDenied(made, output);
  const content = readOutputValue(type, output);
  return content === undefined ? undefined : { ...made, content };
}

function readOutputValue(type: string, output: JsonRecord): readonly ResultBlock[] | undefined {
  const { value } = output;
  if (type === 'json' || type === 'error-json') {
    return Object.hasOwn(output, 'value') ? textBlocks(JSON.stringify(value)) : undefined;
  }
  if (type === 'text' || type === 'error-text') {
    return typeof value === 'string' ? textBlocks(value) : undefined;
  }
  return type === 'content' && isList(value) ? value.map(readOutputPart) : undefined;
}

function readDenied(made: Omit<Output, 'content'>, output: JsonRecord): Output | undefined {
  if (Object.hasOwn(output, 'value')) return undefined;
  const reason = textAt(output, 'reason') ?? '';
  const text = reason.trim() === '' ? deniedText : reason;
  return { ...made, isError: true, content: textBlocks(text), extra: { ...made.extra, text } };
}

function readOutputPart(part: unknown): ResultBlock {
  const block = readPart(part);
  if (block.type === 'text') return block;
  return { ...block, format: `${outputPrefix}${typeOf(part)}` };
}
