import type { ByteSource } from '../sources/byte-source.ts';
import type {
  DetectionHead,
  FormatEvidence,
  FormatReadOptions,
  FormatWriteOptions,
  TranscriptEvent,
  TranscriptFormat,
} from '../transcript.ts';
import { defined, isList, isRecord, timeAt } from '../values.ts';
import { fromAiSdkUi, toAiSdkUi } from './ai-sdk-ui-message.ts';
import { type DocumentCodec, readMessageDocument } from './message-document.ts';
import { messagesOfHead } from './messages-of-head.ts';
import { writeMessageDocument } from './write-document.ts';

export { fromAiSdkUi, toAiSdkUi } from './ai-sdk-ui-message.ts';

/** A list of UIMessages of the AI SDK (4 to 7), or an object with `messages`. */
export const aiSdkUiFormat: TranscriptFormat = {
  name: 'ai-sdk-ui',
  detect: detectAiSdkUi,
  read: (input: ByteSource, options: FormatReadOptions): AsyncIterable<TranscriptEvent> =>
    readMessageDocument(input, options, () => codec),
  write: (events, options: FormatWriteOptions) =>
    Promise.resolve(
      writeMessageDocument(
        events,
        { format: 'ai-sdk-ui', isBareList: true, writeMessages: toAiSdkUi },
        options,
      ),
    ),
};

const codec: DocumentCodec = {
  format: 'ai-sdk-ui',
  readMessage: (value) => {
    const at = isRecord(value) ? timeAt(value, 'createdAt') : undefined;
    return fromAiSdkUi(value).map((message) => ({ kind: 'message', message, ...defined({ at }) }));
  },
};

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
