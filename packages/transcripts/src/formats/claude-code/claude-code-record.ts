import type { Message } from '@ctx/core';
import type { Boundary, EventDraft, EventFlags } from '../../transcript.ts';
import { usageOfAnthropic } from '../../usage.ts';
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
import { fromAnthropicMessage, toAnthropicMessage } from '../anthropic/anthropic-message.ts';
import type { NoteLoss } from '../shared/note-loss.ts';

/**
 * The event of one line of a Claude Code file. Types that are not known are `meta`, never an error.
 * `extra.record` is the line without its message and without `toolUseResult`, a richer copy of the result that
 * can be several times as large: it stays in the file, and `extra.toolUseResult` says that there is one. Where the whole result
 * stands in a file of its own, `extra.persistedOutputPath` names it; nothing is read from there.
 */
export function eventOfRecord(record: JsonRecord, lane: string): EventDraft {
  const common = commonOf(record, lane);
  const boundary = boundaryOf(record);
  if (boundary) return { kind: 'boundary', ...common, boundary };
  const raw = fieldOf(record, 'message');
  const message = messageOf(record, raw);
  if (message && isRecord(raw)) {
    addResponse(common, record, raw);
    return Object.assign(common, { kind: 'message' as const, message });
  }
  if (raw !== undefined) common.extra = { ...common.extra, message: raw };
  return Object.assign(common, { kind: 'meta' as const });
}

/** An event that is being made: one object, since copies of objects take most of the time that a record takes. */
type Draft = { -readonly [Key in keyof Omit<EventDraft, 'kind'>]: EventDraft[Key] };

function commonOf(record: JsonRecord, lane: string): Draft {
  const draft: Draft = { lane };
  const id = textAt(record, 'uuid');
  const parentId = textAt(record, 'parentUuid') ?? textAt(record, 'logicalParentUuid');
  const at = timeAt(record, 'timestamp');
  if (id !== undefined) draft.id = id;
  if (parentId !== undefined) draft.parentId = parentId;
  if (at !== undefined) draft.at = at;
  draft.extra = extraOf(record);
  return draft;
}

/** The message of a user or assistant line; its role must be that of the line. */
function messageOf(record: JsonRecord, raw: unknown): Message | undefined {
  const type = fieldOf(record, 'type');
  const message = fromAnthropicMessage(raw);
  const isSpoken = type === 'user' || type === 'assistant';
  return isSpoken && message?.role === type ? asRecorded(message) : undefined;
}

function addResponse(draft: Draft, record: JsonRecord, raw: JsonRecord): void {
  const isResponse = fieldOf(record, 'type') !== 'user';
  const groupId = isResponse ? (textAt(raw, 'id') ?? textAt(record, 'requestId')) : undefined;
  const usage = isResponse ? usageOfAnthropic(raw['usage']) : undefined;
  const model = textAt(raw, 'model');
  const flags = flagsOf(record, model);
  if (groupId !== undefined) draft.groupId = groupId;
  if (model !== undefined) draft.model = model;
  if (usage !== undefined) draft.usage = usage;
  if (flags !== undefined) draft.flags = flags;
}

/** The fields around the content belong to this format: an Anthropic request would be refused with them. */
function asRecorded(message: Message): Message {
  if (message.extra === undefined) return message;
  return { ...message, extra: { ...message.extra, format: 'claude-code' } };
}

/** The message of a line again. */
export function toRecordedMessage(message: Message, note: NoteLoss): JsonRecord {
  if (message.extra?.format !== 'claude-code') return toAnthropicMessage(message, note);
  return toAnthropicMessage({ ...message, extra: { ...message.extra, format: 'anthropic' } }, note);
}

/** What is not kept in `extra.record`. */
const besideRecord = ['message', 'toolUseResult'];

function extraOf(record: JsonRecord): Record<string, unknown> {
  const kept = withoutKeys(record, besideRecord) ?? {};
  if (!Object.hasOwn(record, 'toolUseResult')) return { record: kept };
  const result = record['toolUseResult'];
  const path = isRecord(result) ? textAt(result, 'persistedOutputPath') : undefined;
  return { record: kept, toolUseResult: true, ...defined({ persistedOutputPath: path }) };
}

function flagsOf(record: JsonRecord, model: string | undefined): EventFlags | undefined {
  const isSummary = fieldOf(record, 'isCompactSummary') === true;
  // The flag also stands on summaries, which the model does see.
  const isHidden = fieldOf(record, 'isVisibleInTranscriptOnly') === true && !isSummary;
  const flags: EventFlags = {
    ...(isSummary ? { summary: true } : {}),
    ...(isHidden ? { hidden: true } : {}),
    ...(fieldOf(record, 'isMeta') === true ? { scaffold: true } : {}),
    ...(fieldOf(record, 'isApiErrorMessage') === true ? { error: true } : {}),
    ...(model === '<synthetic>' ? { synthetic: true } : {}),
  };
  return Object.keys(flags).length === 0 ? undefined : flags;
}

function boundaryOf(record: JsonRecord): Boundary | undefined {
  if (fieldOf(record, 'type') !== 'system') return undefined;
  const subtype = fieldOf(record, 'subtype');
  if (subtype === 'compact_boundary') return fullBoundary(fieldOf(record, 'compactMetadata'));
  if (subtype !== 'microcompact_boundary') return undefined;
  const value = fieldOf(record, 'microcompactMetadata');
  const metadata = isRecord(value) ? value : {};
  return {
    trigger: 'micro',
    ...tokensBefore(metadata),
    clearedCallIds: textsOf(metadata['compactedToolIds']),
  };
}

function fullBoundary(value: unknown): Boundary {
  const metadata = isRecord(value) ? value : {};
  const trigger = metadata['trigger'];
  const keepIds = keptIds(metadata['preservedMessages']);
  return {
    trigger: trigger === 'auto' || trigger === 'manual' ? trigger : 'unknown',
    ...tokensBefore(metadata),
    ...(keepIds.length === 0 ? {} : { keepIds }),
  };
}

function tokensBefore(metadata: JsonRecord): { tokensBefore?: number } {
  const tokens = countAt(metadata, 'preTokens');
  return tokens === 0 ? {} : { tokensBefore: tokens };
}

/** Ids as a list of texts or of records with a `uuid`, bare or in a field `uuids`. */
function keptIds(value: unknown): string[] {
  if (isRecord(value)) return keptIds(value['uuids'] ?? value['messages']);
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const id = isRecord(item) ? item['uuid'] : item;
    return typeof id === 'string' ? [id] : [];
  });
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
