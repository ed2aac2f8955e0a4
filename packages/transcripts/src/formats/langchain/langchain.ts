import type { Message } from '@ctx/core';
import type {
  DetectionHead,
  EventDraft,
  FormatEvidence,
  TranscriptFormat,
} from '../../transcript.ts';
import { usageOfLangChain } from '../../usage.ts';
import { defined, fieldOf, isRecord, textAt } from '../../values.ts';
import { documentFormat } from '../shared/document-format.ts';
import type { ListPlaces } from '../shared/message-document.ts';
import { recordsOfHead } from '../shared/messages-of-head.ts';
import { readLangChain } from './langchain-read.ts';
import { openRecord } from './langchain-record.ts';
import { toLangChain } from './langchain-write.ts';

const lists: ListPlaces = { fields: ['messages'], messageKey: 'type' };

/** A list of serialised LangChain messages, or an object with `messages`. */
export const langChainFormat: TranscriptFormat = documentFormat({
  name: 'langchain',
  detect: detectLangChain,
  createCodec: () => ({ lists, readMessage }),
  writer: { writeMessages: toLangChain },
});

/**
 * Turns one serialised LangChain message into a canonical one: `{lc, type: 'constructor', id, kwargs}`, `{type, data}` or
 * `{type, content}`. None where the value is no such message.
 * {@link toLangChain} gives an equal value back.
 */
export function fromLangChain(value: unknown): Message[] {
  const message = readLangChain(value);
  return message === undefined ? [] : [message];
}

function readMessage(value: unknown): readonly EventDraft[] {
  const body = openRecord(value)?.body ?? {};
  const usage = usageOfLangChain(fieldOf(body, 'usage_metadata'));
  const metadata = fieldOf(body, 'response_metadata');
  const model = isRecord(metadata)
    ? (textAt(metadata, 'model_name') ?? textAt(metadata, 'model'))
    : undefined;
  return fromLangChain(value).map((message) => ({
    kind: 'message',
    message,
    ...defined({ usage, model }),
  }));
}

function detectLangChain(head: DetectionHead): FormatEvidence | undefined {
  const { records } = recordsOfHead(head, lists);
  const shapes = new Set(records.map((record) => openRecord(record)?.envelope.shape));
  if (shapes.has('constructor')) return { score: 95, reason: 'serialised message constructors' };
  if (shapes.has('stored')) return { score: 93, reason: 'messages with type and data' };
  // `{type, content}` alone says little: no message may have a role.
  const areAll = records.every((record) => !Object.hasOwn(record, 'role'));
  return shapes.has('plain') && areAll
    ? { score: 80, reason: 'messages of type human, ai, system or tool' }
    : undefined;
}
