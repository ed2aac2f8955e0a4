import type {
  DetectionHead,
  EventDraft,
  EventFlags,
  FormatEvidence,
  TranscriptFormat,
  Usage,
} from '../../transcript.ts';
import {
  countAt,
  defined,
  fieldOf,
  isList,
  isRecord,
  type JsonRecord,
  textAt,
} from '../../values.ts';
import { fromAnthropicMessage, toAnthropicMessage } from '../anthropic/anthropic-message.ts';
import { type DocumentFormatParts, documentFormat } from '../shared/document-format.ts';
import { messagesOfHead } from '../shared/messages-of-head.ts';

/** `api_conversation_history.json` of Cline: Anthropic messages, each with its time in ms. */
export const clineFormat: TranscriptFormat = documentFormat({
  ...partsFor(() => undefined),
  name: 'cline',
  detect: (head) => detectTimed(head, false),
});

/** `api_conversation_history.json` of Roo: as that of Cline, with marks of what was condensed and truncated. */
export const rooFormat: TranscriptFormat = documentFormat({
  ...partsFor(flagsOfRoo),
  name: 'roo',
  detect: (head) => detectTimed(head, true),
});

type FlagsOf = (record: JsonRecord) => EventFlags | undefined;

function partsFor(flagsOf: FlagsOf): Pick<DocumentFormatParts, 'createCodec' | 'writer'> {
  return {
    createCodec: () => {
      let index = -1;
      return {
        readMessage: (value) => {
          index += 1;
          return readMessage(value, { index, flagsOf });
        },
      };
    },
    writer: {
      writeMessages: (messages, note) =>
        messages.map((message) => toAnthropicMessage(message, note)),
    },
  };
}

interface Place {
  /** Index in the file: edits and ranges beside it count in these. */
  readonly index: number;
  readonly flagsOf: FlagsOf;
}

function readMessage(value: unknown, { index, flagsOf }: Place): readonly EventDraft[] {
  const message = fromAnthropicMessage(value);
  if (message === undefined || !isRecord(value)) return [];
  const at = typeof value['ts'] === 'number' ? value['ts'] : undefined;
  const model = fieldOf(value, 'modelInfo');
  const isResponse = message.role === 'assistant';
  const flags = flagsOf(value);
  return [
    {
      kind: 'message',
      id: `message-${index}`,
      message,
      ...defined({
        at,
        model: isResponse && isRecord(model) ? textAt(model, 'modelId') : undefined,
        usage: isResponse ? usageOf(fieldOf(value, 'metrics')) : undefined,
        flags,
      }),
    },
  ];
}

/** Its prompt leaves out what was cached. */
function usageOf(metrics: unknown): Usage | undefined {
  const tokens = isRecord(metrics) ? fieldOf(metrics, 'tokens') : undefined;
  if (!isRecord(tokens)) return undefined;
  const cached = countAt(tokens, 'cached');
  const input = countAt(tokens, 'prompt') + cached;
  return { input, cacheRead: cached, cacheWrite: 0, output: countAt(tokens, 'completion') };
}

function flagsOfRoo(record: JsonRecord): EventFlags | undefined {
  const flags: EventFlags = {
    ...(fieldOf(record, 'isSummary') === true ? { summary: true } : {}),
    ...(fieldOf(record, 'isTruncationMarker') === true ? { scaffold: true } : {}),
  };
  return Object.keys(flags).length === 0 ? undefined : flags;
}

const rooFields = [
  'condenseParent',
  'condenseId',
  'truncationParent',
  'truncationId',
  'isSummary',
  'isTruncationMarker',
];

function detectTimed(head: DetectionHead, isRoo: boolean): FormatEvidence | undefined {
  if (!isList(head.document)) return undefined;
  const { messages } = messagesOfHead(head);
  const isTimed = messages.some(({ record }) => typeof record['ts'] === 'number');
  if (!isTimed) return undefined;
  const hasMark = messages.some(({ record }) =>
    rooFields.some((field) => Object.hasOwn(record, field)),
  );
  if (hasMark !== isRoo) return undefined;
  return isRoo
    ? { score: 96, reason: 'messages with ts and marks of condensing' }
    : { score: 95, reason: 'messages with a numeric ts' };
}
