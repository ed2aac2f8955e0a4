import type { ContentBlock, Extra, Message, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { isList, isRecord, type JsonRecord, textAt } from '../../values.ts';
import { contentValue } from '../shared/content-form.ts';
import { extraOfFormat } from '../shared/extra-of-format.ts';
import { argumentsOf } from '../shared/json-arguments.ts';
import { ignoreLoss, type NoteLoss } from '../shared/note-loss.ts';
import { langChain, rawCall } from './langchain-read.ts';
import { closeRecord, type Envelope, freshEnvelope, keptEnvelope } from './langchain-record.ts';

/**
 * Turns canonical messages into serialised LangChain messages: each result becomes a tool message, before the rest. Messages from
 * elsewhere are serialised as their neighbours are, or as `{type, data}`.
 * What was read comes out equal. What the format cannot hold is left out and noted.
 */
export function toLangChain(
  messages: readonly Message[],
  note: NoteLoss = ignoreLoss,
): JsonRecord[] {
  const shape = shapeOf(messages);
  return messages.flatMap((message) => recordsOf(message, { shape, note }));
}

interface Writing {
  readonly shape: Envelope['shape'];
  readonly note: NoteLoss;
}

function shapeOf(messages: readonly Message[]): Envelope['shape'] {
  for (const { extra } of messages) {
    const envelope = extra?.format === langChain ? keptEnvelope(extra) : undefined;
    if (envelope) return envelope.shape;
  }
  return 'stored';
}

function recordsOf(message: Message, writing: Writing): JsonRecord[] {
  if (message.role === 'assistant') return [writeMessage(message, 'ai', writing)];
  const records: JsonRecord[] = [];
  const rest: ContentBlock[] = [];
  for (const block of message.content) {
    if (block.type === 'tool_result') records.push(writeResult(block, writing));
    else if (isWhole(block) && isRecord(block.data)) records.push(block.data);
    else rest.push(block);
  }
  if (records.length > 0 && rest.length === 0) return records;
  const kind = message.role === 'system' ? 'system' : 'human';
  return [...records, writeMessage({ ...message, content: rest }, kind, writing)];
}

function isWhole(block: ContentBlock): block is ContentBlock & { type: 'opaque' } {
  return block.type === 'opaque' && block.format === `${langChain}:message`;
}

function writeMessage(
  message: Message,
  kind: 'human' | 'ai' | 'system',
  { shape, note }: Writing,
): JsonRecord {
  const extra = extraOfFormat(langChain, message.extra, note);
  const calls = message.content.filter(isCall);
  const rest = message.content.filter((block) => !isCall(block));
  const ids = new Set(calls.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
  const body = {
    ...fieldsOf(extra, ids),
    ...contentOf(rest, extra, { ids, note }),
    ...callsOf(calls, note),
  };
  return closeRecord(body, keptEnvelope(extra) ?? freshEnvelope(kind, shape));
}

function isCall(block: ContentBlock): boolean {
  return block.type === 'tool_use' || (block.type === 'opaque' && block.format.startsWith(rawCall));
}

/** The fields of the message, without what they tell of calls that have left. */
function fieldsOf(extra: Extra | undefined, ids: ReadonlySet<string>): JsonRecord {
  const fields = extra?.fields ?? {};
  const mirrored = isList(extra?.['mirrored']) ? extra['mirrored'] : [];
  const kwargs = fields['additional_kwargs'];
  const list = isRecord(kwargs) ? kwargs['tool_calls'] : undefined;
  const hasLeft = (id: unknown): boolean => mirrored.includes(id) && !ids.has(String(id));
  if (!isRecord(kwargs) || !isList(list) || !mirrored.some(hasLeft)) return fields;
  const toolCalls = list.filter((call) => !isRecord(call) || !hasLeft(call['id']));
  return { ...fields, additional_kwargs: { ...kwargs, tool_calls: toolCalls } };
}

interface ContentWriting {
  /** The calls that are still there. */
  readonly ids: ReadonlySet<string>;
  readonly note: NoteLoss;
}

function contentOf(
  blocks: readonly ContentBlock[],
  extra: Extra | undefined,
  { ids, note }: ContentWriting,
): JsonRecord {
  const repeated = extra?.['repeated'];
  if (isList(repeated)) {
    const parts = blocks.flatMap((block) => writePart(block, note));
    return { content: withRepeated(parts, repeated, ids) };
  }
  const content = contentValue(blocks.map(withoutForeignExtra), extra, (block) =>
    writePart(block, note),
  );
  return content === undefined ? {} : { content };
}

/** Content that tells the calls again: those that are still there, where they stood. */
function withRepeated(
  parts: readonly unknown[],
  original: readonly unknown[],
  ids: ReadonlySet<string>,
): unknown[] {
  const isRepeat = (part: unknown): boolean => {
    if (!isRecord(part) || part['type'] !== 'tool_use') return false;
    const id = textAt(part, 'id');
    return id !== undefined && ids.has(id);
  };
  const others = original.filter((part) => !isRepeat(part));
  if (others.length !== parts.length) return [...parts, ...original.filter(isRepeat)];
  const left = [...parts];
  return original.map((part) => (isRepeat(part) ? part : left.shift()));
}

function withoutForeignExtra(block: ContentBlock): ContentBlock {
  const isOwn = block.extra?.format === langChain;
  const isBare = block.type === 'text' && !isOwn && block.extra?.fields === undefined;
  return isBare ? { type: 'text', text: block.text } : block;
}

function writePart(block: ContentBlock, note: NoteLoss): unknown[] {
  if (block.type === 'text') {
    const extra = extraOfFormat(langChain, block.extra, note);
    return extra?.['isBare'] === true
      ? [block.text]
      : [{ type: 'text', text: block.text, ...extra?.fields }];
  }
  if (block.type === 'opaque' && block.format.startsWith(`${langChain}:part:`)) return [block.data];
  note(`block ${block.type === 'opaque' ? block.format : block.type}`);
  return [];
}

function callsOf(calls: readonly ContentBlock[], note: NoteLoss): JsonRecord {
  const written = calls.flatMap((block) => writeAnyCall(block, note));
  const valid = written.filter(({ isInvalid }) => !isInvalid).map(({ call }) => call);
  const invalid = written.filter(({ isInvalid }) => isInvalid).map(({ call }) => call);
  return {
    ...(valid.length === 0 ? {} : { tool_calls: valid }),
    ...(invalid.length === 0 ? {} : { invalid_tool_calls: invalid }),
  };
}

interface WrittenCall {
  readonly call: unknown;
  readonly isInvalid: boolean;
}

function writeAnyCall(block: ContentBlock, note: NoteLoss): WrittenCall[] {
  if (block.type === 'opaque') return [{ call: block.data, isInvalid: block.format !== rawCall }];
  if (block.type !== 'tool_use') return [];
  const extra = extraOfFormat(langChain, block.extra, note);
  if (extra?.['call'] === 'raw') return [];
  const isInvalid = extra?.['call'] === 'invalid';
  const call = isInvalid ? writeInvalidCall(block, extra) : writeCall(block, extra);
  return [{ call, isInvalid }];
}

function writeCall({ id, name, input }: ToolUseBlock, extra: Extra | undefined): JsonRecord {
  const fields = extra === undefined ? { type: 'tool_call' } : extra.fields;
  return { id, name, args: input, ...fields };
}

function writeInvalidCall(block: ToolUseBlock, extra: Extra): JsonRecord {
  return { id: block.id, name: block.name, args: argumentsOf(block), ...extra.fields };
}

function writeResult(block: ToolResultBlock, { shape, note }: Writing): JsonRecord {
  const extra = extraOfFormat(langChain, block.extra, note);
  const ids = new Set<string>();
  const body = {
    ...extra?.fields,
    ...contentOf(block.content, extra, { ids, note }),
    tool_call_id: block.toolUseId,
    ...(block.isError === true ? { status: 'error' } : {}),
  };
  return closeRecord(body, keptEnvelope(extra) ?? freshEnvelope('tool', shape));
}
