import type { ContentBlock, Message, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { fieldOf, isList, isRecord, type JsonRecord, textAt, withoutKeys } from '../../values.ts';
import { exactCodec, type MessageCodec } from '../shared/exact-codec.ts';
import type { NoteLoss } from '../shared/note-loss.ts';
import {
  geminiCli,
  partsOf,
  readGeminiPart,
  readGeminiResult,
  writeGeminiPart,
} from './gemini-part.ts';

const thoughtBlock = `${geminiCli}:thought`;

/**
 * The codec of the records of Gemini CLI. A response is a message of the assistant, and one of the user with the results that
 * its record holds.
 */
export const geminiCodec: MessageCodec = exactCodec({
  format: geminiCli,
  read: readGemini,
  write: writeGemini,
});

function readGemini(value: unknown): readonly Message[] {
  if (!isRecord(value)) return [];
  const type = fieldOf(value, 'type');
  if (type === 'gemini') return readResponse(value);
  if (type !== 'user') return [];
  const content = partsOf(fieldOf(value, 'content')).map(readUserPart);
  const form = formOf(fieldOf(value, 'content'));
  const fields = withoutKeys(value, ['content']) ?? {};
  return [{ role: 'user', content, extra: { format: geminiCli, form, fields } }];
}

/** History that was put together elsewhere may hold results as parts. */
function readUserPart(part: unknown): ContentBlock {
  const answer = isRecord(part) ? fieldOf(part, 'functionResponse') : undefined;
  const id = isRecord(answer) ? textAt(answer, 'id') : undefined;
  if (!isRecord(answer) || id === undefined) return readGeminiPart(part);
  const { content, isError } = readGeminiResult([part]);
  const extra = { format: geminiCli, part };
  return { type: 'tool_result', toolUseId: id, content, ...(isError ? { isError } : {}), extra };
}

function formOf(value: unknown): 'text' | 'list' | 'part' | 'absent' {
  if (typeof value === 'string') return 'text';
  if (isList(value)) return 'list';
  return value === undefined ? 'absent' : 'part';
}

interface ReadCall {
  readonly call: ToolUseBlock;
  readonly result?: ToolResultBlock;
}

function readResponse(record: JsonRecord): readonly Message[] {
  const thoughts = fieldOf(record, 'thoughts');
  const calls = fieldOf(record, 'toolCalls');
  const read = (isList(calls) ? calls : []).map(readCall);
  const content: ContentBlock[] = [
    ...(isList(thoughts) ? thoughts : []).map(asThought),
    ...partsOf(fieldOf(record, 'content')).map(readGeminiPart),
    ...read.flatMap((one) => (one === undefined ? [] : [one.call])),
  ];
  const lists = { thoughts: isList(thoughts), toolCalls: isList(calls) };
  const form = formOf(fieldOf(record, 'content'));
  const fields = withoutKeys(record, ['content', 'thoughts', 'toolCalls']) ?? {};
  const message: Message = {
    role: 'assistant',
    content,
    extra: { format: geminiCli, form, lists, fields },
  };
  const results = read.flatMap((one) => (one?.result === undefined ? [] : [one.result]));
  if (results.length === 0) return [message];
  return [message, { role: 'user', content: results, extra: { format: geminiCli, isPart: true } }];
}

function asThought(data: unknown): ContentBlock {
  return { type: 'opaque', format: thoughtBlock, data };
}

function readCall(value: unknown): ReadCall | undefined {
  const id = isRecord(value) ? textAt(value, 'id') : undefined;
  const name = isRecord(value) ? textAt(value, 'name') : undefined;
  if (!isRecord(value) || id === undefined || name === undefined) return undefined;
  const fields = withoutKeys(value, ['id', 'name', 'args', 'result']) ?? {};
  const input = fieldOf(value, 'args');
  const call = { type: 'tool_use' as const, id, name, input, extra: { format: geminiCli, fields } };
  const parts = partsOf(fieldOf(value, 'result'));
  return parts.length === 0 ? { call } : { call, result: readResult(parts, { id, value }) };
}

function readResult(
  parts: readonly unknown[],
  { id, value }: { readonly id: string; readonly value: JsonRecord },
): ToolResultBlock {
  const { content, isError, form } = readGeminiResult(parts);
  const isFailed = isError || fieldOf(value, 'status') !== 'success';
  const extra = { format: geminiCli, ...(form === undefined ? {} : { form }) };
  const result = { type: 'tool_result' as const, toolUseId: id, content, extra };
  return isFailed ? { ...result, isError: true } : result;
}

function writeGemini(messages: readonly Message[], note: NoteLoss): readonly unknown[] {
  return messages.flatMap((message, index) => {
    if (message.extra?.format !== geminiCli) {
      note('message of another format');
      return [];
    }
    if (message.extra['isPart'] === true) return [];
    const next = messages[index + 1];
    const results = next?.extra?.['isPart'] === true ? next.content : [];
    return [message.role === 'user' ? writeUser(message) : writeResponse(message, results)];
  });
}

function writeUser({ content, extra }: Message): JsonRecord {
  const parts = content.map((block) =>
    block.type === 'tool_result' ? block.extra?.['part'] : writeGeminiPart(block),
  );
  return { ...extra?.fields, ...contentField(parts, extra?.['form']) };
}

function contentField(parts: readonly unknown[], form: unknown): JsonRecord {
  if (form === 'absent' && parts.length === 0) return {};
  if (form === 'list') return { content: parts };
  const [first = '', ...others] = parts;
  return { content: others.length === 0 ? first : parts };
}

function writeResponse({ content, extra }: Message, results: readonly ContentBlock[]): JsonRecord {
  const lists = isRecord(extra?.['lists']) ? extra['lists'] : {};
  const thoughts = content.flatMap((block) =>
    block.type === 'opaque' && block.format === thoughtBlock ? [block.data] : [],
  );
  const calls = content.flatMap((block) =>
    block.type === 'tool_use' ? [writeCall(block, results)] : [],
  );
  const parts = content.filter((block) => block.type === 'text' || isPart(block));
  return {
    ...extra?.fields,
    ...contentField(parts.map(writeGeminiPart), extra?.['form']),
    ...(lists['thoughts'] === true || thoughts.length > 0 ? { thoughts } : {}),
    ...(lists['toolCalls'] === true || calls.length > 0 ? { toolCalls: calls } : {}),
  };
}

function isPart(block: ContentBlock): boolean {
  return block.type === 'opaque' && block.format === `${geminiCli}:part`;
}

function writeCall(call: ToolUseBlock, results: readonly ContentBlock[]): JsonRecord {
  const { id, name, input, extra } = call;
  const own = { id, name, ...(input === undefined ? {} : { args: input }), ...extra?.fields };
  const result = results.find((block) => block.type === 'tool_result' && block.toolUseId === id);
  if (result?.type !== 'tool_result') return own;
  const [first] = result.content;
  const text = first?.type === 'text' ? first.text : '';
  const response = result.extra?.['form'] === 'error' ? { error: text } : { output: text };
  return { ...own, result: [{ functionResponse: { id, name, response } }] };
}
