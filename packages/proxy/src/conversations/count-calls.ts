import type { Message, ToolUseBlock } from '@ctx/core';
import { callOutcome } from '@ctx/relevance';
import type { ContextStore } from '@ctx/store';

/** Finds the call of a result, looking back from the message at `end`: it is usually in the one before. */
function callOf(messages: readonly Message[], end: number, id: string): ToolUseBlock | undefined {
  for (let at = end; at >= 0; at -= 1) {
    for (const block of messages[at]?.content ?? []) {
      if (block.type === 'tool_use' && block.id === id) return block;
    }
  }
  return undefined;
}

/** The calls that have returned, from a message on. */
function returnedCalls(messages: readonly Message[], from: number) {
  return messages.slice(from).flatMap(({ content }, offset) =>
    content.flatMap((block) => {
      if (block.type !== 'tool_result') return [];
      const call = callOf(messages, from + offset, block.toolUseId);
      if (call === undefined) return [];
      return [{ tool: call.name, failures: callOutcome.hasFailed(call, block) ? 1 : 0 }];
    }),
  );
}

/** Counts the calls that have returned since, in the session's `tool_stats`. `from`: where in the messages the new ones begin. */
export function countCalls(
  { sessions }: ContextStore,
  sessionId: string,
  { messages, from }: { readonly messages: readonly Message[]; readonly from: number },
): void {
  for (const toolCall of returnedCalls(messages, from)) sessions.observe(sessionId, { toolCall });
}
