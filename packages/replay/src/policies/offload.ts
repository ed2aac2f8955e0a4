import type { ContentBlock, Message } from '@ctx/core';
import type { RecordedOutput } from '@ctx/truncation';
import type { ReplayPolicy } from '../replay-policy.ts';

function offloaded(
  block: ContentBlock,
  outputs: ReadonlyMap<string, RecordedOutput>,
): ContentBlock {
  if (block.type !== 'tool_result') return block;
  const recorded = outputs.get(block.toolUseId);
  if (recorded?.offloaded !== true) return block;
  return { ...block, content: [{ type: 'text', text: recorded.content }] };
}

/** The message with previews in place of its large results; the same object where it has none. */
export function withPreviews(
  message: Message,
  outputs: ReadonlyMap<string, RecordedOutput>,
): Message {
  const content = message.content.map((block) => offloaded(block, outputs));
  const same = content.every((block, index) => block === message.content[index]);
  return same ? message : { ...message, content };
}

/** Puts previews with pointers in place of large results when they come in, and never touches the past. */
export const offload: ReplayPolicy = {
  name: 'offload',
  description: 'large results become a preview and a pointer',
  start({ tokensOf }) {
    const messages: Message[] = [];
    let atInsertion = 0;
    const pointers = new Set<string>();
    return {
      insert: (message, outputs) => {
        for (const recorded of outputs.values()) {
          if (recorded.offloaded) pointers.add(recorded.receipt.pointer.id);
        }
        const shown = withPreviews(message, outputs);
        if (shown !== message) atInsertion += tokensOf(message) - tokensOf(shown);
        messages.push(shown);
      },
      render: () => messages,
      saved: () => ({ atInsertion, byDedupe: 0 }),
      pointers: () => pointers,
    };
  },
};
