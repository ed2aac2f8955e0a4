import { type ByteSource, peekHead } from '../../sources/byte-source.ts';
import { completeJson } from '../../sources/complete-json.ts';
import type {
  DetectionHead,
  EventDraft,
  FormatEvidence,
  FormatReadOptions,
  FormatWriteOptions,
  TranscriptEvent,
  TranscriptFormat,
} from '../../transcript.ts';
import { isList, isRecord, type JsonRecord, textAt } from '../../values.ts';
import { documentFormat } from '../shared/document-format.ts';
import { type LineCodec, lineFormat } from '../shared/line-format.ts';
import type { NoteLoss } from '../shared/note-loss.ts';
import { geminiCodec } from './gemini-message.ts';
import { geminiCli } from './gemini-part.ts';
import { readGeminiLine, readGeminiRecord } from './gemini-record.ts';

const lineParts = lineFormat({ name: geminiCli, detect: detectGemini, createCodec });

const documentParts = documentFormat({
  name: geminiCli,
  detect: detectGemini,
  createCodec: () => ({
    lists: { fields: ['messages'], messageKey: 'type' },
    readMessage: (value) => (isRecord(value) ? readGeminiRecord(value) : []),
  }),
  writer: { isBareList: false, writeMessages: geminiCodec.write },
});

/** The session files of Gemini CLI: records in lines, or one object in older versions. */
export const geminiCliFormat: TranscriptFormat = {
  name: geminiCli,
  detect: detectGemini,
  read: readGemini,
  write: async (events, options) => {
    const format = events.some(isDocument) ? documentParts : lineParts;
    return format.write?.(events, options) ?? new Uint8Array();
  },
  writeLines: writeGeminiLines,
};

/** Tells the event that begins a session of the older form. */
function isDocument({ extra }: TranscriptEvent): boolean {
  return extra?.['document'] === 'object';
}

/** Writes lines as their events come; a session that is one document is held. */
async function* writeGeminiLines(
  events: AsyncIterable<TranscriptEvent>,
  options: Omit<FormatWriteOptions, 'source'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return;
  const all = startingWith(first.value, iterator);
  if (!isDocument(first.value)) yield* lineParts.writeLines?.(all, options) ?? [];
  else {
    const held: TranscriptEvent[] = [];
    for await (const event of all) held.push(event);
    yield (await documentParts.write?.(held, options)) ?? new Uint8Array();
  }
}

async function* startingWith<Item>(
  first: Item,
  rest: AsyncIterator<Item>,
): AsyncGenerator<Item, void, undefined> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

async function* readGemini(
  input: ByteSource,
  options: FormatReadOptions,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  const peeked = await peekHead(input, headBytes);
  const start = new TextDecoder().decode(peeked.head).trimStart();
  const [line = ''] = start.split('\n', 1);
  const first = completeJson(line.trim());
  const isWhole = isRecord(first) && !isList(first['messages']) && line.trim().endsWith('}');
  const format = isWhole || !start.startsWith('{') ? lineParts : documentParts;
  yield* format.read(peeked.input, options);
}

const headBytes = 65_536;

function createCodec(note: (name: string) => void): LineCodec {
  const state = { ids: new Set<string>(), lane: 'main', note };
  return { read: (record) => readGeminiLine(record, state), write: writeLine };
}

function writeLine(events: readonly EventDraft[], note: NoteLoss): JsonRecord | undefined {
  const value = events[0]?.extra?.['value'];
  if (isRecord(value)) return value;
  const messages = events.flatMap(({ message }) => (message ? [message] : []));
  const [record] = geminiCodec.write(messages, note);
  return isRecord(record) ? record : undefined;
}

function detectGemini({ lines, document }: DetectionHead): FormatEvidence | undefined {
  const isSession = (value: unknown): boolean =>
    isRecord(value) && Object.hasOwn(value, 'sessionId') && Object.hasOwn(value, 'projectHash');
  if (lines.some(isSession) || isSession(document)) {
    return { score: 95, reason: 'sessionId and projectHash' };
  }
  const hasCommand = lines.some(
    (line) => Object.hasOwn(line, '$rewindTo') || isRecord(line['$set']),
  );
  const hasResponse = lines.some(
    (line) => textAt(line, 'type') === 'gemini' && Object.hasOwn(line, 'id'),
  );
  return hasCommand || hasResponse
    ? { score: 80, reason: 'records of type gemini, $set or $rewindTo' }
    : undefined;
}
