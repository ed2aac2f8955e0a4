import type { ContentBlock, ResultBlock, ToolResultBlock } from '@ctx/core';
import type { Usage } from '../../transcript.ts';
import {
  countAt,
  fieldOf,
  isList,
  isRecord,
  type JsonRecord,
  textAt,
  withoutKeys,
} from '../../values.ts';

/** What a part of a message of opencode becomes. */
export interface OpenCodePart {
  readonly block?: ContentBlock;
  readonly result?: ToolResultBlock;
  /** Set where the result was cleared from the context later. */
  readonly isCleared?: boolean;
  /** In no view. */
  readonly isHidden?: boolean;
  readonly usage?: Usage;
}

/** Reads one part. What is neither text, call nor file becomes nothing here: it is kept beside the message. */
export function readOpenCodePart(part: JsonRecord): OpenCodePart {
  switch (fieldOf(part, 'type')) {
    case 'text': {
      const text = textAt(part, 'text') ?? '';
      const isHidden = fieldOf(part, 'ignored') === true;
      return text === '' ? {} : { block: { type: 'text', text }, isHidden };
    }
    case 'reasoning':
    case 'file':
      return { block: opaque(part) };
    case 'tool':
      return readTool(part);
    case 'step-finish': {
      const usage = usageOfOpenCode(fieldOf(part, 'tokens'));
      return usage === undefined ? {} : { usage };
    }
    default:
      return {};
  }
}

function opaque(part: JsonRecord): ResultBlock {
  return { type: 'opaque', format: `opencode:${textAt(part, 'type') ?? ''}`, data: part };
}

function readTool(part: JsonRecord): OpenCodePart {
  const id = textAt(part, 'callID');
  const name = textAt(part, 'tool');
  const value = fieldOf(part, 'state');
  const state = isRecord(value) ? value : {};
  if (id === undefined || name === undefined) return { block: opaque(part) };
  const block: ContentBlock = { type: 'tool_use', id, name, input: fieldOf(state, 'input') ?? {} };
  const status = fieldOf(state, 'status');
  if (status !== 'completed' && status !== 'error') return { block };
  const result: ToolResultBlock = {
    type: 'tool_result',
    toolUseId: id,
    content: answerIn(state, status === 'error' ? 'error' : 'output'),
    ...(hasFailed(state) ? { isError: true } : {}),
  };
  const time = fieldOf(state, 'time');
  const isCleared = isRecord(time) && typeof fieldOf(time, 'compacted') === 'number';
  return { block, result, isCleared };
}

/** Whether a call failed. A command that did is completed: its exit code stands beside the result. */
function hasFailed(state: JsonRecord): boolean {
  if (fieldOf(state, 'status') === 'error') return true;
  const metadata = fieldOf(state, 'metadata');
  const exit = isRecord(metadata) ? fieldOf(metadata, 'exit') : undefined;
  return typeof exit === 'number' && exit !== 0;
}

function answerIn(state: JsonRecord, field: string): ResultBlock[] {
  const said = textAt(state, field) ?? '';
  const attachments = fieldOf(state, 'attachments');
  return [
    ...(said === '' ? [] : [{ type: 'text' as const, text: said }]),
    ...(isList(attachments) ? attachments.filter(isRecord).map(opaque) : []),
  ];
}

/** Its input leaves out what was cached. */
export function usageOfOpenCode(tokens: unknown): Usage | undefined {
  if (!isRecord(tokens)) return undefined;
  const value = fieldOf(tokens, 'cache');
  const cache = isRecord(value) ? value : {};
  const cacheRead = countAt(cache, 'read');
  const cacheWrite = countAt(cache, 'write');
  const reasoning = countAt(tokens, 'reasoning');
  return {
    input: countAt(tokens, 'input') + cacheRead + cacheWrite,
    cacheRead,
    cacheWrite,
    output: countAt(tokens, 'output'),
    ...(reasoning === 0 ? {} : { reasoning }),
  };
}

/** A part without what its block holds. */
export function lightPart(part: JsonRecord): JsonRecord {
  const type = fieldOf(part, 'type');
  if (type === 'text') return withoutKeys(part, ['text']) ?? {};
  if (type === 'reasoning' || type === 'file') return { type, id: fieldOf(part, 'id') };
  const state = fieldOf(part, 'state');
  if (type !== 'tool' || !isRecord(state)) return part;
  return { ...part, state: withoutKeys(state, ['input', 'output', 'error', 'attachments']) ?? {} };
}
