import type { Message, ToolUseBlock } from '../records/message.ts';

/**
 * The smallest run of messages that can be removed on its own: an assistant message with its calls plus the user messages
 * with their results, or one message without calls.
 */
export interface Unit {
  /** Index of the first message. */
  readonly start: number;
  /** Index after the last message. */
  readonly end: number;
  /** The calls in it, in order; empty for a plain message. */
  readonly toolUseIds: readonly string[];
}

/** Returns the calls of a message, in order; none unless the assistant wrote it. */
export function callsOf(message: Message): readonly ToolUseBlock[] {
  if (message.role !== 'assistant') return [];
  return message.content.filter((block) => block.type === 'tool_use');
}

/**
 * Returns the index after the run of user messages that directly follows message `index`. Providers join such a run into
 * one turn, so results may be spread over it.
 */
export function endOfUserRun(messages: readonly Message[], index: number): number {
  let end = index + 1;
  while (messages[end]?.role === 'user') end += 1;
  return end;
}

/**
 * Splits a history into units, which are contiguous and cover every message once. A user message belongs to the calls
 * before it if the run of user messages after them holds one of their results. Results further away belong to no call:
 * repair the history first.
 */
export function unitsOf(messages: readonly Message[]): Unit[] {
  const units: Unit[] = [];
  let start = 0;
  for (let message = messages[0]; message !== undefined; message = messages[start]) {
    const toolUseIds = callsOf(message).map((call) => call.id);
    const end = toolUseIds.length === 0 ? start + 1 : endOfResults(messages, start, toolUseIds);
    units.push({ start, end, toolUseIds });
    start = end;
  }
  return units;
}

function endOfResults(
  messages: readonly Message[],
  start: number,
  toolUseIds: readonly string[],
): number {
  const ids = new Set(toolUseIds);
  const runEnd = endOfUserRun(messages, start);
  let end = start + 1;
  for (let index = start + 1; index < runEnd; index += 1) {
    const answers = messages[index]?.content.some(
      (block) => block.type === 'tool_result' && ids.has(block.toolUseId),
    );
    if (answers === true) end = index + 1;
  }
  return end;
}
