import type { EventDraft, Usage } from '../../transcript.ts';
import {
  countAt,
  defined,
  fieldOf,
  isList,
  isRecord,
  type JsonRecord,
  textAt,
  timeAt,
} from '../../values.ts';
import { geminiCodec } from './gemini-message.ts';

/** The events of a record that is a message of the user, a response, or something that was only shown. */
export function readGeminiRecord(record: JsonRecord): readonly EventDraft[] {
  const id = textAt(record, 'id');
  const identity = defined({ id, at: timeAt(record, 'timestamp') });
  const [message, results] = geminiCodec.read(record);
  if (message === undefined) return [{ kind: 'meta', ...identity, extra: { value: record } }];
  if (message.role === 'user') return [{ kind: 'message', ...identity, message }];
  const usage = usageOf(fieldOf(record, 'tokens'));
  const model = textAt(record, 'model');
  const response: EventDraft = {
    kind: 'message',
    ...identity,
    message,
    ...defined({ groupId: id, model, usage }),
  };
  if (results === undefined) return [response];
  const resultId = id === undefined ? undefined : `${id}/results`;
  return [
    response,
    { kind: 'message', ...identity, ...defined({ id: resultId }), message: results },
  ];
}

/** Input holds what was cached; what the model thought is output, too. */
function usageOf(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const thoughts = countAt(value, 'thoughts');
  return {
    input: countAt(value, 'input') + countAt(value, 'tool'),
    cacheRead: countAt(value, 'cached'),
    cacheWrite: 0,
    output: countAt(value, 'output') + thoughts,
    ...(thoughts === 0 ? {} : { reasoning: thoughts }),
  };
}

/** What was seen of a file so far. */
export interface GeminiState {
  readonly ids: Set<string>;
  lane: string;
  readonly note: (name: string) => void;
}

/** The events of one line. */
export function readGeminiLine(record: JsonRecord, state: GeminiState): readonly EventDraft[] {
  const { lane } = state;
  if (Object.hasOwn(record, '$rewindTo')) return [readRewind(record, state)];
  const set = fieldOf(record, '$set');
  if (isRecord(set)) return readSet(record, set, state);
  const sessionId = textAt(record, 'sessionId');
  if (sessionId !== undefined && !Object.hasOwn(record, 'type')) {
    if (fieldOf(record, 'kind') === 'subagent') state.lane = sessionId;
    return [{ kind: 'meta', lane: state.lane, extra: { value: record, sessionId } }];
  }
  const id = textAt(record, 'id');
  if (id !== undefined) state.ids.add(id);
  return readGeminiRecord(record).map((draft) => ({ ...draft, lane }));
}

function readRewind(record: JsonRecord, { ids, lane, note }: GeminiState): EventDraft {
  const target = textAt(record, '$rewindTo');
  if (target === undefined || !ids.has(target)) note('rewind to an unknown id clears everything');
  return { kind: 'rewind', lane, ...defined({ rewindTo: target }), extra: { value: record } };
}

/** New metadata; where it holds messages, they take the place of the whole history. */
function readSet(
  record: JsonRecord,
  set: JsonRecord,
  { ids, lane }: GeminiState,
): readonly EventDraft[] {
  const messages = fieldOf(set, 'messages');
  if (!isList(messages)) return [{ kind: 'meta', lane, extra: { value: record } }];
  const boundary: EventDraft = {
    kind: 'boundary',
    lane,
    boundary: { trigger: 'unknown' },
    extra: { value: record },
  };
  const replaced = messages.filter(isRecord).flatMap((message): readonly EventDraft[] => {
    const id = textAt(message, 'id');
    const isNew = id === undefined || !ids.has(id);
    if (id !== undefined) ids.add(id);
    return readGeminiRecord(message).map((draft) => {
      const { extra: _, ...rest } = draft;
      const isSummary = isNew && draft.message !== undefined;
      return { ...rest, lane, ...(isSummary ? { flags: { summary: true } } : {}) };
    });
  });
  return [boundary, ...replaced];
}
