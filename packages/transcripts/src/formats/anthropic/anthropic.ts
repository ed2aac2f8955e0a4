import type { Message } from '@ctx/core';
import type {
  DetectionHead,
  EventDraft,
  FormatEvidence,
  TranscriptFormat,
} from '../../transcript.ts';
import { usageOfAnthropic } from '../../usage.ts';
import { defined, isList, isRecord, textAt } from '../../values.ts';
import { documentFormat } from '../shared/document-format.ts';
import { messagesOfHead } from '../shared/messages-of-head.ts';
import { fromAnthropicMessage, toAnthropicMessage } from './anthropic-message.ts';

/** A list of Anthropic messages, or an object with `messages` and perhaps `system`; other fields are kept. */
export const anthropicFormat: TranscriptFormat = documentFormat({
  name: 'anthropic',
  detect: detectAnthropic,
  createCodec: () => ({ readMessage, prompt: { field: 'system', read: readSystem } }),
  writer: {
    isBareList: false,
    writeMessages: (messages, note) => messages.map((message) => toAnthropicMessage(message, note)),
    prompt: {
      field: 'system',
      write: (message, note) => toAnthropicMessage(message, note)['content'],
    },
  },
});

function readMessage(value: unknown): readonly EventDraft[] {
  const message = fromAnthropicMessage(value);
  if (message === undefined || !isRecord(value)) return [];
  const model = textAt(value, 'model');
  const usage = usageOfAnthropic(value['usage']);
  return [{ kind: 'message', message, ...defined({ model, usage }) }];
}

function readSystem(value: unknown): Message | undefined {
  if (typeof value !== 'string' && !Array.isArray(value)) return undefined;
  return fromAnthropicMessage({ role: 'system', content: value });
}

const ownBlocks = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'document']);

function detectAnthropic(head: DetectionHead): FormatEvidence | undefined {
  const { messages, fields } = messagesOfHead(head);
  if (messages.length === 0) return detectPrompt(head);
  const blocks = messages.flatMap(({ content }) => (isList(content) ? content : []));
  const hasOwnBlock = blocks.some(
    (block) => isRecord(block) && ownBlocks.has(textAt(block, 'type') ?? ''),
  );
  if (hasOwnBlock)
    return { score: 90, reason: 'messages with tool_use, tool_result or thinking blocks' };
  const hasAssistantBlocks = messages.some(
    (message) => message.role === 'assistant' && Array.isArray(message.content),
  );
  if (hasAssistantBlocks)
    return { score: 60, reason: 'assistant messages whose content is a list of blocks' };
  if (fields.has('system')) return { score: 60, reason: 'messages beside a field system' };
  const hasBlocks = messages.some((message) => Array.isArray(message.content));
  return hasBlocks
    ? { score: 40, reason: 'messages whose content is a list of blocks' }
    : undefined;
}

/** The system prompt may be longer than all that is looked at. */
function detectPrompt({ document, isWhole }: DetectionHead): FormatEvidence | undefined {
  const hasPrompt = !isWhole && isRecord(document) && readSystem(document['system']) !== undefined;
  return hasPrompt ? { score: 30, reason: 'a field system and no end in sight' } : undefined;
}
