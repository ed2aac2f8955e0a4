import type { DetectionHead, FormatEvidence, TranscriptFormat } from '../../transcript.ts';
import { isList, isRecord } from '../../values.ts';
import { documentFormat } from '../shared/document-format.ts';
import { messagesOfHead } from '../shared/messages-of-head.ts';
import { readTimed } from '../shared/read-timed.ts';
import { fromMastra, toMastra } from './mastra-message.ts';

/** A list of messages of Mastra's storage (content of format 2), or an object with `messages`. */
export const mastraFormat: TranscriptFormat = documentFormat({
  name: 'mastra',
  detect: detectMastra,
  createCodec: () => ({ readMessage: readTimed(fromMastra) }),
  writer: { writeMessages: toMastra },
});

function detectMastra(head: DetectionHead): FormatEvidence | undefined {
  const { messages } = messagesOfHead(head);
  const isMastra = messages.some(
    ({ content }) => isRecord(content) && content['format'] === 2 && isList(content['parts']),
  );
  return isMastra ? { score: 95, reason: 'messages whose content is of format 2' } : undefined;
}
