import type { ContentBlock, Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';

type Call = Extract<ContentBlock, { type: 'tool_use' }>;

function callOf(messages: readonly Message[], id: string): Call | undefined {
  for (const { content } of messages.toReversed()) {
    for (const block of content) if (block.type === 'tool_use' && block.id === id) return block;
  }
  return undefined;
}

/** Counts the calls that have returned since, in the session's `tool_stats`. `from`: where in the messages the new ones begin. */
export function countCalls(
  { sessions }: ContextStore,
  sessionId: string,
  { messages, from }: { readonly messages: readonly Message[]; readonly from: number },
): void {
  for (const block of messages.slice(from).flatMap(({ content }) => content)) {
    if (block.type !== 'tool_result') continue;
    const tool = callOf(messages, block.toolUseId)?.name;
    if (tool === undefined) continue;
    sessions.observe(sessionId, { toolCall: { tool, failures: block.isError === true ? 1 : 0 } });
  }
}
