import type { Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';

/** The tool of a call, which mostly stands in the message before its result at `end`. */
function toolOf(messages: readonly Message[], end: number, id: string): string | undefined {
  for (let at = end; at >= 0; at -= 1) {
    for (const block of messages[at]?.content ?? []) {
      if (block.type === 'tool_use' && block.id === id) return block.name;
    }
  }
  return undefined;
}

/** Counts the calls that have returned since, in the session's `tool_stats`. `from`: where in the messages the new ones begin. */
export function countCalls(
  { sessions }: ContextStore,
  sessionId: string,
  { messages, from }: { readonly messages: readonly Message[]; readonly from: number },
): void {
  for (const [offset, { content }] of messages.slice(from).entries()) {
    for (const block of content) {
      if (block.type !== 'tool_result') continue;
      const tool = toolOf(messages, from + offset, block.toolUseId);
      const failures = block.isError === true ? 1 : 0;
      if (tool !== undefined) sessions.observe(sessionId, { toolCall: { tool, failures } });
    }
  }
}
