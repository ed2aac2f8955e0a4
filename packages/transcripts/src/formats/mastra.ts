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
import { fromMastra, toMastra } from './mastra-message.ts';
import { type DocumentCodec, readMessageDocument } from './message-document.ts';
import { messagesOfHead } from './messages-of-head.ts';
import { writeMessageDocument } from './write-document.ts';

export { fromMastra, toMastra } from './mastra-message.ts';

/** A list of messages of Mastra's storage (content of format 2), or an object with `messages`. */
export const mastraFormat: TranscriptFormat = {
  name: 'mastra',
  detect: detectMastra,
  read: (input: ByteSource, options: FormatReadOptions): AsyncIterable<TranscriptEvent> =>
    readMessageDocument(input, options, () => codec),
  write: (events, options: FormatWriteOptions) =>
    Promise.resolve(
      writeMessageDocument(
        events,
        { format: 'mastra', isBareList: true, writeMessages: toMastra },
        options,
      ),
    ),
};

const codec: DocumentCodec = {
  format: 'mastra',
  readMessage: (value) => {
    const at = isRecord(value) ? timeAt(value, 'createdAt') : undefined;
    return fromMastra(value).map((message) => ({ kind: 'message', message, ...defined({ at }) }));
  },
};

function detectMastra(head: DetectionHead): FormatEvidence | undefined {
  const { messages } = messagesOfHead(head);
  const isMastra = messages.some(
    ({ content }) => isRecord(content) && content['format'] === 2 && isList(content['parts']),
  );
  return isMastra ? { score: 95, reason: 'messages whose content is of format 2' } : undefined;
}
