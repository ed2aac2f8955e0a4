import type { ContentBlock, Message } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';

/** What every provider takes as the id of a call. */
const plainId = /^[A-Za-z0-9_-]{1,64}$/;
const otherSign = /[^A-Za-z0-9_-]/g;

/** Longest readable part of an alias, in characters. */
const readableLength = 40;

function aliasOf(id: string): string {
  const readable = id.slice(0, readableLength).replace(otherSign, '_');
  return `${readable}_${fingerprintText(id).slice(0, 12)}`;
}

/**
 * Gives calls whose ids a provider may refuse (other signs than letters, digits, `_` and `-`, over 64 of them, none) another one, and
 * their results with them. `note` counts the calls.
 * Pure; the same id always gets the same alias, and different ids different ones.
 */
export function withCallAliases(
  messages: readonly Message[],
  note: (loss: string) => void,
): readonly Message[] {
  return messages.map((message) => {
    const content = message.content.map((block): ContentBlock => {
      if (block.type === 'tool_use' && !plainId.test(block.id)) {
        note('id of a call');
        return { ...block, id: aliasOf(block.id) };
      }
      const isResult = block.type === 'tool_result' && !plainId.test(block.toolUseId);
      return isResult ? { ...block, toolUseId: aliasOf(block.toolUseId) } : block;
    });
    const isChanged = content.some((block, index) => block !== message.content[index]);
    return isChanged ? { ...message, content } : message;
  });
}
