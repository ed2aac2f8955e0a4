import type { Message } from '@ctx/core';
import type { Boundary, EventDraft, EventFlags } from '../transcript.ts';
import { usageOfAnthropic } from '../usage.ts';
import {
  countAt,
  fieldOf,
  isRecord,
  type JsonRecord,
  textAt,
  timeAt,
  withoutKeys,
} from '../values.ts';
import { fromAnthropicMessage, type NoteLoss, toAnthropicMessage } from './anthropic-message.ts';

/**
 * The event of one line of a Claude Code file. Types that are not known are `meta`, never an error.
 * Contract: `extra.record` is the line without its message and without `toolUseResult`, a richer copy of the result that
 * can be several times as large: it stays in the file, and `extra.toolUseResult` says that there is one.
 */
export function eventOfRecord(record: JsonRecord, lane: string): EventDraft {
  const common = { lane, ...identityOf(record), extra: extraOf(record) };
  const boundary = boundaryOf(record);
  if (boundary) return { kind: 'boundary', ...common, boundary };
  const type = fieldOf(record, 'type');
  const raw = fieldOf(record, 'message');
  const isMessage = (type === 'user' || type === 'assistant') && isRecord(raw);
  const message = isMessage ? asRecorded(fromAnthropicMessage(raw)) : undefined;
  if (!isRecord(raw) || message?.role !== type || message === undefined) {
    const kept = raw === undefined ? {} : { message: raw };
    return { kind: 'meta', ...common, extra: { ...common.extra, ...kept } };
  }
  const model = textAt(raw, 'model');
  const usage = type === 'assistant' ? usageOfAnthropic(raw['usage']) : undefined;
  const groupId =
    type === 'assistant' ? (textAt(raw, 'id') ?? textAt(record, 'requestId')) : undefined;
  const flags = flagsOf(record, model);
  return {
    kind: 'message',
    ...common,
    message,
    ...(groupId === undefined ? {} : { groupId }),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
    ...(flags === undefined ? {} : { flags }),
  };
}

/** The fields around the content belong to this format: an Anthropic request would be refused with them. */
function asRecorded(message: Message | undefined): Message | undefined {
  if (message?.extra === undefined) return message;
  return { ...message, extra: { ...message.extra, format: 'claude-code' } };
}

/** The message of a line again. */
export function toRecordedMessage(message: Message, note: NoteLoss): JsonRecord {
  if (message.extra?.format !== 'claude-code') return toAnthropicMessage(message, note);
  return toAnthropicMessage({ ...message, extra: { ...message.extra, format: 'anthropic' } }, note);
}

function identityOf(record: JsonRecord): Pick<EventDraft, 'id' | 'parentId' | 'at'> {
  const id = textAt(record, 'uuid');
  const parentId = textAt(record, 'parentUuid') ?? textAt(record, 'logicalParentUuid');
  const at = timeAt(record, 'timestamp');
  return {
    ...(id === undefined ? {} : { id }),
    ...(parentId === undefined ? {} : { parentId }),
    ...(at === undefined ? {} : { at }),
  };
}

function extraOf(record: JsonRecord): Record<string, unknown> {
  const kept = withoutKeys(record, ['message', 'toolUseResult']) ?? {};
  return Object.hasOwn(record, 'toolUseResult')
    ? { record: kept, toolUseResult: true }
    : { record: kept };
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
