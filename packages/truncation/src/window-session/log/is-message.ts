import type { ContentBlock, Message, ResultBlock, ToolResultBlock } from '@ctx/core';

/**
 * Checks of messages that come from a store. By hand, because a log holds tens of thousands of them and is read as a whole:
 * a schema that copies what it checks took most of that time.
 */

type Members = Readonly<Record<string, unknown>>;

/** Whether a value has members by name. */
export function hasMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isExtra(value: unknown): boolean {
  return value === undefined || hasMembers(value);
}

function isPart(value: unknown): value is ResultBlock {
  if (!hasMembers(value) || !isExtra(value['extra'])) return false;
  if (value['type'] === 'text') return typeof value['text'] === 'string';
  return value['type'] === 'opaque' && typeof value['format'] === 'string';
}

/** Whether a value is the result of a call. */
export function isResult(value: unknown): value is ToolResultBlock {
  if (!hasMembers(value) || value['type'] !== 'tool_result' || !isExtra(value['extra'])) {
    return false;
  }
  const { toolUseId, content, isError } = value;
  const isFlag = isError === undefined || typeof isError === 'boolean';
  return isFlag && typeof toolUseId === 'string' && Array.isArray(content) && content.every(isPart);
}

function isCall(value: Members): boolean {
  const isNamed = typeof value['id'] === 'string' && typeof value['name'] === 'string';
  return value['type'] === 'tool_use' && isNamed && isExtra(value['extra']);
}

/** Whether a value is a block of a message. */
export function isBlock(value: unknown): value is ContentBlock {
  return isPart(value) || isResult(value) || (hasMembers(value) && isCall(value));
}

const roles: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system']);

/** Whether a value is a message of ours. */
export function isMessage(value: unknown): value is Message {
  if (!hasMembers(value) || !roles.has(value['role']) || !isExtra(value['extra'])) return false;
  return Array.isArray(value['content']) && value['content'].every(isBlock);
}
