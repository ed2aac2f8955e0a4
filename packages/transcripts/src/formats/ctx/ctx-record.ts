import type { Message } from '@ctx/core';
import type { EventDraft, TranscriptEvent } from '../../transcript.ts';
import { fieldOf, isList, isRecord, type JsonRecord, textAt, withoutKeys } from '../../values.ts';

/** The record of an event in an archive: all but its place, which is the line; where it stood before is its `origin`. */
export function recordOfEvent(event: TranscriptEvent): JsonRecord {
  const { seq: _, source, extra, ...rest } = event;
  const origin = extra?.['origin'] ?? source;
  const kept = extra === undefined ? undefined : withoutKeys(extra, ['origin']);
  return { ...rest, origin, ...(kept === undefined ? {} : { extra: kept }) };
}

/** The event of a record; `undefined` where it is none. */
export function eventOfRecord(record: JsonRecord): EventDraft | undefined {
  const extra = fieldOf(record, 'extra') ?? {};
  const { origin, ...rest } = record;
  if (!isRecord(extra) || !isRecord(origin) || !isEvent(rest)) return undefined;
  return { ...rest, extra: { ...extra, origin } };
}

const kinds = new Set<unknown>(['message', 'boundary', 'rewind', 'usage', 'meta']);
const texts = ['id', 'parentId', 'groupId', 'model', 'rewindTo'];

/** Tells whether a record has the shape of an event, whoever wrote it. */
function isEvent(record: JsonRecord): record is JsonRecord & EventDraft {
  const message = fieldOf(record, 'message');
  const usage = fieldOf(record, 'usage');
  const at = fieldOf(record, 'at');
  return (
    kinds.has(fieldOf(record, 'kind')) &&
    textAt(record, 'lane') !== undefined &&
    texts.every((name) => isTextOrAbsent(fieldOf(record, name))) &&
    (at === undefined || typeof at === 'number') &&
    (message === undefined || isMessage(message)) &&
    (usage === undefined || isUsage(usage)) &&
    hasPlainParts(record)
  );
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function hasPlainParts(record: JsonRecord): boolean {
  const flags = fieldOf(record, 'flags');
  const boundary = fieldOf(record, 'boundary');
  return (
    (flags === undefined || isRecord(flags)) && (boundary === undefined || isBoundary(boundary))
  );
}

function isBoundary(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const lists = [fieldOf(value, 'keepIds'), fieldOf(value, 'clearedCallIds')];
  const areIds = lists.every(
    (list) => list === undefined || (isList(list) && list.every((id) => typeof id === 'string')),
  );
  return areIds && textAt(value, 'trigger') !== undefined;
}

function isUsage(value: unknown): boolean {
  const names = ['input', 'cacheRead', 'cacheWrite', 'output'];
  return isRecord(value) && names.every((name) => typeof fieldOf(value, name) === 'number');
}

const roles = new Set<unknown>(['user', 'assistant', 'system']);

function isMessage(value: unknown): value is Message {
  if (!isRecord(value) || !roles.has(fieldOf(value, 'role'))) return false;
  const content = fieldOf(value, 'content');
  return isList(content) && content.every(isBlock) && isExtra(fieldOf(value, 'extra'));
}

function isExtra(value: unknown): boolean {
  return value === undefined || isRecord(value);
}

function isBlock(value: unknown): boolean {
  if (!isRecord(value) || !isExtra(fieldOf(value, 'extra'))) return false;
  switch (fieldOf(value, 'type')) {
    case 'tool_use':
      return textAt(value, 'id') !== undefined && textAt(value, 'name') !== undefined;
    case 'tool_result': {
      const content = fieldOf(value, 'content');
      const isOwn = isList(content) && content.every(isResultBlock);
      return isOwn && textAt(value, 'toolUseId') !== undefined;
    }
    default:
      return isResultBlock(value);
  }
}

function isResultBlock(value: unknown): boolean {
  if (!isRecord(value) || !isExtra(fieldOf(value, 'extra'))) return false;
  const type = fieldOf(value, 'type');
  if (type === 'opaque') return textAt(value, 'format') !== undefined;
  const text = textAt(value, 'text') ?? textAt(value, 'textBlob');
  return type === 'text' && text !== undefined;
}
