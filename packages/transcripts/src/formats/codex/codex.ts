import type {
  DetectionHead,
  EventDraft,
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
import { toOpenAiResponses } from '../openai-responses/openai-responses-write.ts';
import { envelopeOf } from '../shared/envelope.ts';
import { type LineCodec, lineFormat } from '../shared/line-format.ts';
import type { NoteLoss } from '../shared/note-loss.ts';
import { readCompacted, startCodexKept } from './codex-compaction.ts';
import { eventOfItem, promptOf, startCodexPlaces } from './codex-item.ts';

/** The rollout files of Codex: records in envelopes, and the bare items of older files. */
export const codexFormat: TranscriptFormat = lineFormat({
  name: 'codex',
  detect: detectCodex,
  createCodec,
});

function createCodec(): LineCodec {
  const places = startCodexPlaces();
  const kept = startCodexKept();
  const readRecord = (record: JsonRecord): readonly EventDraft[] => {
    const payload = fieldOf(record, 'payload');
    if (!isRecord(payload)) return [readBare(record, places)];
    const rest = withoutKeys(record, ['payload']) ?? {};
    switch (fieldOf(record, 'type')) {
      case 'session_meta':
        return [readMeta(record, payload)];
      case 'turn_context':
        places.model = textAt(payload, 'model') ?? places.model;
        return [otherEvent(record)];
      case 'response_item':
        return [eventOfItem(payload, rest, places)];
      case 'compacted':
        return readCompacted(record, payload, { places, kept });
      case 'event_msg':
        return [readDisplay(record, payload, places.lastGroup())];
      default:
        return [otherEvent(record)];
    }
  };
  return {
    read: (record) => {
      const drafts = readRecord(record);
      for (const draft of drafts) kept.add(draft);
      return drafts;
    },
    write: writeRecord,
  };
}

/** A record of an older file: a bare item, the session itself, or a state of the tool. */
function readBare(record: JsonRecord, places: ReturnType<typeof startCodexPlaces>): EventDraft {
  if (Object.hasOwn(record, 'record_type') || Object.hasOwn(record, 'payload')) {
    return otherEvent(record);
  }
  const isItem = Object.hasOwn(record, 'type') || Object.hasOwn(record, 'role');
  return isItem ? withBare(eventOfItem(record, {}, places)) : readMeta(record, record);
}

function withBare(draft: EventDraft): EventDraft {
  return { ...draft, extra: { ...draft.extra, bare: true } };
}

function readMeta(record: JsonRecord, meta: JsonRecord): EventDraft {
  const prompt = promptOf(meta);
  const sessionId = textAt(meta, 'id');
  const at = timeAt(record, 'timestamp');
  const named = defined({ sessionId });
  if (prompt === undefined) return { ...otherEvent(record), extra: { record, ...named } };
  const { field, form, message } = prompt;
  const rest = withoutKeys(meta, [field]) ?? {};
  return {
    kind: 'message',
    message,
    ...defined({ at }),
    flags: { prompt: true },
    extra: {
      record: meta === record ? rest : { ...record, payload: rest },
      prompt: { field, form },
      ...named,
    },
  };
}

function otherEvent(record: JsonRecord): EventDraft {
  return { kind: 'meta', ...defined({ at: timeAt(record, 'timestamp') }), extra: { record } };
}

/** What the tool showed. Its texts stand in response items too; only the usage is nowhere else. */
function readDisplay(
  record: JsonRecord,
  payload: JsonRecord,
  groupId: string | undefined,
): EventDraft {
  const info = fieldOf(payload, 'info');
  const last = isRecord(info) ? fieldOf(info, 'last_token_usage') : undefined;
  const draft = otherEvent(record);
  if (fieldOf(payload, 'type') !== 'token_count' || !isRecord(last)) return draft;
  return { ...draft, kind: 'usage', ...defined({ groupId }), usage: usageOf(last) };
}

/** Cached tokens are part of the input here. */
function usageOf(usage: JsonRecord): Usage {
  const reasoning = countAt(usage, 'reasoning_output_tokens');
  return {
    input: countAt(usage, 'input_tokens'),
    cacheRead: countAt(usage, 'cached_input_tokens'),
    cacheWrite: 0,
    output: countAt(usage, 'output_tokens'),
    ...(reasoning === 0 ? {} : { reasoning }),
  };
}

function writeRecord(events: readonly EventDraft[], note: NoteLoss): JsonRecord | undefined {
  const [first, ...others] = events;
  if (first === undefined) return undefined;
  if (first.kind === 'boundary') return writeCompacted(first, others, note);
  const record = envelopeOf(first);
  const { message, extra = {} } = first;
  if (message === undefined) {
    return Object.hasOwn(extra, 'payload') ? { ...record, payload: extra['payload'] } : record;
  }
  if (isRecord(extra['prompt'])) return writePrompt(first, extra['prompt']);
  const [item] = toOpenAiResponses([message], note);
  if (item === undefined || extra['bare'] === true) return item;
  return { ...record, payload: asPayload(item) };
}

/** Messages are written out in full here. */
function asPayload(item: JsonRecord): JsonRecord {
  const { role, content } = item;
  if (Object.hasOwn(item, 'type') || typeof content !== 'string') return item;
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return { type: 'message', ...item, content: [{ type, text: content }] };
}

function writePrompt(event: EventDraft, { field, form }: JsonRecord): JsonRecord | undefined {
  const record = envelopeOf(event);
  const block = event.message?.content[0];
  if (typeof field !== 'string' || block?.type !== 'text') return undefined;
  const value = form === 'object' ? { text: block.text } : block.text;
  const { payload } = record;
  return isRecord(payload)
    ? { ...record, payload: { ...payload, [field]: value } }
    : { ...record, [field]: value };
}

function writeCompacted(
  boundary: EventDraft,
  others: readonly EventDraft[],
  note: NoteLoss,
): JsonRecord {
  const record = envelopeOf(boundary);
  const payload = isRecord(record['payload']) ? record['payload'] : {};
  const replaced = others.flatMap(({ message }) => (message ? [message] : []));
  if (boundary.extra?.['replaced'] !== true) {
    const block = replaced[0]?.content[0];
    const text = block?.type === 'text' ? { message: block.text } : {};
    return { ...record, payload: { ...payload, ...text } };
  }
  const message = boundary.extra['message'];
  const history = toOpenAiResponses(replaced, note);
  const text = message === undefined ? {} : { message };
  return { ...record, payload: { ...payload, ...text, replacement_history: history } };
}

const envelopes = new Set([
  'session_meta',
  'response_item',
  'turn_context',
  'event_msg',
  'compacted',
  'world_state',
  'inter_agent_communication',
]);
const bareItems = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'local_shell_call',
  'custom_tool_call',
  'custom_tool_call_output',
  'web_search_call',
]);

function detectCodex({ lines }: DetectionHead): FormatEvidence | undefined {
  const isEnveloped = lines.some(
    (line) => isRecord(line['payload']) && envelopes.has(textAt(line, 'type') ?? ''),
  );
  if (isEnveloped) return { score: 95, reason: 'lines of timestamp, type and payload' };
  const [first, ...others] = lines;
  const isSession =
    first !== undefined &&
    !Object.hasOwn(first, 'type') &&
    Object.hasOwn(first, 'id') &&
    Object.hasOwn(first, 'timestamp');
  const hasItems = others.some(
    (line) => bareItems.has(textAt(line, 'type') ?? '') || Object.hasOwn(line, 'record_type'),
  );
  if (!isSession || (others.length > 0 && !hasItems)) return undefined;
  if (hasItems) return { score: 90, reason: 'a line of a session, then bare items' };
  const isAlone = Object.hasOwn(first, 'instructions');
  return isAlone ? { score: 60, reason: 'a line of a session with instructions' } : undefined;
}
