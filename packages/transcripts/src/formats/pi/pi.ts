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
  isRecord,
  type JsonRecord,
  textAt,
  timeAt,
  withoutKeys,
} from '../../values.ts';
import { envelopeOf } from '../shared/envelope.ts';
import { type LineCodec, lineFormat } from '../shared/line-format.ts';
import type { NoteLoss } from '../shared/note-loss.ts';
import { readPiMessage, writePiMessage } from './pi-message.ts';
import { type PiTree, startPiTree } from './pi-tree.ts';

/** The session files of pi: entries in a line (version 1) or in a tree (versions 2 and 3). */
export const piFormat: TranscriptFormat = lineFormat({ name: 'pi', detect: detectPi, createCodec });

function createCodec(): LineCodec {
  const tree = startPiTree();
  return {
    read: (record) => {
      const drafts = readEntry(record, tree);
      tree.add(record);
      return drafts;
    },
    write: writeEntry,
  };
}

function readEntry(record: JsonRecord, tree: PiTree): readonly EventDraft[] {
  switch (fieldOf(record, 'type')) {
    case 'session':
      return [
        {
          ...otherEvent(record),
          extra: { record, ...defined({ sessionId: textAt(record, 'id') }) },
        },
      ];
    case 'message':
      return [readMessage(record)];
    case 'custom_message':
      return [readCustom(record)];
    case 'compaction':
      return readCompaction(record, tree);
    case 'branch_summary':
      return [readSummary(record, { summary: true }) ?? otherEvent(record)];
    default:
      return [otherEvent(record)];
  }
}

/** What ties an entry into the tree. */
function identityOf(record: JsonRecord): Pick<EventDraft, 'id' | 'parentId' | 'at'> {
  return defined({
    id: textAt(record, 'id'),
    parentId: textAt(record, 'parentId'),
    at: timeAt(record, 'timestamp'),
  });
}

function otherEvent(record: JsonRecord): EventDraft {
  return { kind: 'meta', ...identityOf(record), extra: { record } };
}

function readMessage(record: JsonRecord): EventDraft {
  const value = fieldOf(record, 'message');
  const message = isRecord(value) ? readPiMessage(value) : undefined;
  if (!isRecord(value) || message === undefined) return otherEvent(record);
  const own = message.role === 'assistant' ? responseOf(value) : requestOf(value);
  const extra = { record: withoutKeys(record, ['message']) ?? {} };
  return { kind: 'message', ...identityOf(record), message, ...own, extra };
}

function responseOf(value: JsonRecord): Pick<EventDraft, 'model' | 'usage' | 'flags'> {
  const stop = fieldOf(value, 'stopReason');
  const flags: EventFlags | undefined =
    stop === 'error' || stop === 'aborted' ? { error: true } : undefined;
  const usage = usageOf(fieldOf(value, 'usage'));
  return defined({ model: textAt(value, 'model'), usage, flags });
}

function requestOf(value: JsonRecord): Pick<EventDraft, 'flags'> {
  return fieldOf(value, 'role') === 'custom' ? { flags: { scaffold: true } } : {};
}

/** Its `input` leaves out what was cached. */
function usageOf(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const cacheRead = countAt(value, 'cacheRead');
  const cacheWrite = countAt(value, 'cacheWrite');
  const input = countAt(value, 'input') + cacheRead + cacheWrite;
  return { input, cacheRead, cacheWrite, output: countAt(value, 'output') };
}

/** A message of an extension, its content beside the entry's own fields. */
function readCustom(record: JsonRecord): EventDraft {
  const message = readPiMessage({ role: 'custom', content: fieldOf(record, 'content') });
  if (message === undefined) return otherEvent(record);
  return {
    kind: 'message',
    ...identityOf(record),
    message,
    flags: { scaffold: true },
    extra: { record: withoutKeys(record, ['content']) ?? {}, place: 'content' },
  };
}

function readSummary(record: JsonRecord, flags: EventFlags): EventDraft | undefined {
  const text = textAt(record, 'summary');
  if (text === undefined) return undefined;
  return {
    kind: 'message',
    ...identityOf(record),
    message: { role: 'user', content: [{ type: 'text', text }] },
    flags,
    extra: { record: withoutKeys(record, ['summary']) ?? {} },
  };
}

/** The summary takes the id of the entry, so that what follows it hangs on it; the boundary stands before. */
function readCompaction(record: JsonRecord, tree: PiTree): readonly EventDraft[] {
  const keepIds = tree.keptBy(record);
  const tokensBefore = countAt(record, 'tokensBefore');
  const summary = readSummary(record, { summary: true });
  const { id, ...identity } = identityOf(record);
  const boundaryId = id === undefined ? undefined : `${id}/boundary`;
  const boundary: EventDraft = {
    kind: 'boundary',
    ...identity,
    ...defined({ id: boundaryId }),
    boundary: {
      trigger: 'unknown',
      ...(tokensBefore === 0 ? {} : { tokensBefore }),
      ...(keepIds.length === 0 ? {} : { keepIds }),
    },
    extra: { record: summary === undefined ? record : (withoutKeys(record, ['summary']) ?? {}) },
  };
  if (summary === undefined) return [boundary];
  const { parentId: _, extra: _extra, ...rest } = summary;
  return [boundary, { ...rest, ...defined({ parentId: boundaryId }) }];
}

function writeEntry(events: readonly EventDraft[], note: NoteLoss): JsonRecord | undefined {
  const [first] = events;
  const spoken = events.find((event) => event.message !== undefined);
  const record = envelopeOf(first);
  if (spoken?.message === undefined) return record;
  if (spoken.flags?.summary === true) {
    const [block] = spoken.message.content;
    return block?.type === 'text' ? { ...record, summary: block.text } : undefined;
  }
  const written = writePiMessage(spoken.message, note);
  return first?.extra?.['place'] === 'content'
    ? { ...record, content: written['content'] }
    : { ...record, message: written };
}

const roles = new Set(['user', 'assistant', 'toolResult', 'bashExecution', 'custom']);

function detectPi({ lines }: DetectionHead): FormatEvidence | undefined {
  const [first] = lines;
  const isSession =
    first?.['type'] === 'session' && Object.hasOwn(first, 'cwd') && Object.hasOwn(first, 'id');
  if (isSession) return { score: 95, reason: 'a first line of type session with id and cwd' };
  const hasMessage = lines.some((line) => {
    const message = line['type'] === 'message' ? line['message'] : undefined;
    return (
      isRecord(message) && roles.has(textAt(message, 'role') ?? '') && !Object.hasOwn(line, 'uuid')
    );
  });
  return hasMessage ? { score: 75, reason: 'lines of type message with a message' } : undefined;
}
