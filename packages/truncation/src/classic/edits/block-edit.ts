import type { ContentBlock, Message } from '@ctx/core';

/** A block as it is to be shown, and why. Indices are those of the full list. */
export interface BlockEdit {
  readonly messageIndex: number;
  readonly blockIndex: number;
  readonly block: ContentBlock;
  /** Such as `duplicate-read`. */
  readonly cause: string;
}

/**
 * Shows blocks as the edits want them; of several edits of one block the last counts.
 * Pure; without edits the list comes back as it is, messages without edits are the same objects. An edit of a block
 * that does not exist, or that would make another block of it (its type or its call), changes nothing. Takes time linear in messages and edits.
 */
export function applyBlockEdits(
  messages: readonly Message[],
  edits: Iterable<BlockEdit>,
): readonly Message[] {
  const byMessage = new Map<number, Map<number, ContentBlock>>();
  for (const { messageIndex, blockIndex, block } of edits) {
    const blocks = byMessage.get(messageIndex) ?? new Map<number, ContentBlock>();
    byMessage.set(messageIndex, blocks.set(blockIndex, block));
  }
  if (byMessage.size === 0) return messages;
  return messages.map((message, messageIndex) => {
    const blocks = byMessage.get(messageIndex);
    return blocks === undefined ? message : withBlocks(message, blocks);
  });
}

function withBlocks(message: Message, blocks: ReadonlyMap<number, ContentBlock>): Message {
  const content = message.content.map((block, index) => {
    const edited = blocks.get(index);
    return edited !== undefined && isSameBlock(edited, block) ? edited : block;
  });
  return { ...message, content };
}

/** Whether two blocks answer or make the same call, or are of one type. */
function isSameBlock(left: ContentBlock, right: ContentBlock): boolean {
  if (left.type === 'tool_use' && right.type === 'tool_use') return left.id === right.id;
  if (left.type === 'tool_result' && right.type === 'tool_result') {
    return left.toolUseId === right.toolUseId;
  }
  return left.type === right.type;
}
