import type {
  DetectionHead,
  EventDraft,
  FormatEvidence,
  TranscriptFormat,
} from '../../transcript.ts';
import { fieldOf, isList, isRecord } from '../../values.ts';
import { type DocumentVisitor, readDocument } from '../shared/read-document.ts';
import { type OpenCodeReader, startOpenCode } from './opencode-session.ts';

/** Exported sessions of opencode: `info` and `messages`, each with `info` and `parts`. */
export const openCodeFormat: TranscriptFormat = {
  name: 'opencode',
  detect: detectOpenCode,
  read: (input, options) => readDocument(input, options, visitExport()),
};

function visitExport(): DocumentVisitor {
  let reader: OpenCodeReader | undefined;
  return {
    enters: (path) => path === '/messages',
    visit: ({ path, key, value }): readonly EventDraft[] => {
      if (path === '' && key === 'info' && isRecord(value)) {
        reader = startOpenCode(value);
        return [reader.start()];
      }
      const info = isRecord(value) ? fieldOf(value, 'info') : undefined;
      const parts = isRecord(value) ? fieldOf(value, 'parts') : undefined;
      if (path !== '/messages' || !isRecord(info) || !isList(parts)) return [];
      reader ??= startOpenCode({});
      return reader.readMessage(
        info,
        parts.map((part) => (isRecord(part) ? part : { value: part })),
      );
    },
  };
}

function detectOpenCode({ document, text }: DetectionHead): FormatEvidence | undefined {
  if (text.startsWith('SQLite format 3\0')) return undefined;
  const messages = isRecord(document) ? fieldOf(document, 'messages') : undefined;
  const hasParts =
    isList(messages) &&
    messages.some((one) => isRecord(one) && isRecord(one['info']) && isList(one['parts']));
  return hasParts ? { score: 92, reason: 'messages of info and parts' } : undefined;
}
