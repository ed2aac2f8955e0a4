import type { ContextPointer, ToolOutput } from '@ctx/core';
import { CtxError } from '@ctx/core';
import { decodeValue } from '@ctx/core/encoding';
import type { ColumnValue, StoredRecord } from '../backend/store-backend.ts';
import type { OutputDraft } from './draft-output.ts';

function corrupt(record: StoredRecord, what: string): CtxError {
  return new CtxError('CTX_STORE_CORRUPT', `output ${record.key.join(' / ')}: ${what}`);
}

function text(record: StoredRecord, name: string): string {
  const value = record.columns[name];
  if (typeof value !== 'string') throw corrupt(record, `${name} is no text`);
  return value;
}

function number(record: StoredRecord, name: string): number {
  const value = record.columns[name];
  if (typeof value !== 'number') throw corrupt(record, `${name} is no number`);
  return value;
}

function parse(record: StoredRecord, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new CtxError('CTX_STORE_CORRUPT', `output ${record.key.join(' / ')} is not JSON`, {
      cause,
    });
  }
}

/** Where an output stands among the others. */
export interface OutputPlace {
  readonly sequence: number;
  /** The output that holds the equal result, if another does. */
  readonly contentOf: string | null;
  /** Outputs that show the result of this one. */
  readonly contentUsers: number;
  /** Characters of the result, and of the arguments, that full text sees. */
  readonly searchedCharacters: number;
}

/** The columns of a draft. */
export function columnsOf(draft: OutputDraft, place: OutputPlace): Record<string, ColumnValue> {
  return {
    tool_name: draft.input.toolName,
    description: draft.description,
    path: draft.path ?? null,
    query_id: draft.input.queryId ?? null,
    task_id: draft.input.taskId ?? null,
    created_at: draft.createdAt,
    sequence: place.sequence,
    bytes: draft.bytes,
    tokens: draft.tokens,
    lines: draft.lines,
    fingerprint: draft.fingerprint,
    pinned: draft.input.pinned === true ? 1 : 0,
    trimmed_args: JSON.stringify(draft.trimmedArgs),
    preview: draft.preview,
    content_of: place.contentOf,
    content_users: place.contentUsers,
    searched_characters: place.searchedCharacters,
    partly_searched: draft.search.isWhole ? 0 : 1,
  };
}

/** JSON text of a record's body. Without `resultJson` the result stands in another output. */
export function bodyOf(argsJson: string, resultJson?: string): string {
  return resultJson === undefined
    ? `{"args":${argsJson}}`
    : `{"args":${argsJson},"result":${resultJson}}`;
}

/** What a pointer and the whole output have in common, from the columns. */
function namedPart(record: StoredRecord): Omit<ToolOutput, 'args' | 'result'> {
  const { query_id: queryId, task_id: taskId } = record.columns;
  return {
    id: record.key[1] ?? '',
    sessionId: record.key[0] ?? '',
    toolName: text(record, 'tool_name'),
    toolDescription: text(record, 'description'),
    createdAt: number(record, 'created_at'),
    sequence: number(record, 'sequence'),
    bytes: number(record, 'bytes'),
    tokens: number(record, 'tokens'),
    lines: number(record, 'lines'),
    fingerprint: text(record, 'fingerprint'),
    pinned: number(record, 'pinned') !== 0,
    ...(typeof queryId === 'string' ? { queryId } : {}),
    ...(typeof taskId === 'string' ? { taskId } : {}),
  };
}

/** Makes the light stand-in of an output from its columns alone. */
export function pointerOf(record: StoredRecord): ContextPointer {
  return pointerWith(record, parse(record, text(record, 'trimmed_args')));
}

/** The same where the trimmed arguments are at hand and their column need not be read. The pointer shares nothing with them. */
export function pointerWith(record: StoredRecord, trimmedArgs: unknown): ContextPointer {
  const { path } = record.columns;
  return {
    ...namedPart(record),
    args: decodeValue(trimmedArgs),
    preview: text(record, 'preview'),
    ...(typeof path === 'string' ? { path } : {}),
  };
}

/** The encoded members of a record's body. */
export function readBody(record: StoredRecord): { args?: unknown; result?: unknown } {
  const body = parse(record, record.body);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw corrupt(record, 'its body is no object');
  }
  return body;
}

/** The whole output; `owner` is the record that holds the result. */
export function outputOf(record: StoredRecord, owner: StoredRecord): ToolOutput {
  const holder = readBody(owner);
  if (!('result' in holder)) throw corrupt(owner, 'the result is missing');
  return {
    ...namedPart(record),
    args: decodeValue((owner === record ? holder : readBody(record)).args),
    result: decodeValue(holder.result),
  };
}
