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

/** The calls that have returned, from a message on. */
function returnedCalls(messages: readonly Message[], from: number) {
  return messages.slice(from).flatMap(({ content }, offset) =>
    content.flatMap((block) => {
      if (block.type !== 'tool_result') return [];
      const tool = toolOf(messages, from + offset, block.toolUseId);
      return tool === undefined ? [] : [{ tool, failures: block.isError === true ? 1 : 0 }];
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
