import type { Message } from '@ctx/core';
import type {
  DetectionHead,
  EventDraft,
  FormatEvidence,
  TranscriptFormat,
} from '../../transcript.ts';
import { defined, isList, isRecord, type JsonRecord, textAt } from '../../values.ts';
import { type DocumentFormatParts, documentFormat } from '../shared/document-format.ts';
import type { ListPlaces } from '../shared/message-document.ts';
import { recordsOfHead } from '../shared/messages-of-head.ts';
import { readItem } from './openai-responses-item.ts';
import { toOpenAiResponses } from './openai-responses-write.ts';

const lists: ListPlaces = { fields: ['input', 'items', 'output'], messageKey: 'type' };

/** A list of items of the OpenAI Responses API, or an object with `input`, and perhaps `instructions`. */
export const openAiResponsesFormat: TranscriptFormat = documentFormat({
  name: 'openai-responses',
  detect: detectOpenAiResponses,
  createCodec,
  writer: {
    listField: 'input',
    writeMessages: toOpenAiResponses,
    writeField: (message, note) => bareContent(toOpenAiResponses([message], note)),
    prompt: {
      field: 'instructions',
      write: (message, note) => bareContent(toOpenAiResponses([message], note)),
    },
  },
});

/**
 * Turns items of the OpenAI Responses API into canonical messages: what one response holds (reasoning, texts, calls) becomes one
 * message, so that a reasoning item and the item it produced stay together; results that follow each other become another.
 * {@link toOpenAiResponses} gives equal items back. What is no item is left out.
 */
export function fromOpenAiResponses(items: readonly unknown[]): Message[] {
  const messages: Message[] = [];
  for (const item of items) {
    const message = readItem(item);
    const last = messages.at(-1);
    if (message && last && mayJoin(last, message)) {
      messages[messages.length - 1] = { ...last, content: [...last.content, ...message.content] };
    } else if (message) messages.push(message);
  }
  return messages;
}

function mayJoin(last: Message, message: Message): boolean {
  if (last.role === 'assistant' && message.role === 'assistant') return true;
  return [last, message].every(({ content }) =>
    content.every((block) => block.type === 'tool_result'),
  );
}

function createCodec(note: (name: string) => void): ReturnType<DocumentFormatParts['createCodec']> {
  const groupOf = startGroups(note);
  return {
    lists,
    prompt: { field: 'instructions', read: (value) => readText(value, 'system') },
    readField: (field, value) => {
      if (pointsElsewhere(field, value)) note('incomplete');
      const message = field === 'input' ? readText(value, 'user') : undefined;
      return message === undefined ? undefined : { kind: 'message', message };
    },
    readMessage: (value): readonly EventDraft[] => {
      const message = readItem(value);
      if (message === undefined || !isRecord(value)) return [];
      const groupId = groupOf(message, textAt(value, 'type'));
      return [{ kind: 'message', message, ...defined({ groupId }) }];
    },
  };
}

/** Names the response that an item is of, and notes what is odd about its place. */
function startGroups(
  note: (name: string) => void,
): (message: Message, type: string | undefined) => string | undefined {
  let responses = 0;
  let isOpen = false;
  let isReasoning = false;
  return ({ role }, type) => {
    if (type === 'item_reference') note('incomplete');
    const isResponse = role === 'assistant';
    if (!isResponse && isReasoning) note('reasoning without its item');
    if (isResponse && !isOpen) responses += 1;
    isOpen = isResponse;
    isReasoning = type === 'reasoning';
    return isResponse ? `response-${responses}` : undefined;
  };
}

/** Fields that say that a part of the history lies with the provider. */
function pointsElsewhere(field: string, value: unknown): boolean {
  const isNamed = field === 'previous_response_id' || field === 'conversation';
  return isNamed && value !== null && value !== '';
}

function readText(value: unknown, role: 'user' | 'system'): Message | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return { role, content: [{ type: 'text', text: value }] };
}

/** One text for a field that holds a text; else the items. */
function bareContent(items: readonly JsonRecord[]): unknown {
  const [first, ...others] = items;
  const content = first?.['content'];
  return others.length === 0 && typeof content === 'string' ? content : items;
}

const ownTypes = new Set([
  'function_call',
  'custom_tool_call',
  'computer_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'reasoning',
  'compaction',
  'item_reference',
]);

function isOwnType(type: string): boolean {
  const base = type.endsWith('_output') ? type.slice(0, -'_output'.length) : type;
  return ownTypes.has(base) || base.startsWith('mcp_');
}

function detectOpenAiResponses(head: DetectionHead): FormatEvidence | undefined {
  const { records, fields } = recordsOfHead(head, lists);
  const types = records.map((record) => textAt(record, 'type') ?? '');
  if (types.some(isOwnType)) {
    return { score: 90, reason: 'items of type function_call, reasoning or their like' };
  }
  if (records.some(hasOwnPart)) return { score: 90, reason: 'messages with input_text' };
  const { document } = head;
  if (fields.has('input')) return { score: 55, reason: 'messages in a field input' };
  const isRequest =
    isRecord(document) && typeof document['input'] === 'string' && Object.hasOwn(document, 'model');
  return isRequest ? { score: 55, reason: 'a text in a field input beside a model' } : undefined;
}

function hasOwnPart(record: JsonRecord): boolean {
  const content = Object.hasOwn(record, 'content') ? record['content'] : undefined;
  if (!isList(content) || !Object.hasOwn(record, 'role')) return false;
  return content.some(
    (part) => isRecord(part) && /^(?:input|output)_[a-z]+$/u.test(textAt(part, 'type') ?? ''),
  );
}
