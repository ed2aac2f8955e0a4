import type {
  DetectionHead,
  EventDraft,
  FormatEvidence,
  TranscriptFormat,
} from '../../transcript.ts';
import { fieldOf, isJsonEqual, isList, isRecord } from '../../values.ts';
import { startOpenAiChatReader } from '../openai-chat/openai-chat-message.ts';
import { type DocumentVisitor, readDocument } from '../shared/read-document.ts';

/** Answers of ToolBench: growing lists of chat messages with legacy function calls. */
export const toolBenchFormat: TranscriptFormat = {
  name: 'toolbench',
  detect: detectToolBench,
  read: (input, options) => readDocument(input, options, visitToolBench()),
};

const listPath = '/answer_generation/train_messages';

function visitToolBench(): DocumentVisitor {
  let before: readonly unknown[] = [];
  let lists = 0;
  let reader = startOpenAiChatReader();
  return {
    enters: (path) => path === '/answer_generation' || path === listPath,
    visit: ({ path, value }) => {
      if (path !== listPath || !isList(value)) return [];
      const goesOn = before.every((record, index) => isJsonEqual(record, value[index]));
      const fresh = goesOn ? value.slice(before.length) : value;
      if (!goesOn) {
        lists += 1;
        reader = startOpenAiChatReader();
      }
      before = value;
      const lane = lists === 0 ? 'main' : `list-${lists}`;
      return fresh.map((record): EventDraft => {
        const message = reader.read(record);
        return message === undefined
          ? { kind: 'meta', lane, extra: { value: record } }
          : { kind: 'message', lane, message };
      });
    },
  };
}

function detectToolBench({ document }: DetectionHead): FormatEvidence | undefined {
  if (!isRecord(document)) return undefined;
  const answer = fieldOf(document, 'answer_generation');
  const hasMessages = isRecord(answer) && isList(fieldOf(answer, 'train_messages'));
  const hasTree = Object.hasOwn(document, 'tree') && Object.hasOwn(document, 'win');
  if (hasMessages) return { score: 90, reason: 'answer_generation with train_messages' };
  return hasTree ? { score: 80, reason: 'an answer with its tree' } : undefined;
}
