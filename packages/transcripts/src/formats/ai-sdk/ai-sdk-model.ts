import type { Message } from '@ctx/core';
import type { DetectionHead, FormatEvidence, TranscriptFormat } from '../../transcript.ts';
import { isList, isRecord, textAt } from '../../values.ts';
import { documentFormat } from '../shared/document-format.ts';
import { messagesOfHead } from '../shared/messages-of-head.ts';
import { fromAiSdkModelMessage } from './ai-sdk-model-read.ts';
import { toAiSdkModel } from './ai-sdk-model-write.ts';

/** A list of ModelMessages of the AI SDK (4 to 7), or an object with `messages`. */
export const aiSdkModelFormat: TranscriptFormat = documentFormat({
  name: 'ai-sdk-model',
  detect: detectAiSdkModel,
  createCodec: () => ({
    readMessage: (value) => fromAiSdkModel(value).map((message) => ({ kind: 'message', message })),
  }),
  writer: { writeMessages: toAiSdkModel },
});

/**
 * Turns one ModelMessage of the AI SDK into a canonical one: role tool becomes a user message. None where the value is no such
 * message.
 * {@link toAiSdkModel} gives an equal value back. What the provider ran itself is kept whole.
 */
export function fromAiSdkModel(value: unknown): Message[] {
  const message = fromAiSdkModelMessage(value);
  return message === undefined ? [] : [message];
}

const surePart = new Set([
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'tool-approval-response',
]);

function detectAiSdkModel(head: DetectionHead): FormatEvidence | undefined {
  const { messages } = messagesOfHead(head);
  const parts = messages
    .flatMap(({ content }) => (isList(content) ? content : []))
    .filter(isRecord);
  if (parts.some((part) => surePart.has(textAt(part, 'type') ?? ''))) {
    return { score: 92, reason: 'messages with parts tool-call or tool-result' };
  }
  const isLikely = parts.some(
    (part) =>
      (part['type'] === 'reasoning' && typeof part['text'] === 'string') ||
      (part['type'] === 'file' && typeof part['mediaType'] === 'string') ||
      isRecord(part['providerOptions']),
  );
  return isLikely
    ? { score: 70, reason: 'messages with parts reasoning or file, or with providerOptions' }
    : undefined;
}
