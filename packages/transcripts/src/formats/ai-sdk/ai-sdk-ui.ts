import type { DetectionHead, FormatEvidence, TranscriptFormat } from '../../transcript.ts';
import { isList, isRecord } from '../../values.ts';
import { documentFormat } from '../shared/document-format.ts';
import { messagesOfHead } from '../shared/messages-of-head.ts';
import { readTimed } from '../shared/read-timed.ts';
import { fromAiSdkUi, toAiSdkUi } from './ai-sdk-ui-message.ts';

/** A list of UIMessages of the AI SDK (4 to 7), or an object with `messages`. */
export const aiSdkUiFormat: TranscriptFormat = documentFormat({
  name: 'ai-sdk-ui',
  detect: detectAiSdkUi,
  createCodec: () => ({ readMessage: readTimed(fromAiSdkUi) }),
  writer: { writeMessages: toAiSdkUi },
});

function detectAiSdkUi(head: DetectionHead): FormatEvidence | undefined {
  const { messages } = messagesOfHead(head);
  if (messages.some(({ record }) => isList(record['toolInvocations']))) {
    return { score: 92, reason: 'messages with toolInvocations' };
  }
  const lists = messages.map(({ record }) => record['parts']).filter((parts) => isList(parts));
  if (lists.length === 0) return undefined;
  const parts = lists.flat();
  const areTyped =
    parts.length === 0 || parts.some((part) => isRecord(part) && typeof part['type'] === 'string');
  return areTyped ? { score: 92, reason: 'messages with typed parts' } : undefined;
}
