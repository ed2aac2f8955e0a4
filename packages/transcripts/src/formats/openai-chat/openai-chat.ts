import type {
  DetectionHead,
  EventDraft,
  FormatEvidence,
  TranscriptFormat,
} from '../../transcript.ts';
import { usageOfOpenAi } from '../../usage.ts';
import { defined, isRecord, textAt } from '../../values.ts';
import { type DocumentFormatParts, documentFormat } from '../shared/document-format.ts';
import { messagesOfHead } from '../shared/messages-of-head.ts';
import { startOpenAiChatReader } from './openai-chat-message.ts';
import { toOpenAiChat } from './openai-chat-write.ts';

/** A list of OpenAI chat messages, an object with `messages`, or a list of such objects. */
export const openAiChatFormat: TranscriptFormat = documentFormat({
  name: 'openai-chat',
  detect: detectOpenAiChat,
  createCodec,
  writer: { writeMessages: toOpenAiChat },
});

function createCodec(): ReturnType<DocumentFormatParts['createCodec']> {
  const reader = startOpenAiChatReader();
  return {
    readMessage: (value): readonly EventDraft[] => {
      const message = reader.read(value);
      if (message === undefined || !isRecord(value)) return [];
      const model = textAt(value, 'model');
      const usage = usageOfOpenAi(value['usage']);
      return [{ kind: 'message', message, ...defined({ model, usage }) }];
    },
  };
}

function detectOpenAiChat(head: DetectionHead): FormatEvidence | undefined {
  const { messages } = messagesOfHead(head);
  if (messages.length === 0) return undefined;
  const hasOwnField = messages.some(
    ({ role, record }) =>
      (role === 'tool' && Object.hasOwn(record, 'tool_call_id')) ||
      Array.isArray(record['tool_calls']) ||
      role === 'function' ||
      isRecord(record['function_call']),
  );
  if (hasOwnField) return { score: 90, reason: 'messages with tool_calls or role tool' };
  if (messages.some(({ role }) => role === 'developer')) {
    return { score: 85, reason: 'messages of role developer' };
  }
  const areStrings = messages.every(
    ({ content }) => typeof content === 'string' || content === null,
  );
  return areStrings ? { score: 50, reason: 'messages whose content is text' } : undefined;
}
