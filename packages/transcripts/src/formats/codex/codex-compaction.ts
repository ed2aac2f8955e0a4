import type { Message } from '@ctx/core';
import type { EventDraft } from '../../transcript.ts';
import {
  defined,
  fieldOf,
  isList,
  type JsonRecord,
  textAt,
  timeAt,
  withoutKeys,
} from '../../values.ts';
import { type CodexPlaces, eventOfItem } from './codex-item.ts';

/** What stays in view when a compaction names no replacement: the context that stood first, and the newest of the user. */
export interface CodexKept {
  readonly add: (event: EventDraft) => void;
  readonly ids: () => readonly string[];
}

/** How much of the newest user messages outlives a compaction, tokens of four bytes. */
const keptUserTokens = 20_000;

/** Starts to watch the messages of a file. Holds no more than the ids of what a compaction would keep. */
export function startCodexKept(): CodexKept {
  const initial: string[] = [];
  let users: { id: string; tokens: number }[] = [];
  let hasBegun = false;
  return {
    add: ({ id, message, flags = {} }) => {
      if (id === undefined || message === undefined) return;
      const isContext = message.role === 'system' || flags.scaffold === true;
      if (!isContext) hasBegun = true;
      else if (!hasBegun) initial.push(id);
      const isOwn = !isContext && flags.summary === undefined;
      const tokens = isOwn ? tokensOfUser(message) : 0;
      if (tokens > 0) users = newest([...users, { id, tokens }]);
    },
    ids: () => [...initial, ...users.map(({ id }) => id)],
  };
}

/** About how many tokens the user wrote; none in a message that is not the user's. */
function tokensOfUser({ role, content }: Message): number {
  if (role !== 'user') return 0;
  const texts = content.map((block) => (block.type === 'text' ? block.text.length : 0));
  return Math.ceil(texts.reduce((sum, length) => sum + length, 0) / 4);
}

function newest(
  users: readonly { id: string; tokens: number }[],
): { id: string; tokens: number }[] {
  let left = keptUserTokens;
  const first = users.findLastIndex(({ tokens }) => {
    const isOver = left <= 0;
    left -= tokens;
    return isOver;
  });
  return users.slice(first + 1);
}

/** The events of a `compacted` record: the boundary, and what took the place of the history. */
export function readCompacted(
  record: JsonRecord,
  payload: JsonRecord,
  { places, kept }: { readonly places: CodexPlaces; readonly kept: CodexKept },
): EventDraft[] {
  const at = timeAt(record, 'timestamp');
  const history = fieldOf(payload, 'replacement_history');
  const rest = {
    ...withoutKeys(record, ['payload']),
    payload: withoutKeys(payload, ['message', 'replacement_history']) ?? {},
  };
  const text = textAt(payload, 'message');
  const isReplaced = isList(history);
  const keepIds = isReplaced ? [] : kept.ids();
  const boundary: EventDraft = {
    kind: 'boundary',
    ...defined({ at }),
    boundary: {
      trigger: 'unknown',
      ...(keepIds.length === 0 ? {} : { keepIds, keptBefore: keepIds.length }),
    },
    extra: {
      record: rest,
      ...(isReplaced ? { replaced: true, ...defined({ message: text }) } : {}),
    },
  };
  if (isReplaced) {
    const replaced = history.map((item) => eventOfItem(item, {}, places));
    return [boundary, ...replaced.map((draft) => asSummary(draft, at))];
  }
  if (text === undefined) return [boundary];
  const message = { role: 'user' as const, content: [{ type: 'text' as const, text }] };
  const draft = { kind: 'message' as const, id: places.nextId(), message };
  return [boundary, asSummary(draft, at)];
}

/** What stands for a removed history is no new request of the user and no new response. */
function asSummary(draft: EventDraft, at: number | undefined): EventDraft {
  if (draft.message === undefined) return draft;
  const { groupId: _, model: _model, ...rest } = draft;
  return { ...rest, ...defined({ at }), flags: { ...draft.flags, summary: true } };
}
